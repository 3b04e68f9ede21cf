import { resolveTransforms } from '#core/analyze/resolve-transforms.ts';
import { functionNames } from '#core/analyze/search.ts';
import type { NamedTransform } from '#core/analyze/named-transform.ts';
import type { ResolvedTransforms } from '#core/analyze/transforms.ts';
import type { Advice } from '#core/compare/advise-runs.ts';
import { compareFunctions } from '#core/compare/compare-functions.ts';
import { buildDeltaTree, type DeltaTree } from '#core/compare/delta-tree.ts';
import { describePath, judgePaths, MOST_TESTED_PATHS } from '#core/compare/judge-paths.ts';
import type { ComparedCapture } from '#core/compare/measure-capture.ts';
import type { UserRule } from '#core/compare/match-rules.ts';
import type { CompareStep } from '#core/compare/progress.ts';
import { captureFacts, type CaptureFactsFound, type FactsDocument } from '#core/compare/read-facts.ts';
import { selectionDelta, type SelectionDelta } from '#core/compare/selection-delta.ts';
import { topMovers, type TopMovers } from '#core/compare/top-movers.ts';
import type { TimeRange } from '#core/analyze/time-grid.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import type { TimeStrip } from '../time/time.types.ts';
import { describeComparison, type FoundComparison } from './compare-answer.ts';
import { auditComparison } from './compare-audit.ts';
import type {
  Compared,
  CompareAudit,
  CompareMatches,
  CompareParams,
  OpenedCapture,
  PathDetail,
  RulePreview,
  SideName,
  ValueTypeName,
} from './compare-protocol.ts';
import { compareTrees, pathStarts, type CompareTrees } from './compare-slices.ts';
import { describeProfile } from './describe-profile.ts';
import type { PatternSearch } from './pattern-search.ts';
import type { SessionPatterns } from './profile-session.ts';
import { RequestFailure } from './request-failure.ts';
import { previewRule } from './rule-preview.ts';
import { commonValueType, sideSelection } from './side-selections.ts';
import { sideStrip } from './side-times.ts';
import type { FunctionText } from './table-protocol.ts';
import { textRanks } from './text-ranks.ts';
import { createTimeViews, type TimeViews } from './time-views.ts';
import { heaviestRow } from './tree-places.ts';

/** All captures of a comparison, and the newest comparison of them. The worker's entry adds messages, files and the regex worker. */
export interface CompareSession {
  add(profile: Profile, document: FactsDocument | null, name: string): OpenedCapture;
  profile(capture: number): Profile;
  forget(capture: number): void;
  compare(params: CompareParams): Promise<Compared>;
  /** Ends a comparison that still runs, at its next step. */
  withdraw(revision: number): void;
  audit(revision: number): CompareAudit;
  /** What a revision's graphs are drawn from. */
  trees(revision: number): CompareTrees;
  describePath(revision: number, node: CallNodeIndex): PathDetail;
  search(revision: number, pattern: string): Promise<CompareMatches>;
  /** The table's own search. */
  filter(revision: number, pattern: string): Promise<Uint8Array>;
  ranks(revision: number, by: FunctionText): Int32Array;
  sums(revision: number, functions: Int32Array): SelectionDelta;
  previewRule(revision: number, rule: UserRule): Promise<RulePreview>;
  heaviest(revision: number, func: FunctionIndex): CallNodeIndex | null;
  movers(revision: number, most: number): TopMovers;
  advice(revision: number, func: FunctionIndex): Advice | null;
  timeStrip(revision: number, side: SideName, window: TimeRange | null, buckets: number): TimeStrip | null;
}

interface Held {
  readonly profile: Profile;
  readonly found: CaptureFactsFound;
  readonly names: readonly string[];
  readonly times: TimeViews;
  /** Of the transforms asked for last. */
  resolved: { readonly key: string; readonly transforms: ResolvedTransforms } | null;
}

