import { levelText, missingRuns, relativeText } from '#core/compare/describe-change.ts';
import { COUNT_WORK } from '#core/compare/describe-sizes.ts';
import { MOST_RUNS } from '#core/compare/statistics/runs-needed.ts';
import { createValueText, type ValueText } from '#core/compare/value-text.ts';
import { runCounts, VERDICT_WORDS } from '#core/compare/verdict-words.ts';
import { isGone, isOfNegative, type ConditionResult, type Evidence } from './fail-evidence.ts';
import { countText } from '#core/units/format.ts';

/** Number of functions that a condition's lines name. */
const MOST_NAMED = 5;

/**
 * Describes a condition's result: the functions that failed it, what is undecided and how to decide it, or how far the
 * others are from the limit. `allowSingle`: intervals within single runs decide already.
 */
export function conditionLines(result: ConditionResult, allowSingle = false): string[] {
  const { condition, comparison, status, matched, beyond, undecided, undecidedSmall } = result;
  const text = createValueText('en', comparison.normalised, 0);
  const start = `--fail-on ${condition.text}: ${status}`;
  const named = (functions: readonly Evidence[], say: (one: Evidence) => string): string[] => [
    ...functions.slice(0, MOST_NAMED).map((one) => `${start}: ${say(one)}`),
    ...(functions.length > MOST_NAMED
      ? [`${start}: and ${countText(functions.length - MOST_NAMED, 'more function')}`]
      : []),
  ];
  const change = (one: Evidence): string => {
    const { withheld } = one.judgement;
    const why = [
      ...(isOfNegative(condition, one.judgement) ? ['; before is negative and has no per cent'] : []),
      ...(isGone(one) && one.state === 'undecided' ? ['; gone after'] : []),
      ...(withheld === undefined ? [] : [`; withheld: ${withheld}`]),
    ];
    return `${one.name} ${changeText(one, result, text)}${why.join('')}`;
  };
  const lines =
    status === 'failed'
      ? named(beyond, change)
      : status === 'inconclusive'
        ? [...named(undecided, change), `${start}: ${wayToSettle(result, allowSingle)}`]
        : [
            `${start}: ${matched.length === 1 ? '' : `of ${matched.length} functions, largest change: `}${change(matched[0]!)}`,
          ];
  if (undecidedSmall === 0) return lines;
  const small = `${countText(undecidedSmall, 'undecided function')} with less than 2 % of either side`;
  return [...lines, `--fail-on ${condition.text}: not counted: ${small}`];
}

/** Returns `+12.0 % (+8.9 % to +15.1 %, 99.6 % interval)` or `is new: 6.8 µs per request (…)`. */
function changeText(
  { judgement, family, interval }: Evidence,
  { condition }: ConditionResult,
  text: ValueText,
): string {
  const level = family.level === null ? '' : `, ${levelText(family.level)} interval`;
  if (condition.unit === '%' && judgement.before > 0) {
    const range = interval?.map((end) => text.relative(end / 100)).join(' to ');
    return `${relativeText(judgement, text)}${judgement.presence === 'both' ? text.relativeTo : ''} (${range === undefined ? noInterval(family) : `${range}${level}`})`;
  }
  const { contrast } = family;
  // The interval has the same position relative to the contrast as to the change.
  const range = family.interval?.map((end) => text.delta(end - contrast + judgement.delta)).join(' to ');
  const size = `${text.delta(judgement.delta)}${text.per}${text.relativeTo} (${range === undefined ? noInterval(family) : `${range}${level}`})`;
  return condition.unit === '%' && judgement.presence === 'only-after' ? `is new: ${size}` : size;
}

const hasFewSamples = ({ p, interval }: Evidence['family']): boolean => p !== null && interval === null;

const noInterval = (family: Evidence['family']): string =>
  hasFewSamples(family) ? 'no interval: fewer than 10 samples' : 'no interval: its variation is unknown';

/** Says how to decide what is undecided. */
function wayToSettle(
  { condition, comparison: { design, sizes }, runsToSettle, undecided }: ConditionResult,
  allowSingle: boolean,
): string {
  if (undecided.length === 0) return 'a side has no samples: record it again';
  if (undecided.every(isGone)) return 'if it was renamed, match it with --match OLD=NEW';
  if (undecided.every(({ judgement }) => isOfNegative(condition, judgement))) return 'give its limit in abs or pp';
  if (undecided.some(({ judgement }) => judgement.withheld === 'missing samples'))
    return 'record again as the captures’ warnings say, without missing samples, to settle it';
  if (undecided.some(({ judgement }) => judgement.withheld !== undefined))
    return 'record again with complete, symbolized stacks to settle it';
  if (sizes !== null && sizes.status !== 'same') return `${VERDICT_WORDS['not-decided']}; ${COUNT_WORK}`;
  if (!design.sharesHost) return 'hosts differ: record both sides on the same host';
  if (undecided.every(({ family }) => hasFewSamples(family)))
    return 'too few samples: record for longer, at a higher rate or more often to settle it';
  const have = runCounts(design);
  const more = runsToSettle === null ? null : runsToSettle - Math.min(have.before, have.after);
  const missing = design.isReplicated ? 0 : missingRuns(have);
  const single = design.isReplicated || allowSingle ? '' : ', or use --allow-single';
  if (more !== null && more > 0)
    return `record ${countText(more, 'more run')} a side (${runsToSettle} in all) to settle it${single}`;
  if (missing > 0) return `record ${countText(missing, 'more run')} a side to see what differs between runs${single}`;
  if (!design.isReplicated) return `record more runs on each host that both sides share${single}`;
  return `these runs are too noisy for a change of this size: even ${MOST_RUNS} runs a side would not settle it`;
}
