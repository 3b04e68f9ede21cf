import { absoluteTotal } from '#core/analyze/reading/absolute-total.ts';
import { otherTypesWithWeight } from '#core/analyze/other-value-types.ts';
import { functionNames } from '#core/analyze/search.ts';
import { treeSource } from '#core/analyze/graph/tree-source.ts';
import type { PatternRunner } from '#core/analyze/transforms/resolve-transforms.ts';
import type { CallTree, FunctionStats } from '#core/analyze/view/stack-view.ts';
import { FunctionKind, type Profile } from '#core/model/profile.ts';
import { isSampled } from '#core/model/share-error.ts';
import type { PatternSearch } from '../pattern-search.ts';
import { RequestFailure } from '../request-failure.ts';
import type { Analysed } from '../session.ts';
import { findPlaces } from '../tree-places.ts';
import { madeFunctions } from './describe-profile.ts';
import type { GraphSubject } from './graph-sources.ts';
import type { PinnedAnalysis } from './pinned.ts';
import type { PinnedSide } from './pinned-protocol.ts';
import type { AnalyzeParams, Analysis, AnalysisAnswer } from './protocol.ts';
import { createTables, type Tables, type TableSubject } from './tables.ts';
import type { TimeSubject, TimeViews } from './time-views.ts';
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
export interface ProfileAnalysis extends Analysed, TableSubject, GraphSubject, TimeSubject {
  readonly revision: number;
  readonly viewed: Viewed;
  /** Null unless a live profile has a baseline. */
  readonly compared: PinnedAnalysis | null;
}

/** Additional inputs for analysing a snapshot of a live profile. */
export interface Growth {
  /** The baseline with which every analysis is compared. */
  readonly pinned: PinnedSide | null;
}

/** What the views of a live profile keep from one snapshot to the next. */
export interface KeptViews {
  readonly searches: Map<number, Pick<ProfileAnalysis, 'search' | 'filter'>>;
  readonly tables: Tables;
}

export const createKeptViews = (): KeptViews => ({ searches: new Map(), tables: createTables() });

/** The newest analysis of each view, and those in progress. */
export interface ProfileAnalyses {
  analyze(params: AnalyzeParams): Promise<AnalysisAnswer>;
  /** Ends the analysis in progress of a revision. */
  withdraw(revision: number): void;
  /** Throws if no view shows the revision. */
  readonly at: (revision: number) => ProfileAnalysis;
  /** Returns whether {@link at} finds the revision. */
  holds(revision: number): boolean;
  closeView(view: number): void;
}

export function createAnalyses(
  recorded: Profile,
  patterns: SessionPatterns,
  times: TimeViews,
  rest: () => Promise<void>,
  { searches, tables }: KeptViews,
  growth: Growth | null,
): ProfileAnalyses {
  const pinned = growth?.pinned ?? null;
  const views = new Map<number, ProfileAnalysis>();
  /** Views by the revision in progress. */
  const running = new Map<number, number>();
  const look = createLook(recorded, functionNames(recorded), patterns.ofTransforms);
  const lookAtPinned =
    pinned === null ? null : createLook(pinned.profile, functionNames(pinned.profile), patterns.ofTransforms);

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
    at(revision) {
      for (const current of views.values()) if (current.revision === revision) return current;
      throw new RequestFailure('stale', 'the view has changed');
    },
    holds: (revision) => [...views.values()].some((current) => current.revision === revision),
    closeView(view) {
      for (const [revision, of] of running) if (of === view) running.delete(revision);
      views.delete(view);
      searches.delete(view);
      tables.close(view);
    },
  };
}

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
