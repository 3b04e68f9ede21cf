import { countText, type Formatter } from '../units/format.ts';
import { SMALL_CHANGE, type Advice } from './statistics/advise-runs.ts';
import type { Judgement, Metric } from './statistics/judge.ts';
import { LEAST_REPLICATES } from './measure/measures.ts';
import { MOST_RUNS, POWER } from './statistics/runs-needed.ts';
import type { ValueText } from './value-text.ts';
import { VERDICT_WORDS, type RunCounts } from './verdict-words.ts';
import { SIDES } from '../contract/side.ts';

/** The formats that a change needs. */
export type ChangeFormat = Pick<ValueText, 'per' | 'relativeTo' | 'value' | 'delta' | 'reach' | 'relative'>;

/**
 * Describes a function's change in the words that the window and the command line share; the function's name precedes
 * them.
 */
interface ChangeText {
  /** `grew by 12.0 % ± 3.1 %`, `is new`, `may have shrunk by …`. */
  readonly headline: string;
  /** `self from 412 µs to 461 µs per request (+49 µs ± 13 µs, 99.6 % interval)`. */
  readonly detail: string;
}

/** Qualifies every statement that rests on one or two captures a side. */
export const WITHIN_THIS_RUN = 'within this run only';

/** Describes a change. `reason` is why a verdict is at most *maybe*, see `maybeReason`. */
export function describeChange(
  judgement: Judgement,
  metric: Metric,
  text: ChangeFormat,
  reason: string | null,
): ChangeText {
  const { before, after, verdict } = judgement;
  const headline = `${headlineOf(judgement, text)}${isNamed(judgement) ? text.relativeTo : ''}`;
  if (before === 0 && after === 0) return { headline, detail: `${metric} 0 on both sides` };
  const where =
    judgement.presence === 'only-after'
      ? `${metric} 0 before, ${text.value(after)}${text.per} after`
      : judgement.presence === 'only-before'
        ? `${metric} ${text.value(before)}${text.per} before, 0 after`
        : `${metric} from ${text.value(before)} to ${text.value(after)}${text.per}`;
  const evidence = [deltaText(judgement, text), ...(verdict === 'suggestive' && reason !== null ? [reason] : [])];
  return { headline, detail: `${where} (${evidence.join('; ')})` };
}

const isNamed = ({ presence, delta }: Judgement): boolean => presence === 'both' && delta !== 0;

/** Returns `parse grew by 12.0 % ± 3.1 %: self from …`. */
export function changeSentence(
  name: string,
  judgement: Judgement,
  metric: Metric,
  text: ChangeFormat,
  reason: string | null,
): string {
  const { headline, detail } = describeChange(judgement, metric, text, reason);
  return `${name} ${headline}: ${detail}.`;
}

/** Shown instead of a change in per cent if the value before is negative. */
export const FROM_NEGATIVE = 'from <0';

/** Returns the relative change: `+12.3 %`; `new` if there was nothing before, `gone` if there is nothing after. */
export function relativeText({ before, relative, presence, delta }: Judgement, text: ChangeFormat): string {
  if (presence === 'only-after') return 'new';
  if (presence === 'only-before') return 'gone';
  if (relative === null) return delta === 0 ? text.relative(0) : before < 0 ? FROM_NEGATIVE : 'from 0';
  return text.relative(relative);
}

/** Returns `+49 µs ± 13 µs, 99.6 % interval`. */
export function deltaText({ delta, interval, level }: Judgement, text: ChangeFormat): string {
  if (interval === null || level === null) return `${text.delta(delta)}, no interval`;
  return `${text.delta(delta)} ± ${text.reach(marginOf(interval))}, ${levelText(level)} interval`;
}

/** Returns half of an interval's width; intervals are symmetric about their delta. */
export const marginOf = ([low, high]: readonly [number, number]): number => (high - low) / 2;

/** Returns ` at 99.2 %`, or ` at 99.2 to 99.98 %` if functions' intervals differ in level: the header of intervals. */
export function levelsText(levels: Iterable<number | null>): string {
  let [least, most] = [Infinity, 0];
  for (const level of levels) {
    if (level === null || Number.isNaN(level)) continue;
    [least, most] = [Math.min(least, level), Math.max(most, level)];
  }
  if (most === 0) return '';
  const [low, high] = [levelText(least), levelText(most)];
  return ` at ${low === high ? low : `${low.replace(' %', '')} to ${high}`}`;
}

export const levelText = (level: number): string => `${Number((100 * level).toPrecision(4))} %`;

