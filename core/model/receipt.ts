import { countText, formatValue } from '../units/format.ts';
import type { ValueTypeIndex } from './brand.ts';
import type { Profile } from './profile.ts';
import { countSamples } from './sample-counts.ts';
import { sampleWeights } from './weights.ts';

/** What happened to a part of the input: left out, joined with others, missing from it, or not kept as it was. */
export type ReceiptEffect = 'skipped' | 'merged' | 'lost' | 'changed';

/** What an open file kept, and what its importer did not keep as it was, by count. */
export interface Receipt {
  /** Kinds of events; 0 if the format has none. */
  readonly events: number;
  /** Samples, and the rows that hold them: a format that sums equal stacks has more samples than rows. */
  readonly samples: number;
  readonly rows: number;
  /** Distinct stacks in which samples end, and rows without a stack. */
  readonly stacks: number;
  readonly withoutStack: number;
  readonly functions: number;
  readonly threads: number;
  /** Sum of each value type, in its unit. */
  readonly weights: readonly { readonly type: string; readonly unit: string; readonly total: number }[];
  /** By effect, then in the order of the diagnostics. */
  readonly exceptions: readonly ReceiptException[];
}

interface ReceiptException {
  readonly effect: ReceiptEffect;
  /** Code and sentence of the diagnostic. */
  readonly code: string;
  readonly message: string;
  readonly count: number;
}

/** Effects of importers' diagnostics by code; codes that are absent say how to read what was kept. */
const CODES: Readonly<Record<ReceiptEffect, readonly string[]>> = {
  skipped: [
    'accesses',
    'administration',
    'branch-call-stack',
    'broken-callchain',
    'comments-left-out',
    'context-switches',
    'deferred-callchain',
    'deltas',
    'hardware-trace',
    'jumps',
    'more-captures',
    'no-time',
    'orphan-nodes',
    'other-events',
    'other-record',
    'other-records',
    'other-samples',
    'pruned-frames',
    'signal-frames',
    'skipped-column',
    'skipped-event',
    'skipped-frame',
    'skipped-line',
    'skipped-name',
    'skipped-records',
    'skipped-rows',
    'skipped-section',
    'snapshots-left-out',
    'snapshots-without-stacks',
    'too-many-events',
    'unknown-code',
    'unknown-event',
    'unknown-field',
    'unknown-record',
    'unmatched-end',
    'unread-header',
    'user-stack-not-unwound',
  ],
  merged: ['many-events', 'picture'],
  lost: [
    'full-map',
    'lost-data',
    'lost-samples',
    'lost-trace',
    'lost-workers',
    'missing-stacks',
    'stackless-samples',
    'throttled',
    'truncated-input',
    'truncated-stacks',
    'unfinished-file',
    'unfinished-recording',
    'unlisted-callers',
    'unlisted-functions',
    'unwinding-errors',
  ],
  changed: [
    'call-circles',
    'calls-too-small',
    'children-exceed',
    'early-end',
    'estimated-stacks',
    'impossible-numbers',
    'inexact-label',
    'inexact-weight',
    'late-samples',
    'missing-field',
    'missing-period',
    'negative-time',
    'not-utf8',
    'percentages',
    'recursion',
    'reordered-samples',
    'uneven-counts',
    'unfinished',
    'unfinished-line',
  ],
};
/** Every code with an effect. */
export const RECEIPT_CODES: ReadonlySet<string> = new Set(Object.values(CODES).flat());
const EFFECTS = Object.keys(CODES) as readonly ReceiptEffect[];

/** Counts what a profile holds and what its diagnostics report as skipped, merged, lost or changed. */
export function receiptOf(profile: Profile): Receipt {
  const { samples, events, functions, threads, valueTypes, diagnostics } = profile;
  const ends = new Uint8Array(profile.stacks.length);
  let [stacks, withoutStack] = [0, 0];
  for (const stack of samples.stack) {
    if (stack < 0) withoutStack += 1;
    else if (ends[stack] === 0) {
      ends[stack] = 1;
      stacks += 1;
    }
  }
  return {
    events: events.length,
    samples: countSamples(profile),
    rows: samples.length,
    stacks,
    withoutStack,
    functions: functions.length,
    threads: threads.length,
    weights: valueTypes.map(({ type, unit }, index) => ({
      type,
      unit,
      total: sampleWeights(profile, index as ValueTypeIndex).reduce((sum, weight) => sum + weight, 0),
    })),
    exceptions: EFFECTS.flatMap((effect) =>
      diagnostics
        .filter(({ code }) => CODES[effect].includes(code))
        .map(({ code, message, count }) => ({ effect, code, message, count })),
    ),
  };
}

/**
 * More value types than this are only counted in {@link receiptLines}, and those without weight get one entry: perf lists
 * every event of `-e 'syscalls:*'`.
 */
const MOST_WEIGHTS = 6;
/** Names of value types without weight in their entry. */
const MOST_EMPTY = 3;

/**
 * Returns the receipt as three lines of text: what was read, the sums of weights, and how much was skipped, merged, lost
 * and changed.
 */
export function receiptLines(receipt: Receipt): [string, string, string] {
  const { events, samples, rows, stacks, withoutStack, threads, functions, weights, exceptions } = receipt;
  const parts = [
    countText(samples, 'sample') + (samples === rows ? '' : ` in ${countText(rows, 'row')}`),
    countText(stacks, 'stack'),
    countText(functions, 'function'),
    countText(threads, 'thread'),
    ...(events === 0 ? [] : [countText(events, 'event')]),
    ...(withoutStack === 0 ? [] : [`${countText(withoutStack, 'row')} without a stack`]),
  ];
  const listed = weights.filter(({ total }) => total !== 0 || weights.length <= MOST_WEIGHTS);
  const empty = weights.filter((weight) => !listed.includes(weight)).map(({ type }) => type);
  const more = listed.length - MOST_WEIGHTS;
  const names = [...empty.slice(0, MOST_EMPTY), ...(empty.length > MOST_EMPTY ? ['…'] : [])].join(', ');
  const sums = [
    ...listed.slice(0, MOST_WEIGHTS).map(({ type, unit, total }) => `${type} ${formatValue(total, unit)}`),
    ...(more > 0 ? [`and ${countText(more, 'value type')} more`] : []),
    ...(empty.length > 0 ? [`0 in ${countText(empty.length, 'value type')} (${names})`] : []),
  ];
  const byEffect = EFFECTS.map((one) => {
    const count = exceptions.reduce((sum, { effect, count: times }) => sum + (effect === one ? times : 0), 0);
    return count === 0 ? '' : `${one} ${formatValue(count, 'count')}`;
  }).filter((text) => text !== '');
  return [
    `Read: ${parts.join(', ')}.`,
    `Weights: ${sums.join(', ')}.`,
    byEffect.length === 0
      ? 'Nothing was skipped, merged, lost or changed.'
      : `Not as in the file: ${byEffect.join(', ')}.`,
  ];
}

/** Returns a line for each exception: `skipped 2: Lines outside of any stack were skipped.` */
export const exceptionLines = ({ exceptions }: Receipt): string[] =>
  exceptions.map(({ effect, message, count }) => `${effect} ${formatValue(count, 'count')}: ${message}`);
