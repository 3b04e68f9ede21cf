import { buildCallTree } from '#core/analyze/call-tree.ts';
import { functionStats } from '#core/analyze/function-stats.ts';
import { callersAndCallees } from '#core/analyze/neighbours.ts';
import type { NeighbourList } from '#core/analyze/neighbours.ts';
import { searchWeight } from '#core/analyze/search.ts';
import type { CallTree, FunctionStats, StackView } from '#core/analyze/stack-view.ts';
import { timeHistogram } from '#core/analyze/time-histogram.ts';
import { viewStacks } from '#core/analyze/view-stacks.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import { FunctionKind } from '#core/model/profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { treeSource } from '../flame/tree-source.ts';
import type { FlameSource } from '../flame/flame-graph.types.ts';
import { RequestFailure } from './request-failure.ts';
import type {
  AnalyzeParams,
  Analysis,
  Direction,
  Histogram,
  NeighbourRow,
  OpenedProfile,
  SearchMatches,
  WorkerParams,
} from './protocol.ts';

/** One profile and the analysis that the window looks at. Pure: the worker's entry adds messages, files and the regex worker. */
export interface ProfileSession {
  readonly profile: Profile;
  analyze(params: AnalyzeParams): Analysis;
  /** The call tree of the newest analysis. */
  source(revision: number): FlameSource;
  weigh(revision: number, matched: Uint8Array): SearchMatches;
  heaviest(revision: number, func: FunctionIndex): CallNodeIndex | null;
  neighbours(
    revision: number,
    func: FunctionIndex,
  ): { callers: readonly NeighbourRow[]; callees: readonly NeighbourRow[] };
  histogram(params: WorkerParams<'histogram'>): Histogram | null;
}

/** Callers and callees listed; the rest is summed into no row, since the window shows the heaviest. */
const MAX_NEIGHBOURS = 200;

interface Current {
  readonly key: string;
  readonly view: StackView;
  readonly stats: FunctionStats;
  readonly trees: Map<Direction, CallTree>;
}

export function createProfileSession(profile: Profile): ProfileSession {
  let current: Current | null = null;
  let revision = -1;
  let tree: CallTree | null = null;
  let source: FlameSource | null = null;

  function at(asked: number): { current: Current; tree: CallTree; source: FlameSource } {
    if (current === null || tree === null || source === null || asked !== revision) {
      throw new RequestFailure('stale', 'the view has changed since');
    }
    return { current, tree, source };
  }

  return {
    profile,
    analyze(params) {
      const key = JSON.stringify([params.selection, params.transforms]);
      if (current === null || current.key !== key) {
        const view = viewStacks(profile, params.selection, params.transforms);
        current = { key, view, stats: functionStats(view), trees: new Map() };
      }
      tree = current.trees.get(params.direction) ?? buildCallTree(current.view, params.direction);
      current.trees.set(params.direction, tree);
      source = treeSource(current.view.profile, tree);
      revision = params.revision;
      return describeAnalysis(params, current, source, tree.length);
    },
    source: (asked) => at(asked).source,
    weigh(asked, matched) {
      const { functionCount, weight } = searchWeight(at(asked).current.view, matched);
      return { flags: matched, functions: functionCount, weight };
    },
    heaviest: (asked, func) => heaviestRow(at(asked).tree, func),
    neighbours(asked, func) {
      const { callers, callees } = callersAndCallees(at(asked).current.view, func);
      return { callers: neighbourRows(callers), callees: neighbourRows(callees) };
    },
    histogram({ valueType, threads, buckets }) {
      const drawn = timeHistogram(profile, { valueType, threads, timeRange: null }, buckets);
      return drawn === null ? null : { start: drawn.start, end: drawn.end, weights: drawn.weight };
    },
  };
}

/** What the window keeps of a profile: names, threads, facts; no samples. */
export function describeProfile(profile: Profile): OpenedProfile {
  const { functions, threads, samples } = profile;
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
    functions: {
      length: functions.length,
      strings: profile.strings,
      name: functions.name,
      module: functions.module,
      file: functions.file,
      line: functions.line,
      kind: functions.kind,
    },
    diagnostics: profile.diagnostics,
    sampleCount: samples.length,
    hasTime: samples.time !== null,
  };
}

function describeAnalysis(
  params: AnalyzeParams,
  { view, stats }: Current,
  source: FlameSource,
  treeLength: number,
): Analysis {
  return {
    revision: params.revision,
    direction: params.direction,
    total: view.total,
    hidden: view.hidden,
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
