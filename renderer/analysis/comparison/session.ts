import { transformProfile, type TransformedProfile } from '#core/analyze/transforms/transform-profile.ts';
import { functionNames } from '#core/analyze/search.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import type { ResolvedTransforms } from '#core/analyze/view/transforms.ts';
import { commonValueType, nearestValueType, type ValueTypeName } from '#core/compare/measure/common-value-type.ts';
import { compareFunctions } from '#core/compare/compare-functions.ts';
import { buildDeltaTree } from '#core/compare/delta-tree.ts';
import { judgePaths, MOST_TESTED_PATHS } from '#core/compare/judge-paths.ts';
import type { UserRule } from '#core/compare/match/match-rules.ts';
import type { SizeFactors } from '#core/compare/statistics/size-factors.ts';
import type { ComparedCapture } from '#core/compare/measure/measure-capture.ts';
import type { CompareStep } from '#core/compare/comparison.ts';
import { captureFacts, type CaptureFactsFound, type FactsDocument } from '#core/compare/measure/read-facts.ts';
import type { Profile } from '#core/model/profile.ts';
import { factorsOf } from '../../../core/report/facts-of.ts';
import { describeComparison, type FoundComparison } from './answer.ts';
import { auditComparison } from './audit.ts';
import type { ComparisonSource, CompareParams } from './methods.ts';
import type { Compared, OpenedCapture, RulePreview, SideChoice } from './protocol.ts';
import { matchesIn, previewBoth, previewUserRule, selectedDelta } from './requests.ts';
import { compareTreeRequests, compareTrees } from './slices.ts';
import { describeProfile } from '../profile/describe-profile.ts';
import type { SessionPatterns } from '../profile/analyses.ts';
import type { ReportSubject } from '../profile/report/make-report.ts';
import type { ReportChoice, ReportFileChoice, ReportPreview } from '../profile/report/report-protocol.ts';
import { RequestFailure } from '../request-failure.ts';
import type { Analysed, AnalysisSession } from '../session.ts';
import { createTimeViews, type TimeViews } from '../profile/time-views.ts';
import { threadsCalled } from '#core/analyze/view/called-threads.ts';
import type { Selection } from '#core/analyze/view/stack-view.ts';
import type { TimeRange } from '#core/analyze/time/grid.ts';
import type { TimeStrip } from '#core/analyze/time/strip.ts';
import type { Side } from '#core/contract/side.ts';

/** Holds all captures of a comparison and its most recent result. */
export interface CompareSession extends AnalysisSession<ComparisonSource> {
  add(profile: Profile, document: FactsDocument | null, name: string): OpenedCapture;
  profile(capture: number): Profile;
  forget(capture: number): void;
  at(revision: number): CurrentComparison;
  previewRule(revision: number, rule: UserRule): Promise<RulePreview>;
  reportPreview(revision: number, choice: ReportChoice): Promise<ReportPreview>;
  reportFile(revision: number, choice: ReportFileChoice): Promise<Blob>;
}

interface Held {
  readonly profile: Profile;
  readonly found: CaptureFactsFound;
  readonly names: readonly string[];
  readonly times: TimeViews;
  /** Cached result for the transforms that were requested last. */
  transformed: { readonly key: string; readonly as: TransformedProfile } | null;
}

/** The most recent comparison. */
interface CurrentComparison extends FoundComparison, Analysed {
  readonly captures: Readonly<Record<Side, readonly ComparedHeld[]>>;
}

interface ComparedHeld extends ComparedCapture {
  readonly transforms: ResolvedTransforms;
  readonly held: Held;
}

/**
 * Where each step starts and its share of the whole, measured on a comparison of large captures; both are fractions.
 */
const STEPS: Readonly<Record<CompareStep, { readonly from: number; readonly share: number }>> = {
  measure: { from: 0, share: 0.3 },
  match: { from: 0.3, share: 0.05 },
  test: { from: 0.35, share: 0.25 },
  tree: { from: 0.6, share: 0.3 },
  paths: { from: 0.9, share: 0.1 },
};

/**
 * Creates a session. `rest` runs between steps, so that other requests, such as a withdrawal, are answered. `tell`
 * receives the current step and the completed fraction, from 0 to 1.
 */
