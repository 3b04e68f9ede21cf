import { isSampled } from '#core/model/share-error.ts';
import { absoluteTotal } from '#core/analyze/reading/absolute-total.ts';
import { otherTypesWithWeight } from '#core/analyze/other-value-types.ts';
import type { KindRule } from '#core/analyze/summary/kind-rules.ts';
import type { Summary } from '#core/analyze/summary/summary.ts';
import type { GoroutineGroup } from '#core/analyze/tables/goroutines.ts';
import { labelBreakdown, type LabelBreakdown } from '#core/analyze/reading/labels.ts';
import { leafWeights } from '#core/analyze/tables/stack-weights.ts';
import { callersAndCallees, type NeighbourList } from '#core/analyze/tree/neighbours.ts';
import type { SampleQuery } from '#core/analyze/time/nearest-sample.ts';
import type { PatternRunner } from '#core/analyze/transforms/resolve-transforms.ts';
import { functionNames, searchWeight } from '#core/analyze/search.ts';
import { sumOfFunctions, sumOfNodes } from '#core/analyze/tables/selection-sums.ts';
import { sourceLines, type SourceLines } from '#core/analyze/tables/source-lines.ts';
import type { CallTree, FunctionStats } from '#core/analyze/view/stack-view.ts';
import { timeGaps } from '#core/analyze/time/gaps.ts';
import type { TimeRange } from '#core/analyze/time/grid.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import { FunctionKind, type Profile } from '#core/model/profile.ts';
import { treeSource } from '#core/analyze/graph/tree-source.ts';
import type { SourceLineRows } from '#core/analyze/tables/source-line-rows.ts';
import { auditView } from './audit.ts';
import { madeFunctions } from './describe-profile.ts';
import { createGraphSources, type GraphSources, type GraphSubject } from './graph-sources.ts';
import type { PatternSearch } from '../pattern-search.ts';
import { wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import type { ParamsOf } from '../methods.ts';
import type { ReportSubject } from './report/make-report.ts';
import type { ReportChoice, ReportPreview } from './report/report-protocol.ts';
import { RequestFailure } from '../request-failure.ts';
import { exportSeen, previewOf, type ExportedFile, type ExportParams } from './seen-requests.ts';
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
  ProfileMethods,
  ProfileSource,
} from './protocol.ts';
import type { PinnedAnalysis } from './pinned.ts';
import type { ShownSubject } from './report/shown-graph.ts';
import type { PinnedSide } from './pinned-protocol.ts';
import { createTables, type Tables, type TableSubject } from './tables.ts';
import { createTimeViews, type TimeSubject, type TimeViews } from './time-views.ts';
import { createLook, viewKey, treeOf, type Viewed } from './viewed.ts';

/** Runs the user's patterns. */
export interface SessionPatterns {
  readonly ofTransforms: PatternRunner;
  /** A separate runner for previews and exports, so that they do not wait for an analysis. */
  readonly ofPreviews: PatternRunner;
  /** Creates a search; each view has its own. */
  readonly newSearch: () => PatternSearch;
}

/** The most recent analysis of one view. */
interface ProfileAnalysis extends Analysed, TableSubject, GraphSubject, TimeSubject {
  readonly revision: number;
  readonly viewed: Viewed;
  /** Null unless a live profile has a baseline. */
  readonly compared: PinnedAnalysis | null;
}

/** A profile and its analyses, one per view. */
export interface ProfileSession extends AnalysisSession<ProfileSource> {
  readonly profile: Profile;
  at(revision: number): ProfileAnalysis;
  /** Returns whether {@link at} finds the revision. */
  holds(revision: number): boolean;
  closeView(view: number): void;
  neighbours(revision: number, func: FunctionIndex): NeighbourRows;
  leafWeights(revision: number, func: FunctionIndex | null): LeafRows;
  summary(revision: number, rules: readonly KindRule[]): Promise<Summary>;
  goroutines(revision: number): Promise<readonly GoroutineGroup[]>;
  labels(revision: number): readonly LabelBreakdown[];
  sourceLines(revision: number, func: FunctionIndex): SourceLineRows;
  readonly graphs: GraphSources;
  readonly tables: Tables;
  readonly times: TimeViews;
  /** Returns the place of the moment's leaf in the revision's tree; null if there is none. */
  placeAt(revision: number, moment: SampleQuery): FoundPlace | null;
  gaps(): readonly TimeRange[];
  exported(params: ExportParams): Promise<ExportedFile>;
  reportPreview(params: ParamsOf<ProfileMethods, 'report-preview'>): Promise<ReportPreview>;
  reportFile(params: ParamsOf<ProfileMethods, 'report-file'>): Promise<Blob>;
  /** Keeps another capture for reports and returns its number. */
  hold(profile: Profile): number;
}