function headlineOf(judgement: Judgement, text: ChangeFormat): string {
  const { before, delta, interval, verdict, presence } = judgement;
  if (presence !== 'both') return presenceHeadline(judgement, presence);
  if (delta === 0) return 'did not change';
  const isRelative = before > 0;
  const size = isRelative ? text.relative(Math.abs(delta) / before).replace('+', '') : text.reach(Math.abs(delta));
  const reach = interval === null ? null : marginOf(interval);
  const marginText = reach === null ? '' : isRelative ? text.relative(reach / before) : text.reach(reach);
  const range = reach === null ? '' : ` ± ${marginText.replace('+', '')}`;
  const sign = delta > 0 ? '+' : '-';
  switch (verdict) {
    case 'grew':
    case 'shrank':
      return `${verdict} by ${size}${range}`;
    case 'suggestive':
      return `may have ${delta > 0 ? 'grown' : 'shrunk'} by ${size}${range}`;
    case 'noise':
      return `shows no clear change (${sign}${size}${range})`;
    case 'not-decided':
    case 'not-tested':
    case 'unknown':
      return `differs by ${sign}${size}${range}, ${undecidedText(judgement)}`;
  }
}

/** Explains why a function is not judged. */
function undecidedText({ verdict, withheld }: Judgement): string {
  if (verdict === 'not-decided' || verdict === 'not-tested') return VERDICT_WORDS[verdict];
  return withheld === undefined ? 'but its variation is unknown' : `but is not judged (${withheld})`;
}

function presenceHeadline(judgement: Judgement, presence: Judgement['presence']): string {
  const { verdict } = judgement;
  const isNew = presence === 'only-after';
  const side = isNew ? 'after' : 'before';
  switch (verdict) {
    case 'grew':
    case 'shrank':
      return isNew ? 'is new' : 'is gone';
    case 'suggestive':
      return isNew ? 'may be new' : 'may be gone';
    case 'noise':
      return `was seen only ${side}, too rarely to judge`;
    case 'not-decided':
    case 'not-tested':
    case 'unknown':
      return `was seen only ${side}, ${undecidedText(judgement)}`;
  }
}

/** Returns the number of captures that each side lacks for a verdict. */
export function missingRuns(captures: RunCounts): number {
  return Math.max(0, LEAST_REPLICATES - Math.min(captures.before, captures.after));
}

/** Returns `2 more runs per side`, `1 more run after`; null if none is missing. */
export function missingRunsText(captures: RunCounts): string | null {
  const runs = missingRuns(captures);
  if (runs === 0) return null;
  const lacking = SIDES.filter((side) => captures[side] < LEAST_REPLICATES);
  return `${countText(runs, 'more run')} ${lacking.length === 2 ? 'per side' : lacking[0]}`;
}

/**
 * Describes the number of runs needed to detect the observed change and one of 5 %, or, if that number is impractical,
 * the smallest change that these runs can detect (without replicates, that runs can't show it). `name` is the
 * function's.
 */
export function adviceText(advice: Advice | null, name: string, metric: Metric, formatter: Formatter): string {
  if (advice === null)
    return `No number of runs can be given for ${metric}: too few samples, different hosts, not decided, or its variation is unknown.`;
  const { seen, small, seconds, smallest } = advice;
  const length = seconds === null ? '' : ` of ${formatter.value(seconds, 'seconds')}`;
  const percent = (part: number, sign: 'always' | 'auto'): string => formatter.share(part, 1, { sign });
  const goals = [
    ...(seen === null ? [] : [{ ...seen, what: `the ${percent(seen.change, 'always')} seen in its ${metric}` }]),
    { ...small, what: `a change of ${100 * SMALL_CHANGE} %` },
  ];
  const sentences = goals.flatMap(({ moreRuns, what }) => {
    if (moreRuns === null) return smallest === null ? [`Even ${MOST_RUNS} runs a side would not show ${what}.`] : [];
    if (moreRuns === 0) return [`These runs are enough to show ${what}.`];
    return [`${formatter.count(moreRuns, 'more run')}${length} a side would show ${what}.`];
  });
  const hidden =
    smallest !== null && goals.some(({ runs }) => runs === null)
      ? [`Changes below ${percent(smallest, 'auto')} of ${name} (${metric}) are hidden by this noise.`]
      : [];
  const statistics = `(${100 * POWER} % power at the ${levelText(advice.level)} level of its family)`;
  const parts = [...sentences, ...hidden];
  return `${parts.join(' ').replace(/\.$/, '')} ${statistics}. ${varianceText(advice, formatter)}`;
}

/** Says whether more runs or longer runs would help. */
function varianceText({ within, between, moreRunsNotLonger }: Advice, formatter: Formatter): string {
  if (between === null) return 'Run-to-run noise is not known yet, so it may take more.';
  if (between === 0) return 'There is no variance between runs: longer runs help too.';
  const share = formatter.share(between, between + (within ?? 0));
  return `${share} of the variance is between runs: ${moreRunsNotLonger ? 'record more runs, not longer ones' : 'longer runs help too'}.`;
}
