import { functionRef } from '../analyze/function-ref.ts';
import type { Formatter } from '../units/format.ts';
import type { Comparison } from './comparison.ts';
import { describeChange, missingRunsText, marginOf, WITHIN_THIS_RUN } from './describe-change.ts';
import { totalFactorText, nothingMoved } from './describe-sizes.ts';
import { isRelative, isUndecided } from './statistics/judge-by-size.ts';
import type { Judgement } from './statistics/judge.ts';
import type { Mover, TopMovers } from './top-movers.ts';
import type { ValueText } from './value-text.ts';
import type { RunCounts } from './verdict-words.ts';

/** The parts of a comparison that its answer speaks of. */
interface Answered extends Pick<Comparison, 'whole' | 'sizes' | 'warnings'> {
  readonly normalised: Pick<Comparison['normalised'], 'kind'>;
  readonly isReplicated: boolean;
}

/**
 * Returns a comparison's answer in one sentence, cause first and total last: `parse grew by 39 % ± 12 %; two others
 * shrank; total +8 % ± 3 %`. Where load or machine have changed the sides, or may have,
 * it says so first.
 */
export function answerText(
  of: Answered,
  { movers, more }: Pick<TopMovers, 'movers' | 'more'>,
  nameOf: (func: number) => string,
  text: ValueText,
): string {
  const { sizes, whole } = of;
  const all = sizes === null || sizes.status === 'same' ? null : totalFactorText(sizes);
  const cause = `${all === null ? '' : `${all}: `}${sizes?.status === 'differs' ? 'load or machine' : 'load, machine or code'}`;
  if (isUndecided(sizes)) return `${sentence(cause)}; no change is decided`;
  const lead = isRelative(sizes) ? `${sentence(cause)}. Relative to the typical function, ` : '';
  const total = isRelative(sizes) || of.normalised.kind === 'share' ? null : whole;
  const end = totalText(total, text);
  const [first] = movers;
  if (first === undefined) {
    const none = nothingMoved(of.warnings, total, isRelative(sizes), of.isReplicated).replace(/\..*$/, '');
    return `${lead === '' ? none : lead + none[0]!.toLowerCase() + none.slice(1)}${end}`;
  }
  const { headline } = describeChange(first.judgement, first.column, { ...text, relativeTo: '' }, null);
  return `${lead}${nameOf(first.func)} ${headline}${othersText(first, movers, more)}${end}`;
}

const sentence = (text: string): string => text[0]!.toUpperCase() + text.slice(1);

/** The answer of a comparison that is at hand whole; `nameOf` shortens names. */
export const comparisonAnswer = (
  comparison: Comparison,
  movers: Pick<TopMovers, 'movers' | 'more'>,
  nameOf: (name: string) => string,
  text: ValueText,
): string =>
  answerText(
    { ...comparison, isReplicated: comparison.design.isReplicated },
    movers,
    (func) => nameOf(functionRef(comparison.matched.table, func).name),
    text,
  );

/** Grew and shrank are one class. */
const classOf = ({ judgement: { verdict } }: Mover): string => (verdict === 'shrank' ? 'grew' : verdict);

const SMALL_NUMBERS = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/** Counts the other movers whose verdict is as certain: `; two others shrank`. */
function othersText(first: Mover, movers: readonly Mover[], more: number): string {
  const alike = movers.filter((mover) => classOf(mover) === classOf(first));
  const others = alike.length - 1;
  if (others === 0) return '';
  // Those beyond the listed ones are of the class only if the list ends in it.
  const isOpen = more > 0 && alike.length === movers.length;
  const number = isOpen ? `more than ${others}` : (SMALL_NUMBERS[others] ?? String(others));
  const signs = new Set(alike.slice(1).map(({ judgement }) => Math.sign(judgement.delta)));
  const way = signs.size > 1 || isOpen ? 2 : signs.has(1) ? 0 : 1;
  const words = WORDS[classOf(first)] ?? (['differ', 'differ', 'differ'] as const);
  const verb = others === 1 && words[way] === 'differ' ? 'differs' : words[way];
  return `; ${number} ${others === 1 ? 'other' : 'others'} ${verb}`;
}

const WORDS: Readonly<Record<string, readonly [up: string, down: string, mixed: string]>> = {
  grew: ['grew', 'shrank', 'changed'],
  suggestive: ['may have grown', 'may have shrunk', 'may have changed'],
};

/** Counts the callers of the movers that moved because of them; null if there are none. */
export const callersText = (
  { explained }: Pick<TopMovers, 'explained'>,
  { count }: Pick<Formatter, 'count'>,
): string | null =>
  explained.length === 0
    ? null
    : `${count(explained.length, 'caller')} of these changed with them: they account for over half of the change.`;

/** Returns `; total +8 % ± 3 %`; a change that is not shown says so. */
function totalText(whole: Judgement | null, text: ValueText): string {
  if (whole === null || whole.presence !== 'both') return '';
  const { before, delta, interval, verdict } = whole;
  const isPart = before > 0;
  const size = (of: number): string => (isPart ? text.relative(of / before).replace('+', '') : text.reach(of));
  const change = isPart ? text.relative(delta / before) : text.delta(delta);
  const reach = interval === null ? '' : ` ± ${size(marginOf(interval))}`;
  return `; total ${change}${reach}${verdict === 'noise' ? ', no clear change' : ''}`;
}

/** Returns what makes the answer certain, or less so: `5 + 5 runs`, `1 + 1 runs, within this run only`. */
export function runsText({ before, after }: RunCounts, isReplicated: boolean): string {
  const isMissing = !isReplicated && missingRunsText({ before, after }) !== null;
  return `${before} + ${after} runs${isMissing ? `, ${WITHIN_THIS_RUN}` : ''}`;
}