interface Current extends FoundComparison {
  readonly captures: Readonly<Record<SideName, readonly ComparedHeld[]>>;
  readonly names: readonly string[];
  readonly search: PatternSearch;
}

interface ComparedHeld extends ComparedCapture {
  readonly transforms: ResolvedTransforms;
  readonly held: Held;
}

/** Where each step begins, and its part of a comparison of large captures, measured. */
const STEPS: Readonly<Record<CompareStep, { readonly from: number; readonly share: number }>> = {
  measure: { from: 0, share: 0.3 },
  match: { from: 0.3, share: 0.05 },
  test: { from: 0.35, share: 0.25 },
  tree: { from: 0.6, share: 0.3 },
  paths: { from: 0.9, share: 0.1 },
};

/**
 * `rest` lets other requests be answered between the steps of a comparison, among them that it be withdrawn; `tell`: what it is at, and how
 * much of it is done (0 to 1).
 */
export function createCompareSession(
  patterns: SessionPatterns,
  tell: (step: CompareStep, done: number) => void = () => undefined,
  rest: () => Promise<void> = () => Promise.resolve(),
): CompareSession {
  const captures = new Map<number, Held>();
  /** Revisions that are being made. */
  const running = new Set<number>();
  const search = patterns.newSearch();
  const filter = patterns.newSearch();
  let lastCapture = 0;
  let current: Current | null = null;

  function at(revision: number): Current {
    if (current?.params.revision === revision) return current;
    throw new RequestFailure('stale', 'the comparison has changed since');
  }

  function tellStep(next: CompareStep, done: number): void {
    const { from, share } = STEPS[next];
    tell(next, from + share * done);
  }

  async function step(revision: number, next: CompareStep, done: number): Promise<void> {
    tellStep(next, done);
    await rest();
    if (!running.has(revision)) throw new RequestFailure('withdrawn', 'the comparison was ended');
  }

  function held(capture: number): Held {
    const found = captures.get(capture);
    if (found === undefined) throw new RequestFailure('stale', 'a capture is not open any more');
    return found;
  }

  async function resolved(capture: Held, transforms: readonly NamedTransform[]): Promise<ResolvedTransforms> {
    const key = JSON.stringify(transforms);
    if (capture.resolved?.key !== key) {
      const { profile, names } = capture;
      capture.resolved = {
        key,
        transforms: await resolveTransforms(profile, transforms, patterns.ofTransforms, names),
      };
    }
    return capture.resolved.transforms;
  }

  async function sideOf(side: SideName, params: CompareParams, valueType: ValueTypeName): Promise<ComparedHeld[]> {
    const chosen: ComparedHeld[] = [];
    for (const { capture, requests } of params[side].captures) {
      const own = held(capture);
      chosen.push({
        profile: own.profile,
        selection: sideSelection(own.profile, params[side], valueType),
        transforms: await resolved(own, params.transforms),
        facts: { ...own.found.facts, requests },
        held: own,
      });
    }
    return chosen;
  }

  async function compare(params: CompareParams): Promise<Compared> {
    const { revision } = params;
    const types = commonValueType(
      held(params.before.captures[0]!.capture).profile,
      params.before.valueType,
      params.after.valueType,
    );
    const sides = {
      before: await sideOf('before', params, types.before),
      after: await sideOf('after', params, types.after),
    };
    const { normalisation, rules } = params;
    const onStep = (next: CompareStep, done: number): Promise<void> => step(revision, next, done);
    const options = { normalisation, rules, patterns: patterns.ofTransforms, onStep };
    const comparison = await compareFunctions(sides.before, sides.after, options);
    await onStep('tree', 0);
    const tree = buildDeltaTree(comparison, tellStep);
    await onStep('paths', 0);
    const paths = judgePaths(comparison, tree, MOST_TESTED_PATHS, tellStep);
    await onStep('paths', 1);
    const { table } = comparison.matched;
    const trees = compareTrees(table, tree, paths);
    current = {
      params,
      comparison,
      trees,
      paths,
      found: foundBy([...sides.before, ...sides.after]),
      captures: sides,
      names: functionNames(table),
      search,
    };
    return describeComparison(current);
  }

  return {
    add(profile, document, name) {
      lastCapture += 1;
      const found = captureFacts(document, profile, name);
      const names = functionNames(profile);
      captures.set(lastCapture, { profile, found, names, times: createTimeViews(profile), resolved: null });
      const { functions: _theirs, ...described } = describeProfile(profile);
      return { ...described, ...found, capture: lastCapture };
    },
    profile: (capture) => held(capture).profile,
    forget(capture) {
      captures.delete(capture);
    },
    async compare(params) {
      running.add(params.revision);
      try {
        return await compare(params);
      } finally {
        running.delete(params.revision);
      }
    },
    withdraw(revision) {
      running.delete(revision);
    },
    audit(revision) {
      const { comparison, trees } = at(revision);
      return auditComparison(comparison, trees.tree);
    },
    trees: (revision) => at(revision).trees,
    describePath: (revision, node) => pathDetail(at(revision), node),
    async search(revision, pattern) {
      const { names, trees } = at(revision);
      return matchesIn(trees.tree, await search(names, pattern));
    },
    filter: (revision, pattern) => filter(at(revision).names, pattern),
    ranks: (revision, by) => textRanks(at(revision).comparison.matched.table, by),
    sums(revision, functions) {
      const { comparison, trees } = at(revision);
      return selectionDelta(trees.tree, functions, comparison.matched.table.functions.length);
    },
    async previewRule(revision, { replacement, ...pattern }) {
      const { comparison, names } = at(revision);
      return previewRule(comparison.matched.table, await patterns.ofTransforms.rename(names, pattern, replacement));
    },
    heaviest: (revision, func) => heaviestRow(at(revision).trees.width('union').tree, func),
    movers(revision, most) {
      const { comparison, trees } = at(revision);
      return topMovers(comparison, trees.tree, most);
    },
    advice: (revision, func) => at(revision).comparison.advice(func),
    timeStrip(revision, side, window, buckets) {
      const { captures: compared, comparison, params } = at(revision);
      const transformsKey = JSON.stringify(params.transforms);
      const timed = compared[side].map(({ held: { times }, selection, transforms }, place) => {
        const { scale } = comparison[side].factors[place]!;
        return { times, selection, transforms, transformsKey, scale };
      });
      return sideStrip(timed, window, buckets);
    },
  };
}

