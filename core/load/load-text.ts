import { createFormatter, type Formatter } from '../units/format.ts';
import type { AnyMetric, LoadStep } from './sweep.ts';

/** Formats values and differences of a metric: `12.3 ms`, `99.95 %`, `1,240`. */
export interface LoadText {
  readonly value: (metric: Pick<AnyMetric, 'unit'>, value: number | null) => string;
  readonly delta: (metric: Pick<AnyMetric, 'unit'>, value: number) => string;
  /** A ratio as a signed percentage. */
  readonly relative: (ratio: number) => string;
}

export function createLoadText(locale: string): LoadText {
  const formatter: Formatter = createFormatter(locale);
  const precise = createFormatter(locale, { percentDigits: 2 });
  const count = (value: number, signDisplay: 'negative' | 'exceptZero'): string => {
    const maximumFractionDigits = Math.abs(value) >= 1000 ? 0 : 1;
    return new Intl.NumberFormat(locale, { maximumFractionDigits, signDisplay }).format(value);
  };
  return {
    value(metric, value) {
      if (value === null) return '–';
      if (metric.unit === 'ratio') return precise.share(value, 1);
      return metric.unit === '' ? count(value, 'negative') : formatter.value(value, metric.unit);
    },
    delta(metric, value) {
      if (metric.unit === 'ratio') return `${precise.share(value, 1, { sign: 'always' }).replace(/ %$/, '')} pp`;
      return metric.unit === '' ? count(value, 'exceptZero') : formatter.value(value, metric.unit, { sign: 'always' });
    },
    relative: (ratio) => formatter.share(ratio, 1, { sign: 'always' }),
  };
}

/** Names a step: `1,000 connections`, or `unknown concurrency`. */
export const stepTitle = ({ concurrency }: Pick<LoadStep, 'concurrency'>, locale = 'en'): string =>
  concurrency === null ? 'unknown concurrency' : createFormatter(locale).count(concurrency, 'connection');

/** Returns the number of connections as a cell shows it. */
export const stepNumber = ({ concurrency }: Pick<LoadStep, 'concurrency'>): string =>
  concurrency?.toLocaleString('en') ?? '?';

/** Returns `a, b and c`. */
export const andText = (texts: readonly string[]): string =>
  texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;

/** Titles the column of changes that follows the column of a metric's values. */
export const changeTitle = (label: string): string => `Δ ${label}`;

/** A table of texts. */
export interface LoadTable {
  /** Leading columns that name the row, which are words. */
  readonly names: number;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}
