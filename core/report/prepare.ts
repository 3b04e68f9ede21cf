import type { PatternRunner } from '../analyze/transforms/resolve-transforms.ts';
import type { NamedFunctions } from '../analyze/function-ref.ts';
import { functionNames, hasCapital } from '../analyze/search.ts';
import { callTreeSteps } from '../analyze/tree/call-tree.ts';
import { functionStatsOfTree } from '../analyze/tables/function-stats.ts';
import type { CallTree, FunctionStats, Selection, StackView } from '../analyze/view/stack-view.ts';
import { stackViewSteps } from '../analyze/view/build-stack-view.ts';
import type { Comparison } from '../compare/comparison.ts';
import { compareFunctions } from '../compare/compare-functions.ts';
import { deltaTreeSteps, type DeltaTree } from '../compare/delta-tree.ts';
import { rowVerdicts } from '../compare/judged-rows.ts';
import type { CaptureFacts } from '../compare/measure/capture-facts.ts';
import type { ComparedCapture } from '../compare/measure/measure-capture.ts';
import { captureFactSteps } from '../compare/measure/read-facts.ts';
import { judgePathSteps, MOST_TESTED_PATHS, type PathJudgements } from '../compare/judge-paths.ts';
import { topMoverSteps, type TopMovers } from '../compare/top-movers.ts';
import { createValueText, type ValueText } from '../compare/value-text.ts';
import { maybeReason, runCounts } from '../compare/verdict-words.ts';
import type { Report, ReportCapture } from '../contract/report/report.ts';
import type { Side } from '../contract/side.ts';
import type { Profile, ValueType } from '../model/profile.ts';
import { bestGrade } from '../model/newer-format.ts';
import { gradeShares } from '../model/quality-grade.ts';
import { finishInSlices } from '../steps.ts';
import { messageOf } from '../model/failure.ts';

/** A capture of a report, analysed: all of it, in its default value type. */
export interface PreparedCapture extends ReportCapture {
  readonly profile: Profile;
  readonly selection: Selection;
  readonly valueType: ValueType;
  readonly stacks: StackView;
  /** Top-down. */
  readonly tree: CallTree;
  readonly stats: FunctionStats;
  readonly known: CaptureFacts;
  readonly searches: Searches;
}

/** The result of a search. */
export interface FoundSearch {
  /** By function: 1 if it matches; null if the search was refused. */
  readonly matches: Uint8Array | null;
  /** Why it was refused; null if it was not. */
  readonly refused: string | null;
}

/** The searches of the sections' graphs, by their pattern. */
export type Searches = ReadonlyMap<string, FoundSearch>;

export interface PreparedComparison {
  readonly comparison: Comparison;
  readonly tree: DeltaTree;
  readonly paths: PathJudgements;
  /** Verdict on each path's total, by row of the tree, → `VERDICTS`. */
  readonly verdict: Uint8Array;
  readonly movers: TopMovers;
  readonly text: ValueText;
  /** Why verdicts are *maybe* at most; null: they can be certain. */
  readonly reason: string | null;
  readonly searches: Searches;
}

/** A report with the data of its sections. */
export interface PreparedReport {
  readonly report: Report;
  readonly captures: ReadonlyMap<string, PreparedCapture>;
  readonly comparison: PreparedComparison | null;
}

/** Maximum number of movers in a report. */
const MOST_MOVERS = 50;
/** Locale of a report's numbers, wherever it is made. */
export const REPORT_LOCALE = 'en';

/**
 * Analyses the captures of a report. `profiles` is keyed by their ids; `rest` is awaited between pieces, so that a page
 * stays responsive. Throws a CompareRefusal if the comparison would be meaningless.
 */
export async function prepareReport(
  report: Report,
  profiles: ReadonlyMap<string, Profile>,
  patterns: PatternRunner,
  rest?: () => Promise<void>,
): Promise<PreparedReport> {
  const captures = new Map<string, PreparedCapture>();
  for (const capture of report.captures) {
    const profile = profiles.get(capture.id);
    if (profile === undefined) throw new RangeError(`the report's capture ${capture.id} is missing`);
    const searches = report.sections.flatMap((one) =>
      one.kind === 'flame' && one.capture === capture.id ? [one.search] : [],
    );
    captures.set(capture.id, await prepareCapture(capture, profile, { patterns, searches }, rest));
  }
  return { report, captures, comparison: await prepareComparison(report, captures, patterns, rest) };
}