/** Additional inputs for analysing a snapshot of a live profile. */
export interface Growth {
  /** The baseline with which every analysis is compared. */
  readonly pinned: PinnedSide | null;
}

/** Number of callers and callees listed, heaviest first. */
const MAX_NEIGHBOURS = 200;

/** What the views of a live profile keep from one snapshot to the next. */
interface KeptViews {
  readonly searches: Map<number, Pick<ProfileAnalysis, 'search' | 'filter'>>;
  readonly tables: Tables;
}

export const createKeptViews = (): KeptViews => ({ searches: new Map(), tables: createTables() });

/**
 * Creates a session. A newer snapshot's session takes over `kept`; `growth` is given for snapshots of a live profile.
 * `rest` runs between the steps of an analysis, so that other requests, such as a withdrawal, are answered.
 */
export function createProfileSession(
  recorded: Profile,
  patterns: SessionPatterns,
  rest: () => Promise<void> = () => Promise.resolve(),
  { searches, tables }: KeptViews = createKeptViews(),
  growth: Growth | null = null,
): ProfileSession {
  const pinned = growth?.pinned ?? null;
  const views = new Map<number, ProfileAnalysis>();
  /** Views by the revision in progress. */
  const running = new Map<number, number>();
  const names = functionNames(recorded);
  const look = createLook(recorded, names, patterns.ofTransforms);
  const lookAtPinned =
    pinned === null ? null : createLook(pinned.profile, functionNames(pinned.profile), patterns.ofTransforms);
  const hasSource = recorded.frames.line !== null || recorded.functions.file.some((file) => file !== 0);
  const times = createTimeViews(recorded);
  const graphs = createGraphSources();
  const held: Profile[] = [];

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
    const known = before?.viewed.key === viewKey(params) ? before.viewed : null;
    const viewed = known ?? (await look(params, () => step(revision)));
    const { view, profile, resolved, transforms, selection } = viewed;
    const tree = treeOf(viewed, params.tree);
    await step(revision);
    const compared = await comparedWithPinned(params, viewed, tree);
    const plain = treeSource(view.profile, tree);
    const source = compared === null ? plain : compared.withDeltas(plain);
    const own = searches.get(id) ?? { search: patterns.newSearch(), filter: patterns.newSearch() };
    searches.set(id, own);
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
      compared,
      ...own,
    };
    views.set(id, current);
    tables.follow(current);
    const withoutRange = selection.timeRange === null ? null : times.withoutRange(current);
    const trends = growth === null ? null : await trendsOf(current);
    return { ...describeAnalysis(recorded, params, current, withoutRange), trends };
  }

  /** Returns an analysis for a picture of its graph. */
  function onScreen(revision: number): ShownSubject {
    const analysis = at(revision);
    return { sources: graphs, analysis, baseline: analysis.compared };
  }

  async function trendsOf({ profile, view, viewed, resolved, compared }: ProfileAnalysis): Promise<Int8Array | null> {
    const { functionTrends } = await import('#core/analyze/time/trend.ts');
    return functionTrends(profile, view, resolved, compared?.functions ?? viewed.stats);
  }

  /** Compares with the same analysis of the baseline over its whole time. */
  async function comparedWithPinned(
    { revision, selection, transforms, tree: choice }: AnalyzeParams,
    viewed: Viewed,
    tree: CallTree,
  ): Promise<PinnedAnalysis | null> {
    if (pinned === null || lookAtPinned === null) return null;
    const question = { selection: { ...selection, timeRange: null }, transforms, tree: choice };
    const base = await lookAtPinned(question, () => step(revision));
    const { comparePinned } = await import('./pinned.ts');
    return comparePinned(pinned, { viewed, tree }, { viewed: base, tree: treeOf(base, choice) });
  }

  return {
    profile: recorded,
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
    holds: (revision) => [...views.values()].some((current) => current.revision === revision),
    source: (revision, tree) => graphs.source(at(revision), tree),
    audit(revision) {
      const { viewed, tree } = at(revision);
      return auditView(recorded, viewed.view, viewed.stats, tree);
    },
    matches(revision, flags) {
      const { functionCount, weight } = searchWeight(at(revision).view, flags);
      return { flags, functions: functionCount, weight };
    },
    sums({ revision, of, rows }) {
      const { view, tree } = at(revision);
      return of === 'functions' ? sumOfFunctions(view, rows) : sumOfNodes(tree, rows);
    },
    preview: (params) => previewOf(recorded, params, patterns.ofPreviews),
    timeStrip: ({ revision, window, buckets }) => times.strip(at(revision), window, times.buckets(window, buckets)),
    closeView(view) {
      for (const [revision, of] of running) if (of === view) running.delete(revision);
      views.delete(view);
      searches.delete(view);
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
    async summary(revision, rules) {
      const { profile, view, viewed, resolved, names: viewNames } = at(revision);
      const { selection } = view;
      const summarised = { profile, selection, resolved, view, stats: viewed.stats, names: viewNames };
      const { summarise } = await import('#core/analyze/summary/summary.ts');
      return summarise(summarised, rules, patterns.ofPreviews);
    },
    async goroutines(revision) {
      const { profile, view, resolved } = at(revision);
      const { goroutineGroups } = await import('#core/analyze/tables/goroutines.ts');
      return goroutineGroups(profile, view.selection, resolved);
    },
    labels(revision) {
      const { profile, view, resolved } = at(revision);
      return labelBreakdown(profile, view.selection, resolved);
    },
    sourceLines(revision, func) {
      const { profile, view, viewed, resolved } = at(revision);
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
    gaps: () => timeGaps(recorded),
    exported: (params) => exportSeen(recorded, params, patterns.ofPreviews),
    async reportPreview({ choice, ...seen }) {
      const { previewReport } = await import('./report/make-report.ts');
      return previewReport(reportSubject(recorded, seen, held, choice), choice, patterns.ofPreviews);
    },
    async reportFile({ selection, transforms, ...choice }) {
      const { reportFile } = await import('./report/make-report.ts');
      return reportFile(
        reportSubject(recorded, { selection, transforms }, held, choice.choice),
        choice,
        patterns.ofPreviews,
        choice.shown === null ? null : onScreen(choice.shown.revision),
      );
    },
    hold: (profile) => held.push(profile) - 1,
  };
}

/** Returns the tab's own capture as it is shown, and all captures that were added to the report. */
const reportSubject = (
  recorded: Profile,
  seen: Pick<AnalyzeParams, 'selection' | 'transforms'>,
  held: readonly Profile[],
  { captures }: ReportChoice,
): ReportSubject => ({
  captures: captures.map(({ held: place }) => {
    if (place === null) return { profile: recorded, ...seen, resolved: null, quality: null };
    const profile = held[place]!;
    return { profile, selection: wholeProfile(profile), transforms: [], resolved: null, quality: null };
  }),
  comparison: null,
});

function effectiveSamples({ profile, selection, sampleCount, weightSpread }: ProfileAnalysis['view']): number | null {
  return weightSpread === null || !isSampled(profile, selection.valueType) ? null : sampleCount / weightSpread;
}

function describeAnalysis(
  recorded: Profile,
  params: AnalyzeParams,
  current: ProfileAnalysis,
  withoutRange: Analysis['withoutRange'],
): Omit<AnalysisAnswer, 'trends'> {
  const { profile, view, viewed, resolved, tree, source, compared } = current;
  const { stats } = viewed;
  return {
    revision: params.revision,
    tree: params.tree,
    made: madeFunctions(recorded, view.profile),
    total: view.total,
    absolute: absoluteTotal(view),
    hidden: view.hidden,
    hiddenBy: view.hiddenBy,
    found: resolved.found,
    withoutStack: view.withoutStack,
    unresolved: unresolvedWeight(view.profile, stats),
    sampleCount: view.sampleCount,
    effectiveSamples: effectiveSamples(view),
    otherTypes: view.sampleCount === 0 ? otherTypesWithWeight(profile, view.selection, resolved) : [],
    withoutRange,
    rows: compared?.functions ?? { func: stats.func.slice(), self: stats.self.slice(), total: stats.total.slice() },
    pinned: compared?.rows ?? null,
    treeLength: tree.length,
    maxDepth: source.maxDepth,
    withoutTime: view.withoutTime,
    ...findPlaces(current, params),
  };
}

/** Returns the weight of stacks whose leaf has no symbol. */
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

/** Converts source lines for the window, with file names instead of the whole string table. */
export function toLineRows(lines: SourceLines, strings: readonly string[]): SourceLineRows {
  const rows = [...new Set(lines.file)];
  const place = new Map(rows.map((string, index) => [string, index]));
  return {
    length: lines.length,
    files: rows.map((string) => strings[string]!),
    file: lines.file.map((string) => place.get(string)!),
    func: lines.func,
    line: lines.line,
    self: lines.self,
    total: lines.total,
  };
}

/** Returns the rows for a profile without files and lines, without searching it. */
function withoutLines({ func, self, total }: FunctionStats, asked: FunctionIndex): SourceLineRows {
  const row = func.indexOf(asked);
  const length = row < 0 ? 0 : 1;
  return {
    length,
    files: length === 0 ? [] : [''],
    file: new Int32Array(length),
    func: new Int32Array(length).fill(asked),
    line: new Int32Array(length),
    self: self.slice(row, row + length),
    total: total.slice(row, row + length),
  };
}
