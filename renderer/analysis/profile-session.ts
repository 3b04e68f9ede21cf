import { leafWeights } from '#core/analyze/tables/leaf-weights.ts';
import { callersAndCallees } from '#core/analyze/tree/neighbours.ts';
import type { Moment } from '#core/analyze/time/nearest-sample.ts';
import type { NeighbourList } from '#core/analyze/tree/neighbours.ts';
import type { PatternRunner } from '#core/analyze/transforms/resolve-transforms.ts';
import { functionNames, searchWeight } from '#core/analyze/search.ts';
import { sourceLines } from '#core/analyze/tables/source-lines.ts';
import type { CallTree, FunctionStats } from '#core/analyze/view/stack-view.ts';
import { timeGaps } from '#core/analyze/time/time-gaps.ts';
import type { TimeRange } from '#core/analyze/time/time-grid.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import { FunctionKind } from '#core/model/profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { treeSource } from '../../core/analyze/graph/tree-source.ts';
import type { FlameSource } from '#core/analyze/graph/flame-slice.ts';
import { toLineRows, withoutLines } from './line-rows.ts';
import type { SourceLineRows } from '#core/analyze/tables/source-line-rows.ts';
import { auditView } from './audit.ts';
import { madeFunctions } from './describe-profile.ts';
import { createGraphSources } from './graph-sources.ts';
import type { GraphSources, GraphSubject } from './graph-sources.ts';
import type { PatternSearch } from './pattern-search.ts';
import { RequestFailure } from './request-failure.ts';
import { findPath, findPicked, heaviestRow, placeOfLeaf } from './tree-places.ts';
import type { FoundPlace } from './answer.ts';
import type {
  AnalyzeParams,
  Analysis,
  AnalysisAnswer,
  Audit,
  NeighbourRow,
  LeafRows,
  NeighbourRows,
  SearchMatches,
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
  /** One per view. */
  readonly newSearch: () => PatternSearch;
}

/** One profile and the analyses that the window looks at, one per view. The worker's entry adds messages, files and the regex worker. */
export interface ProfileSession {
  readonly profile: Profile;
  analyze(params: AnalyzeParams): Promise<AnalysisAnswer>;
  /** Ends an analysis that still runs, at its next step. */
  withdraw(revision: number): void;
  audit(revision: number): Audit;
  closeView(view: number): void;
  /** The call tree of a view's newest analysis. */
  source(revision: number): FlameSource;
  search(revision: number, pattern: string): Promise<SearchMatches>;
  heaviest(revision: number, func: FunctionIndex): CallNodeIndex | null;
  neighbours(revision: number, func: FunctionIndex): NeighbourRows;
  leafWeights(revision: number, func: FunctionIndex | null): LeafRows;
  sourceLines(revision: number, func: FunctionIndex): SourceLineRows;
  readonly graphs: GraphSources;
  /** What a revision shows, for `graphs`. */
  graphSubject(revision: number): GraphSubject;
  readonly tables: Tables;
  /** What a revision shows, for `tables`. */
  tableSubject(revision: number): TableSubject;
  readonly times: TimeViews;
  /** What a revision shows, for `times`. */
  timeSubject(revision: number): TimeSubject;
  /** Where the revision's tree has the leaf of a moment's stack; null: there is none. */
  placeAt(revision: number, moment: Moment): FoundPlace | null;
  gaps(): readonly TimeRange[];
}

/** Callers and callees listed; the details show the heaviest. */
const MAX_NEIGHBOURS = 200;

interface Current {
  readonly revision: number;
  readonly viewed: Viewed;
  readonly tree: CallTree;
  readonly source: FlameSource;
  readonly search: PatternSearch;
}

