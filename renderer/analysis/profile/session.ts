import { otherTypesWithWeight } from '#core/analyze/other-value-types.ts';
import { labelBreakdown } from '#core/analyze/reading/labels.ts';
import type { LabelBreakdown } from '#core/analyze/reading/labels.ts';
import { leafWeights } from '#core/analyze/tables/leaf-weights.ts';
import { callersAndCallees } from '#core/analyze/tree/neighbours.ts';
import type { SampleQuery } from '#core/analyze/time/nearest-sample.ts';
import type { NeighbourList } from '#core/analyze/tree/neighbours.ts';
import type { PatternRunner } from '#core/analyze/transforms/resolve-transforms.ts';
import { functionNames, searchWeight } from '#core/analyze/search.ts';
import { sumOfFunctions, sumOfNodes } from '#core/analyze/tables/selection-sums.ts';
import { sourceLines } from '#core/analyze/tables/source-lines.ts';
import type { FunctionStats } from '#core/analyze/view/stack-view.ts';
import { timeGaps } from '#core/analyze/time/time-gaps.ts';
import type { TimeRange } from '#core/analyze/time/time-grid.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import { FunctionKind } from '#core/model/profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { treeSource } from '../../../core/analyze/graph/tree-source.ts';
import { toLineRows, withoutLines } from './line-rows.ts';
import type { SourceLineRows } from '#core/analyze/tables/source-line-rows.ts';
import { auditView } from './audit.ts';
import { madeFunctions } from './describe-profile.ts';
import { createGraphSources } from './graph-sources.ts';
import type { GraphSources, GraphSubject } from './graph-sources.ts';
import type { PatternSearch } from '../pattern-search.ts';
import { RequestFailure } from '../request-failure.ts';
import { exportSeen, previewOf } from './seen-requests.ts';
import type { ExportedFile, ExportParams } from './seen-requests.ts';
import type { Analysed, AnalysisSession } from '../session.ts';
import { findPlaces, placeOfLeaf } from '../tree-places.ts';
import type { FoundPlace } from '../answer.ts';
import type {
  AnalyzeParams,
  Analysis,
  AnalysisAnswer,
  LeafRows,
  NeighbourRow,
  NeighbourRows,
  ProfileSource,
} from './protocol.ts';
import { createTables } from './tables.ts';
import type { Tables, TableSubject } from './tables.ts';
import { createTimeViews } from './time-views.ts';
import type { TimeSubject, TimeViews } from './time-views.ts';
import { createLook, keyOf, treeOf } from './viewed.ts';
import type { Viewed } from './viewed.ts';

/** Where the user's patterns run. */
export interface SessionPatterns {
  readonly ofTransforms: PatternRunner;
  /** Of previews and exports, so that neither waits for an analysis. */
  readonly ofPreviews: PatternRunner;
  /** One per view. */
  readonly newSearch: () => PatternSearch;
}

/** The newest analysis of one view. */
export interface ProfileAnalysis extends Analysed, TableSubject, GraphSubject, TimeSubject {
  readonly revision: number;
  readonly viewed: Viewed;
}

/** One profile and the analyses that the window looks at, one per view. */
export interface ProfileSession extends AnalysisSession<ProfileSource> {
  readonly profile: Profile;
  at(revision: number): ProfileAnalysis;
  closeView(view: number): void;
  neighbours(revision: number, func: FunctionIndex): NeighbourRows;
  leafWeights(revision: number, func: FunctionIndex | null): LeafRows;
  labels(revision: number): readonly LabelBreakdown[];
  sourceLines(revision: number, func: FunctionIndex): SourceLineRows;
  readonly graphs: GraphSources;
  readonly tables: Tables;
  readonly times: TimeViews;
  /** Where the revision's tree has the leaf of a moment's stack; null: there is none. */
  placeAt(revision: number, moment: SampleQuery): FoundPlace | null;
  gaps(): readonly TimeRange[];
  exported(params: ExportParams): Promise<ExportedFile>;
}

/** Callers and callees listed; the details show the heaviest. */
const MAX_NEIGHBOURS = 200;