/** By transform: what it found in all captures; null where it is switched off. */
function foundBy(captures: readonly ComparedHeld[]): (number | null)[] {
  const [first, ...others] = captures.map(({ transforms }) => transforms.found);
  return (first ?? []).map((found, place) =>
    found === null ? null : others.reduce((sum, other) => sum + (other[place] ?? 0), found),
  );
}

function pathDetail({ comparison, trees, paths }: Current, node: CallNodeIndex): PathDetail {
  const { tree } = trees;
  const place = paths.tested.indexOf(node);
  const tested = node === 0 ? comparison.whole : (paths.judgements[place] ?? null);
  return {
    node,
    depth: tree.depth[node]!,
    starts: pathStarts(trees, node),
    judgement: node === 0 ? comparison.whole : describePath(comparison, tree, node),
    tested,
    selfBefore: tree.before.self[node]!,
    selfAfter: tree.after.self[node]!,
  };
}

/** Weights of both sides under the outermost matches of each stack. */
function matchesIn({ length, func, end, before, after }: DeltaTree, flags: Uint8Array): CompareMatches {
  const weights = { before: 0, after: 0 };
  for (let row = 1; row < length;) {
    const isMatch = flags[func[row]!] === 1;
    if (isMatch) {
      weights.before += before.total[row]!;
      weights.after += after.total[row]!;
    }
    row = isMatch ? end[row]! : row + 1;
  }
  return { flags, functions: flags.reduce((count, flag) => count + flag, 0), ...weights };
}