/** `rest` lets other requests be answered between the steps of an analysis, among them that it be withdrawn. */
export function createProfileSession(
  profile: Profile,
  patterns: SessionPatterns,
  rest: () => Promise<void> = () => Promise.resolve(),
): ProfileSession {
  const views = new Map<number, Current>();
  /** By revision that is being made: its view. */
  const running = new Map<number, number>();
  const names = functionNames(profile);
  const look = createLook(profile, names, patterns.ofTransforms);
  const hasSource = profile.frames.line !== null || profile.functions.file.some((file) => file !== 0);
  const times = createTimeViews(profile);
  const tables = createTables(patterns.newSearch);
  const graphs = createGraphSources(profile);

  function at(revision: number): Current {
    for (const current of views.values()) if (current.revision === revision) return current;
    throw new RequestFailure('stale', 'the view has changed since');
  }

  async function step(revision: number): Promise<void> {
    await rest();
    if (!running.has(revision)) throw new RequestFailure('withdrawn', 'the analysis was ended');
  }

  function subjectOf(id: number, { viewed, tree }: Current): TableSubject {
    const { view, names: shown, transforms, resolved } = viewed;
    return { id, view, tree, names: shown, profile, transforms, resolved };
  }

  async function analyze(params: AnalyzeParams): Promise<AnalysisAnswer> {
    const { revision } = params;
    const before = views.get(params.view);
    const known = before?.viewed.key === keyOf(params) ? before.viewed : null;
    const viewed = known ?? (await look(params, () => step(revision)));
    const tree = treeOf(viewed, params.tree);
    const source = treeSource(viewed.view.profile, tree);
    await step(revision);
    const current = { revision, viewed, tree, source, search: before?.search ?? patterns.newSearch() };
    views.set(params.view, current);
    tables.follow(subjectOf(params.view, current));
    return describeAnalysis(params, profile, current, withoutRange(viewed));
  }

  function withoutRange({ timeSubject }: Viewed): Analysis['withoutRange'] {
    return timeSubject.selection.timeRange === null ? null : times.withoutRange(timeSubject);
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
    audit(revision) {
      const { viewed, tree } = at(revision);
      return auditView(profile, viewed.view, viewed.stats, tree);
    },
    closeView(view) {
      for (const [revision, of] of running) if (of === view) running.delete(revision);
      views.delete(view);
      tables.close(view);
    },
    source: (revision) => at(revision).source,
    async search(revision, pattern) {
      const { viewed, search } = at(revision);
      const matched = await search(viewed.names, pattern);
      const { functionCount, weight } = searchWeight(viewed.view, matched);
      return { flags: matched, functions: functionCount, weight };
    },
    heaviest: (revision, func) => heaviestRow(at(revision).tree, func),
    neighbours(revision, func) {
      const { callers, callees } = callersAndCallees(at(revision).viewed.view, func);
      return {
        callers: neighbourRows(callers),
        callees: neighbourRows(callees),
        callerCount: callers.length,
        calleeCount: callees.length,
      };
    },
    leafWeights: (revision, func) => leafWeights(at(revision).viewed.view, func),
    sourceLines(revision, func) {
      const { view, stats, resolved } = at(revision).viewed;
      if (!hasSource) return withoutLines(stats, func);
      return toLineRows(sourceLines(profile, view.selection, resolved, func), profile.strings);
    },
    graphs,
    graphSubject(revision) {
      const { viewed, tree } = at(revision);
      return { view: viewed.view, selection: viewed.timeSubject.selection, resolved: viewed.resolved, tree };
    },
    tables,
    tableSubject(revision) {
      for (const [id, current] of views) if (current.revision === revision) return subjectOf(id, current);
      throw new RequestFailure('stale', 'the view has changed since');
    },
    times,
    timeSubject: (revision) => at(revision).viewed.timeSubject,
    placeAt(revision, moment) {
      const { viewed, tree } = at(revision);
      return placeOfLeaf(tree, times.stackAt(viewed.timeSubject, moment));
    },
    gaps: () => timeGaps(profile),
  };
}

function describeAnalysis(
  params: AnalyzeParams,
  profile: Profile,
  { viewed: { view, stats, resolved }, tree, source }: Current,
  withoutRange: Analysis['withoutRange'],
): AnalysisAnswer {
  const places = { table: view.profile, tree, steps: resolved.steps };
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
    withoutRange,
    rows: { func: stats.func.slice(), self: stats.self.slice(), total: stats.total.slice() },
    treeLength: tree.length,
    maxDepth: source.maxDepth,
    withoutTime: view.withoutTime,
    zoomNode: findPath(places, params.zoom).node,
    picked: params.picked === null ? null : findPicked(places, params.picked),
  };
}

/** Weight of stacks whose leaf has no symbol. */
export function unresolvedWeight(profile: Profile, stats: FunctionStats): number {
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
