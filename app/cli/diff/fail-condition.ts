import type { Metric } from '#core/compare/statistics/judge.ts';
import { BELOW_ALL } from '#core/load/fail-condition.ts';
import { checkNames } from '../check-pattern.ts';
import { usageError } from '../errors.ts';

const UNITS = ['%', 'pp', 'abs'] as const;
/** Percent of the value before, percentage points of the whole, or the value's own unit. */
type ConditionUnit = (typeof UNITS)[number];

/** A condition of `--fail-on`, which must not hold. */
export interface FailCondition {
  /** As typed, without surrounding spaces. */
  readonly text: string;
  readonly metric: Metric;
  /** Pattern of function names; case-sensitive. */
  readonly pattern: string;
  readonly comparison: '>' | '<';
  /** Limit of after − before, in `unit`. */
  readonly limit: number;
  readonly unit: ConditionUnit;
}

/** The pattern may contain parentheses and comparisons; the rest is what follows the last `)`. */
const FORM = /^\s*(?<metric>[\w-]+)\s*\((?<pattern>.*)\)\s*(?<comparison>[<>]=?|=+)\s*(?<amount>[^)]*?)\s*$/s;
const AMOUNT = /^(?<sign>[+\-−]?)(?<number>(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?)\s*(?<unit>\D*)$/i;

const EXAMPLE = "write it as in 'total(^parse) > +5%'";

/** Parses `metric '(' regex ')' cmp number unit`. Throws a usage error for anything else. */
export function parseFailCondition(written: string): FailCondition {
  const text = written.trim();
  const refuse = (what: string, remedy = EXAMPLE): never => {
    throw usageError(`--fail-on ${text}: ${what}`, remedy);
  };
  const parts = FORM.exec(text)?.groups;
  if (parts === undefined) return refuse('not of the form metric(regex) > number unit');
  const { metric, pattern, comparison, amount } = parts as Record<
    'metric' | 'pattern' | 'comparison' | 'amount',
    string
  >;
  if (metric !== 'self' && metric !== 'total') return refuse(`unknown metric '${metric}'`, 'use self or total');
  if (comparison !== '>' && comparison !== '<') return refuse(`unknown comparison '${comparison}'`, 'use > or <');
  const number = AMOUNT.exec(amount)?.groups;
  const limit = number === undefined ? Number.NaN : Number(`${number['sign']}${number['number']}`.replace('−', '-'));
  if (number === undefined || !Number.isFinite(limit)) return refuse(`'${amount}' is not a number with a unit`);
  const unit = UNITS.find((known) => known === number['unit']);
  if (unit === undefined) {
    return refuse(
      number['unit'] === '' ? 'the number has no unit' : `unknown unit '${number['unit']}'`,
      'use % (of before), pp (percentage points of the share) or abs (the printed unit)',
    );
  }
  if (unit === '%' && limit <= -100) return refuse(...BELOW_ALL);
  checkNames(pattern, `--fail-on ${text}`);
  return { text, metric, pattern, comparison, limit, unit };
}