async function prepareCapture(
  capture: ReportCapture,
  profile: Profile,
  { patterns, searches }: { readonly patterns: PatternRunner; readonly searches: readonly string[] },
  rest: (() => Promise<void>) | undefined,
): Promise<PreparedCapture> {
  const valueType = profile.metadata.defaultValueType;
  const selection: Selection = { valueType, threads: null, timeRange: null };
  const stacks = await finishInSlices(stackViewSteps(profile, selection), rest);
  await rest?.();
  const tree = await finishInSlices(callTreeSteps(stacks, 'top-down'), rest);
  await rest?.();
  const stats = functionStatsOfTree(stacks.profile.functions.length, tree);
  await rest?.();
  const { quality } = capture;
  const graded = quality === undefined ? null : gradeShares(quality, bestGrade(profile.diagnostics));
  const { facts: known } = await finishInSlices(captureFactSteps(capture.facts, profile, capture.name, graded), rest);
  await rest?.();
  return {
    ...capture,
    profile,
    selection,
    valueType: profile.valueTypes[valueType]!,
    stacks,
    tree,
    stats,
    known,
    searches: await runSearches(stacks.profile, searches, patterns),
  };
}

/** Runs searches as the window does: without capitals, they ignore case. */
async function runSearches(
  table: NamedFunctions,
  searches: readonly string[],
  patterns: PatternRunner,
): Promise<Searches> {
  const found = new Map<string, FoundSearch>();
  const wanted = new Set(searches.filter((search) => search !== ''));
  if (wanted.size === 0) return found;
  const names = functionNames(table);
  for (const pattern of wanted) {
    try {
      const matches = await patterns.match(names, { pattern, ignoreCase: !hasCapital(pattern) });
      found.set(pattern, { matches, refused: null });
    } catch (error) {
      found.set(pattern, { matches: null, refused: messageOf(error) });
    }
  }
  return found;
}

async function prepareComparison(
  { comparison: asked, sections }: Report,
  captures: ReadonlyMap<string, PreparedCapture>,
  patterns: PatternRunner,
  rest: (() => Promise<void>) | undefined,
): Promise<PreparedComparison | null> {
  if (asked === null) return null;
  const side = (name: Side): ComparedCapture[] =>
    asked[name].captures.map(({ capture, requests }) => {
      const { profile, selection, known } = captures.get(capture)!;
      return { profile, selection, transforms: null, facts: { ...known, requests: requests ?? known.requests } };
    });
  const { normalisation, rules, factors: stored = null } = asked;
  const factors =
    stored === null || typeof stored === 'string'
      ? stored
      : { before: Float64Array.from(stored.before), after: Float64Array.from(stored.after) };
  const options = { normalisation, rules, factors, patterns, ...(rest === undefined ? {} : { onStep: rest, rest }) };
  const comparison = await compareFunctions(side('before'), side('after'), options);
  await rest?.();
  const tree = await finishInSlices(deltaTreeSteps(comparison), rest);
  await rest?.();
  const paths = await finishInSlices(judgePathSteps(comparison, tree, MOST_TESTED_PATHS), rest);
  await rest?.();
  const movers = await finishInSlices(topMoverSteps(comparison, tree, MOST_MOVERS), rest);
  await rest?.();
  const largest = Math.max(comparison.whole.before, comparison.whole.after);
  return {
    comparison,
    tree,
    paths,
    verdict: rowVerdicts(tree, paths, comparison.whole),
    movers,
    text: createValueText(REPORT_LOCALE, comparison.normalised, largest),
    reason: maybeReason(comparison.design, runCounts(comparison.design)),
    searches: await runSearches(
      comparison.matched.table,
      sections.flatMap((one) => (one.kind === 'delta-graph' ? [one.search ?? ''] : [])),
      patterns,
    ),
  };
}