/** `rest` lets other requests be answered between the steps of an analysis, among them that it be withdrawn. */
export function createProfileSession(
  profile: Profile,
  patterns: SessionPatterns,
  rest: () => Promise<void> = () => Promise.resolve(),
): ProfileSession {
  const views = new Map<number, ProfileAnalysis>();
  /** By revision that is being made: its view. */
  const running = new Map<number, number>();
  const names = functionNames(profile);
  const look = createLook(profile, names, patterns.ofTransforms);
  const hasSource = profile.frames.line !== null || profile.functions.file.some((file) => file !== 0);
  const times = createTimeViews(profile);
  const tables = createTables();
  const graphs = createGraphSources(profile);

  function at(revision: number): ProfileAnalysis {
    for (const current of views.values()) if (current.revision === revision) return current;
    throw new RequestFailure('stale', 'the view has changed');
  }

  async function step(revision: number): Promise<void> {
    await rest();
    if (!running.has(revision)) throw new RequestFailure('withdrawn', 'the analysis was closed');
  }

  async function analyze(params: AnalyzeParams): Promise<AnalysisAnswer> {
    const { revision, view: id } = params;
    const before = views.get(id);
    const known = before?.viewed.key === keyOf(params) ? before.viewed : null;
    const viewed = known ?? (await look(params, () => step(revision)));
    const { view, resolved, transforms, selection } = viewed;
    const tree = treeOf(viewed, params.tree);
    const source = treeSource(view.profile, tree);
    await step(revision);
    const current: ProfileAnalysis = {
      id,
      revision,
      profile,
      viewed,
      view,
      table: view.profile,
      tree,
      source,
      steps: resolved.steps,
      resolved,
      transforms,
      transformsKey: JSON.stringify(transforms),
      selection,
      names: viewed.names,
      search: before?.search ?? patterns.newSearch(),
      filter: before?.filter ?? patterns.newSearch(),
    };
    views.set(id, current);
    tables.follow(current);
    const withoutRange = selection.timeRange === null ? null : times.withoutRange(current);
    return describeAnalysis(params, current, withoutRange);
  }

  return {
    profile,
    async analyze(params) {
      running.set(params.revision, params.view);
      try {
        return await analyze(params);
      } finally {
        running.delete(params.revision);
      }
    },
    withdraw(revision) {
      running.delete(revision);
    },
    at,
    source: (revision, tree) => graphs.source(at(revision), tree),
    audit(revision) {
      const { viewed, tree } = at(revision);
      return auditView(profile, viewed.view, viewed.stats, tree);
    },
    matches(revision, flags) {
      const { functionCount, weight } = searchWeight(at(revision).view, flags);
      return { flags, functions: functionCount, weight };
    },
    sums({ revision, of, rows }) {
      const { view, tree } = at(revision);
      return of === 'functions' ? sumOfFunctions(view, rows) : sumOfNodes(tree, rows);
    },
    preview: (params) => previewOf(profile, params, patterns.ofPreviews),
    timeStrip: ({ revision, window, buckets }) => times.strip(at(revision), window, times.buckets(window, buckets)),
    closeView(view) {
      for (const [revision, of] of running) if (of === view) running.delete(revision);
      views.delete(view);
      tables.close(view);
    },
    neighbours(revision, func) {
      const { callers, callees } = callersAndCallees(at(revision).view, func);
      return {
        callers: neighbourRows(callers),
        callees: neighbourRows(callees),
        callerCount: callers.length,
        calleeCount: callees.length,
      };
    },
    leafWeights: (revision, func) => leafWeights(at(revision).view, func),
    labels(revision) {
      const { view, resolved } = at(revision);
      return labelBreakdown(profile, view.selection, resolved);
    },
    sourceLines(revision, func) {
      const { view, viewed, resolved } = at(revision);
      if (!hasSource) return withoutLines(viewed.stats, func);
      return toLineRows(sourceLines(profile, view.selection, resolved, func), profile.strings);
    },
    graphs,
    tables,
    times,
    placeAt(revision, moment) {
      const current = at(revision);
      return placeOfLeaf(current.tree, times.stackAt(current, moment));
    },
    gaps: () => timeGaps(profile),
    exported: (params) => exportSeen(profile, params, patterns.ofPreviews),
  };
}

function describeAnalysis(
  params: AnalyzeParams,
  current: ProfileAnalysis,
  withoutRange: Analysis['withoutRange'],
): AnalysisAnswer {
  const { profile, view, viewed, resolved, tree, source } = current;
  const { stats } = viewed;
  return {
    revision: params.revision,
    tree: params.tree,
    made: madeFunctions(profile, view.profile),
    total: view.total,
    hidden: view.hidden,
    hiddenBy: view.hiddenBy,
    found: resolved.found,
    withoutStack: view.withoutStack,
    unresolved: unresolvedWeight(view.profile, stats),
    sampleCount: view.sampleCount,
    otherTypes: view.sampleCount === 0 ? otherTypesWithWeight(profile, view.selection, resolved) : [],
    withoutRange,
    rows: { func: stats.func.slice(), self: stats.self.slice(), total: stats.total.slice() },
    treeLength: tree.length,
    maxDepth: source.maxDepth,
    withoutTime: view.withoutTime,
    ...findPlaces(current, params),
  };
}

/** Weight of stacks whose leaf has no symbol. */
function unresolvedWeight(profile: Profile, stats: FunctionStats): number {
  let weight = 0;
  for (let row = 0; row < stats.length; row++) {
    if (profile.functions.kind[stats.func[row]!] === FunctionKind.unresolved) weight += stats.self[row]!;
  }
  return weight;
}

function neighbourRows(list: NeighbourList): NeighbourRow[] {
  return Array.from({ length: Math.min(list.length, MAX_NEIGHBOURS) }, (_, row) => ({
    func: list.func[row]! as FunctionIndex | -1,
    weight: list.weight[row]!,
  }));
}