export function createCompareSession(
  patterns: SessionPatterns,
  tell: (step: CompareStep, done: number) => void = () => undefined,
  rest: () => Promise<void> = () => Promise.resolve(),
): CompareSession {
  const captures = new Map<number, Held>();
  /** Revisions in progress. */
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

  async function transformed(capture: Held, transforms: readonly NamedTransform[]): Promise<TransformedProfile> {
    const key = JSON.stringify(transforms);
    if (capture.transformed?.key !== key) {
      const { profile, names, transformed: before } = capture;
      const as = await transformProfile(profile, transforms, patterns.ofTransforms, names, before?.as ?? null);
      capture.transformed = { key, as };
    }
    return capture.transformed.as;
  }

  async function sideOf(side: Side, params: CompareParams, valueType: ValueTypeName): Promise<ComparedHeld[]> {
    const chosen: ComparedHeld[] = [];
    for (const { capture, requests } of params[side].captures) {
      const own = held(capture);
      const { profile, resolved } = await transformed(own, params.transforms);
      chosen.push({
        profile,
        selection: sideSelection(own.profile, params[side], valueType),
        transforms: resolved,
        facts: { ...own.found.facts, requests: requests ?? own.found.facts.requests },
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
    const { normalisation, rules, asMeasured = false } = params;
    const onStep = (next: CompareStep, done: number): Promise<void> => step(revision, next, done);
    const factors = statedFactors(params);
    const options = { normalisation, rules, factors, asMeasured, patterns: patterns.ofTransforms, onStep };
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
      captures.set(lastCapture, { profile, found, names, times: createTimeViews(profile), transformed: null });
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
    source: (revision, tree) => compareTreeRequests(at(revision).trees, tree),
    audit: (revision) => auditComparison(at(revision)),
    matches: (revision, flags) => matchesIn(at(revision).trees.tree, flags),
    sums: ({ revision, functions }) => selectedDelta(at(revision), functions),
    preview({ revision, ...asked }) {
      const recorded = (side: readonly ComparedHeld[]) =>
        side.map(({ selection, held: { profile } }) => ({ profile, selection }));
      const { before, after } = at(revision).captures;
      return previewBoth({ before: recorded(before), after: recorded(after) }, asked, patterns.ofPreviews);
    },
    previewRule: (revision, rule) => previewUserRule(at(revision), rule, patterns.ofPreviews),
    async reportPreview(revision, choice) {
      const { previewReport } = await import('../profile/report/make-report.ts');
      return previewReport(reportSubject(at(revision)), choice, patterns.ofPreviews);
    },
    async reportFile(revision, choice) {
      const { reportFile } = await import('../profile/report/make-report.ts');
      return reportFile(reportSubject(at(revision)), choice, patterns.ofPreviews);
    },
    timeStrip({ revision, side, window, buckets }) {
      const { captures: compared, comparison, params } = at(revision);
      const transformsKey = JSON.stringify(params.transforms);
      const timed = compared[side].map(({ held: { times }, profile, selection, transforms }, place) => {
        const { scale } = comparison[side].factors[place]!;
        return { times, profile, selection, resolved: transforms, transformsKey, scale };
      });
      return sideStrip(timed, window, buckets);
    },
  };
}

/** Returns how many matches each transform found in all captures, by transform; null if it is switched off. */
function foundBy(captures: readonly ComparedHeld[]): (number | null)[] {
  const [first, ...others] = captures.map(({ transforms }) => transforms.found);
  return (first ?? []).map((found, place) =>
    found === null ? null : others.reduce((sum, other) => sum + (other[place] ?? 0), found),
  );
}

/** Resolves a side's choice against one capture. */
export function sideSelection(
  profile: Profile,
  { threads, timeRange }: Omit<SideChoice, 'valueType'>,
  valueType: ValueTypeName,
): Selection {
  return {
    valueType: nearestValueType(profile, valueType),
    threads: threads === null ? null : threadsCalled(profile, threads),
    timeRange,
  };
}

/** A capture of a side, as the time strip uses it. */
interface TimedCapture {
  readonly times: TimeViews;
  readonly profile: Profile;
  readonly selection: Selection;
  readonly resolved: ResolvedTransforms;
  readonly transformsKey: string;
  /** Factor from the capture's unit to the comparison's. */
  readonly scale: number;
}

/** Overlays all captures of a side, each from its own origin; returns null if no sample has a timestamp. */
export function sideStrip(
  captures: readonly TimedCapture[],
  window: TimeRange | null,
  buckets: number,
): TimeStrip | null {
  const wholes = captures.flatMap(({ times, ...subject }) => times.strip(subject, null, 1)?.whole ?? []);
  if (wholes.length === 0) return null;
  const whole = {
    start: Math.min(...wholes.map(({ start }) => start)),
    end: Math.max(...wholes.map(({ end }) => end)),
  };
  const strips = captures.flatMap(({ times, scale, ...subject }) => {
    const strip = times.strip(subject, window ?? whole, buckets);
    return strip === null ? [] : [{ strip, scale }];
  });
  const [{ strip: first }] = strips as [(typeof strips)[number]];
  const sum = (of: (strip: TimeStrip) => Float64Array | null, isWeight: boolean): Float64Array => {
    const total = new Float64Array(first.weight.length);
    for (const { strip, scale } of strips) {
      of(strip)?.forEach((value, bucket) => (total[bucket]! += value * (isWeight ? scale : 1)));
    }
    return total;
  };
  return {
    ...first,
    whole,
    weight: sum(({ weight }) => weight, true),
    sampleCount: sum(({ sampleCount }) => sampleCount, false),
    hidden: strips.every(({ strip }) => strip.hidden === null) ? null : sum(({ hidden }) => hidden, true),
    withoutTime: strips.reduce((count, { strip }) => count + strip.withoutTime, 0),
  };
}

/** Returns the size factors that the captures' report states; null unless it states all of them. */
function statedFactors(params: CompareParams): SizeFactors | null {
  const of = (side: Side): number[] => params[side].captures.flatMap(({ size }) => size ?? []);
  const [before, after] = [of('before'), of('after')];
  return before.length === params.before.captures.length && after.length === params.after.captures.length
    ? { before: Float64Array.from(before), after: Float64Array.from(after) }
    : null;
}

/** Returns the subject of a report: the captures of *before*, then of *after*, as they are compared. */
function reportSubject({ captures, params, comparison }: CurrentComparison): ReportSubject {
  const { normalisation, rules, transforms } = params;
  const all = [...captures.before, ...captures.after];
  const side = (name: Side, first: number) => ({
    label: '',
    captures: captures[name].map(({ facts }, place) => ({
      capture: `c${first + place + 1}`,
      requests: facts.requests,
    })),
  });
  return {
    captures: all.map((capture) => ({
      profile: capture.profile,
      selection: capture.selection,
      transforms,
      resolved: capture.transforms,
      quality: capture.facts.quality ?? null,
    })),
    comparison: {
      before: side('before', 0),
      after: side('after', captures.before.length),
      normalisation,
      rules: { ...rules, off: [...rules.off], user: rules.user.map((rule) => ({ ...rule })) },
      ...factorsOf(comparison),
    },
  };
}
