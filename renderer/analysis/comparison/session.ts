import { resolveTransforms } from '#core/analyze/transforms/resolve-transforms.ts';
import { functionNames } from '#core/analyze/search.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import type { ResolvedTransforms } from '#core/analyze/transforms/transforms.ts';
import { commonValueType } from '#core/compare/measure/common-value-type.ts';
import { compareFunctions } from '#core/compare/compare-functions.ts';
import { buildDeltaTree } from '#core/compare/delta-tree.ts';
import { judgePaths, MOST_TESTED_PATHS } from '#core/compare/statistics/judge-paths.ts';
import type { UserRule } from '#core/compare/match/match-rules.ts';
import type { ComparedCapture } from '#core/compare/measure/measure-capture.ts';
import type { CompareStep } from '#core/compare/progress.ts';
import { captureFacts, type CaptureFactsFound, type FactsDocument } from '#core/compare/measure/read-facts.ts';
import type { Profile } from '#core/model/profile.ts';
import { describeComparison, type FoundComparison } from './answer.ts';
import { auditComparison } from './audit.ts';
import type { ComparisonSource, CompareParams } from './methods.ts';
import type { ValueTypeName } from '#core/compare/measure/common-value-type.ts';
import type { Compared, OpenedCapture, RulePreview, SideName } from './protocol.ts';
import { matchesIn, previewBoth, previewUserRule, selectedDelta } from './requests.ts';
import { compareSource, compareTrees } from './slices.ts';
import { describeProfile } from '../profile/describe-profile.ts';
import type { SessionPatterns } from '../profile/session.ts';
import { RequestFailure } from '../request-failure.ts';
import type { Analysed, AnalysisSession } from '../session.ts';
import { sideSelection } from './side-selections.ts';
import { sideStrip } from './side-times.ts';
import { createTimeViews, type TimeViews } from '../profile/time-views.ts';

/** All captures of a comparison, and the newest comparison of them. */
export interface CompareSession extends AnalysisSession<ComparisonSource> {
  add(profile: Profile, document: FactsDocument | null, name: string): OpenedCapture;
  profile(capture: number): Profile;
  forget(capture: number): void;
  at(revision: number): CurrentComparison;
  previewRule(revision: number, rule: UserRule): Promise<RulePreview>;
}

interface Held {
  readonly profile: Profile;
  readonly found: CaptureFactsFound;
  readonly names: readonly string[];
  readonly times: TimeViews;
  /** Of the transforms asked for last. */
  resolved: { readonly key: string; readonly transforms: ResolvedTransforms } | null;
}

/** The newest comparison. */
export interface CurrentComparison extends FoundComparison, Analysed {
  readonly captures: Readonly<Record<SideName, readonly ComparedHeld[]>>;
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
  let current: CurrentComparison | null = null;

  function at(revision: number): CurrentComparison {
    if (current?.params.revision === revision) return current;
    throw new RequestFailure('stale', 'the comparison has changed');
  }

  function tellStep(next: CompareStep, done: number): void {
    const { from, share } = STEPS[next];
    tell(next, from + share * done);
  }

  async function step(revision: number, next: CompareStep, done: number): Promise<void> {
    tellStep(next, done);
    await rest();
    if (!running.has(revision)) throw new RequestFailure('withdrawn', 'the comparison was closed');
  }

  function held(capture: number): Held {
    const found = captures.get(capture);
    if (found === undefined) throw new RequestFailure('stale', 'a capture is no longer open');
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
    const trees = compareTrees(comparison, tree, paths);
    current = {
      params,
      comparison,
      trees,
      paths,
      found: foundBy([...sides.before, ...sides.after]),
      captures: sides,
      table,
      tree: trees.width('union').tree,
      steps: [],
      names: functionNames(table),
      search,
      filter,
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
    async analyze(params) {
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
    at,
    source: (revision, tree) => compareSource(at(revision).trees, tree),
    audit: (revision) => auditComparison(at(revision)),
    matches: (revision, flags) => matchesIn(at(revision).trees.tree, flags),
    sums: ({ revision, functions }) => selectedDelta(at(revision), functions),
    preview: ({ revision, ...asked }) => previewBoth(at(revision).captures, asked, patterns.ofPreviews),
    previewRule: (revision, rule) => previewUserRule(at(revision), rule, patterns.ofPreviews),
    timeStrip({ revision, side, window, buckets }) {
      const { captures: compared, comparison, params } = at(revision);
      const transformsKey = JSON.stringify(params.transforms);
      const timed = compared[side].map(({ held: { times }, selection, transforms }, place) => {
        const { scale } = comparison[side].factors[place]!;
        return { times, selection, resolved: transforms, transformsKey, scale };
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
