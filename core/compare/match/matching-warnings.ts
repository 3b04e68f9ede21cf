import type { PatternRunner } from '../../analyze/transforms/resolve-transforms.ts';
import type { CompareWarning } from '../compare-warning.ts';
import { ALL_RULES, withRule } from './all-rules.ts';
import { IGNORED_MODULES, matchFunctions, type MatchedFunctions } from './match-functions.ts';
import { SAME_PROGRAM, type ProgramPair } from './match-programs.ts';
import type { MatchRules } from './match-rules.ts';
import type { MeasuredCapture } from '../measure/measured-capture.ts';
import { COLUMN } from '../measure/measure-capture.ts';
import { probableRenames } from './probable-renames.ts';
import { GOROUTINE_WAITS } from './goroutine-waits.ts';
import { PROCESS_FRAMES } from './process-frames.ts';
import type { Side } from '../../contract/side.ts';

type MeasuredSides = Readonly<Record<Side, readonly MeasuredCapture[]>>;

/** Above this share, the functions in common say little about either side. */
const MOST_UNMATCHED = 0.5;
/** A rule that would match a smaller share of the weight is not worth suggesting. */
const LEAST_GAIN = 0.01;

/**
 * Warns if most of the weight is in functions that only one side has, if two programs were not treated as builds of
 * one, and of functions that were probably renamed or moved.
 */
export async function matchingWarnings(
  captures: MeasuredSides,
  matched: MatchedFunctions,
  rules: MatchRules,
  patterns: PatternRunner,
): Promise<CompareWarning[]> {
  const withheld = [
    ...matched.programs.filter(({ isMerged }) => !isMerged).map(differentPrograms),
    ...probableRenames(captures, matched),
  ];
  const unmatched = unmatchedPart(captures, matched);
  if (unmatched <= MOST_UNMATCHED) return withheld;
  const best = await bestRule(captures, unmatched, matched, rules, patterns);
  return [mostlyUnmatched(unmatched, best), ...withheld];
}

function differentPrograms({ before, after, common }: ProgramPair): CompareWarning {
  return {
    code: 'different-programs',
    message: `${before} and ${after} have ${percent(common)} of their function names in common, so they are not matched as two builds of one program. If they are, “The same program” (--same-program) matches them.`,
    rule: SAME_PROGRAM,
  };
}

function mostlyUnmatched(unmatched: number, best: BetterRule | null): CompareWarning {
  const found = `${percent(unmatched)} of the weight is in functions that are on one side only: these show as gone or new, not as changed.`;
  return best === null
    ? {
        code: 'mostly-unmatched',
        message: `${found} No other rule would match them; check that both sides recorded the same program.`,
      }
    : {
        code: 'mostly-unmatched',
        message: `${found} The rule that would match the most is ${best.label}, which leaves ${percent(best.unmatched)}.`,
        rule: best.rule,
      };
}

const percent = (part: number): string => `${(100 * part).toFixed(part > 0 && part < 0.1 ? 1 : 0)} %`;

interface BetterRule {
  readonly rule: string;
  readonly label: string;
  /** Share of the weight that the rule leaves unmatched. */
  readonly unmatched: number;
}

async function bestRule(
  captures: MeasuredSides,
  unmatched: number,
  { programs }: MatchedFunctions,
  rules: MatchRules,
  patterns: PatternRunner,
): Promise<BetterRule | null> {
  let best: BetterRule | null = null;
  for (const { rule, label } of otherRules(rules, programs)) {
    const other = await matchFunctions(captures.before, captures.after, withRule(rules, rule), patterns);
    const left = unmatchedPart(captures, other);
    if (left < (best?.unmatched ?? unmatched) - LEAST_GAIN) best = { rule, label, unmatched: left };
  }
  return best;
}

/** Returns each disabled rule, narrow ones first. */
function otherRules(
  rules: MatchRules,
  programs: readonly ProgramPair[],
): { readonly rule: string; readonly label: string }[] {
  // Process frames were handled before anything was measured, so that rule can't be suggested here.
  const off = ALL_RULES.filter(({ id }) => id !== PROCESS_FRAMES && id !== GOROUTINE_WAITS && rules.off.includes(id));
  const isWithheld = programs.some(({ isMerged }) => !isMerged);
  return [
    ...off.map(({ id, label }) => ({ rule: id, label: `“${label}” (${id}), which is off` })),
    ...(isWithheld ? [{ rule: SAME_PROGRAM, label: '“The same program” (--same-program)' }] : []),
    ...(rules.ignoreModules ? [] : [{ rule: IGNORED_MODULES, label: '“Whatever their modules” (--ignore-modules)' }]),
  ];
}

/**
 * Returns the share of self weight whose functions only one side has: mean over a side's captures, then over the sides.
 */
function unmatchedPart(captures: MeasuredSides, matched: MatchedFunctions): number {
  const part = (side: Side, only: readonly number[]): number => {
    const isOnly = new Uint8Array(matched.table.functions.length);
    for (const func of only) isOnly[func] = 1;
    const parts = captures[side].map((capture, place) => unmatchedPartOf(capture, matched[side][place]!, isOnly));
    return parts.reduce((sum, one) => sum + one, 0) / parts.length;
  };
  return (part('before', matched.onlyBefore) + part('after', matched.onlyAfter)) / 2;
}

function unmatchedPartOf({ view, self, columns, whole }: MeasuredCapture, functions: Int32Array, isOnly: Uint8Array) {
  const total = Math.abs(whole[COLUMN.weight]!);
  if (total === 0) return 0;
  let unmatched = 0;
  for (let row = 0; row < view.length; row++) {
    if (isOnly[functions[view.func[row]!]!] === 1) unmatched += Math.abs(self[row * columns + COLUMN.weight]!);
  }
  return Math.min(1, unmatched / total);
}
