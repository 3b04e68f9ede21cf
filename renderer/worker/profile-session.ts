import { buildCallTree } from '#core/analyze/call-tree.ts';
import type { NamedFunctions } from '#core/analyze/function-ref.ts';
import { functionStats } from '#core/analyze/function-stats.ts';
import { callersAndCallees } from '#core/analyze/neighbours.ts';
import type { NeighbourList } from '#core/analyze/neighbours.ts';
import { resolveTransforms } from '#core/analyze/resolve-transforms.ts';
import type { PatternRunner } from '#core/analyze/resolve-transforms.ts';
import { functionNames, searchWeight } from '#core/analyze/search.ts';
import type { CallTree, FunctionStats, StackView } from '#core/analyze/stack-view.ts';
import { timeHistogram } from '#core/analyze/time-histogram.ts';
import type { ResolvedTransforms } from '#core/analyze/transforms.ts';
import { viewStacks } from '#core/analyze/view-stacks.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import { FunctionKind } from '#core/model/profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { treeSource } from '../flame/tree-source.ts';
import type { FlameSource } from '../flame/flame-graph.types.ts';
import type { PatternSearch } from './pattern-search.ts';
import { RequestFailure } from './request-failure.ts';
import type {
  AnalyzeParams,
  Analysis,
  FunctionNames,
  Histogram,
  NeighbourRow,
  OpenedProfile,
  SearchMatches,
  TreeChoice,
  WorkerParams,
} from './protocol.ts';

/** Where the user's patterns run. */
export interface SessionPatterns {
  readonly ofTransforms: PatternRunner;
  /** One per view. */
  readonly newSearch: () => PatternSearch;
}

/** One profile and the analyses that the window looks at, one per view. The worker's entry adds messages, files and the regex worker. */
export interface ProfileSession {
  readonly profile: Profile;
  analyze(params: AnalyzeParams): Promise<Analysis>;
  closeView(view: number): void;
  /** The call tree of a view's newest analysis. */
  source(revision: number): FlameSource;
  search(revision: number, pattern: string): Promise<SearchMatches>;
  heaviest(revision: number, func: FunctionIndex): CallNodeIndex | null;
  neighbours(
    revision: number,
    func: FunctionIndex,
  ): { callers: readonly NeighbourRow[]; callees: readonly NeighbourRow[] };
  histogram(params: WorkerParams<'histogram'>): Histogram | null;
}

/** Callers and callees listed; the rest is summed into no row, since the window shows the heaviest. */
const MAX_NEIGHBOURS = 200;

/** What selection and transforms make; trees of it are made as they are asked for. */
interface Viewed {
  readonly key: string;
  readonly view: StackView;
  readonly stats: FunctionStats;
  readonly found: ResolvedTransforms['found'];
  readonly trees: Map<string, CallTree>;
  /** By function index, as patterns take them. */
  readonly names: readonly string[];
}

interface Current {
  readonly revision: number;
  readonly viewed: Viewed;
  readonly tree: CallTree;
  readonly source: FlameSource;
  readonly search: PatternSearch;
}

export function createProfileSession(profile: Profile, patterns: SessionPatterns): ProfileSession {
  const views = new Map<number, Current>();
  const names = functionNames(profile);

  function at(revision: number): Current {
    for (const current of views.values()) if (current.revision === revision) return current;
    throw new RequestFailure('stale', 'the view has changed since');
  }

  async function look(key: string, { selection, transforms }: AnalyzeParams): Promise<Viewed> {
    const resolved = await resolveTransforms(profile, transforms, patterns.ofTransforms, names);
    const view = viewStacks(profile, selection, resolved);
    return {
      key,
      view,
      stats: functionStats(view),
      found: resolved.found,
      trees: new Map(),
      names: view.profile === profile ? names : functionNames(view.profile),
    };
  }

  return {
    profile,
    async analyze(params) {
      const before = views.get(params.view);
      const key = JSON.stringify([params.selection, params.transforms]);
      const viewed = before?.viewed.key === key ? before.viewed : await look(key, params);
      const tree = treeOf(viewed, params.tree);
      const source = treeSource(viewed.view.profile, tree);
      const search = before?.search ?? patterns.newSearch();
      views.set(params.view, { revision: params.revision, viewed, tree, source, search });
      return describeAnalysis(params, profile, viewed, source, tree.length);
    },
    closeView(view) {
      views.delete(view);
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
      return { callers: neighbourRows(callers), callees: neighbourRows(callees) };
    },
    histogram({ valueType, threads, buckets }) {
      const drawn = timeHistogram(profile, { valueType, threads, timeRange: null }, buckets);
      return drawn === null ? null : { start: drawn.start, end: drawn.end, weights: drawn.weight };
    },
  };
}

function treeOf({ view, trees }: Viewed, choice: TreeChoice): CallTree {
  const key = JSON.stringify(choice);
  const tree = trees.get(key) ?? buildCallTree(view, choice.kind);
  trees.set(key, tree);
  return tree;
}

/** What the window keeps of a profile: names, threads, facts; no samples. */
export function describeProfile(profile: Profile): OpenedProfile {
  const { threads, samples } = profile;
  const perThread = new Float64Array(threads.length);
  for (const thread of samples.thread) perThread[thread]! += 1;
  return {
    metadata: profile.metadata,
    valueTypes: profile.valueTypes.map(({ type, unit }) => ({ type, unit })),
    threads: Array.from({ length: threads.length }, (_, row) => ({
      pid: threads.pid[row]!,
      tid: threads.tid[row]!,
      name: profile.strings[threads.name[row]!]!,
      samples: perThread[row]!,
    })),
    functions: describeFunctions(profile),
    diagnostics: profile.diagnostics,
    sampleCount: samples.length,
    hasTime: samples.time !== null,
  };
}

function describeFunctions({ strings, functions }: NamedFunctions): FunctionNames {
  const { length, name, module, file, line, kind } = functions;
  return { length, strings, name, module, file, line, kind };
}

function describeAnalysis(
  params: AnalyzeParams,
  profile: Profile,
  { view, stats, found }: Viewed,
  source: FlameSource,
  treeLength: number,
): Analysis {
  return {
    revision: params.revision,
    tree: params.tree,
    functions: view.profile === profile ? null : describeFunctions(view.profile),
    total: view.total,
    hidden: view.hidden,
    hiddenBy: view.hiddenBy,
    found,
    withoutStack: view.withoutStack,
    unresolved: unresolvedWeight(view.profile, stats),
    sampleCount: view.sampleCount,
    rows: { func: stats.func.slice(), self: stats.self.slice(), total: stats.total.slice() },
    treeLength,
    maxDepth: source.maxDepth,
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

function heaviestRow(tree: CallTree, func: number): CallNodeIndex | null {
  let heaviest = -1;
  for (let row = 1; row < tree.length; row++) {
    if (tree.func[row] === func && (heaviest < 0 || tree.total[row]! > tree.total[heaviest]!)) heaviest = row;
  }
  return heaviest < 0 ? null : (heaviest as CallNodeIndex);
}

function neighbourRows(list: NeighbourList): NeighbourRow[] {
  return Array.from({ length: Math.min(list.length, MAX_NEIGHBOURS) }, (_, row) => ({
    func: list.func[row]! as FunctionIndex | -1,
    weight: list.weight[row]!,
  }));
}
