import { describe, expect, test } from 'vitest';
import type { Normalisation } from '#core/contract/normalisation.ts';
import { factsWithin, type CaptureFacts, type WeighedCapture } from '#core/compare/measure/capture-facts.ts';
import { CompareRefusal } from '#core/model/failure.ts';
import { normalise } from '#core/compare/normalise.ts';
import { normalisedValue } from '#core/compare/measure/side-measures.ts';
import { countModel } from '#core/compare/measure/value-types.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import type { Profile, ValueType } from '#core/model/profile.ts';
import { profileFromSketch } from '../../support/sketch-profile.ts';

const nanoseconds: ValueType = { type: 'cpu-clock', unit: 'nanoseconds', event: 0, column: 0 };
const samples: ValueType = { type: 'cpu-clock', unit: 'samples', event: 0, column: -1 };
const bytes: ValueType = { type: 'alloc_space', unit: 'bytes', event: -1, column: 0 };

const unknown: CaptureFacts = {
  name: 'a capture',
  host: null,
  kernel: null,
  cpuCount: null,
  durationSeconds: null,
  rateHz: null,
  cpuSeconds: null,
  requests: null,
};

const weighed = (facts: Partial<CaptureFacts> = {}, valueType = nanoseconds, total = 1000): WeighedCapture => ({
  facts: { ...unknown, ...facts },
  valueType,
  total,
  samples: 1,
});

const codes = (before: WeighedCapture, after: WeighedCapture, kind: Normalisation | null = null): string[] =>
  normalise([before], [after], kind).warnings.map(({ code }) => code);

describe('the default', () => {
  test('is per request (per run if each is one), otherwise per second, otherwise share', () => {
    const all = { requests: 50, durationSeconds: 10 };
    expect(normalise([weighed(all)], [weighed(all)])).toMatchObject({
      kind: 'per-request',
      isDefault: true,
      unit: 'nanoseconds/request',
      divisors: ['before 1: 50 requests', 'after 1: 50 requests'],
    });
    expect(normalise([weighed({ requests: 1 })], [weighed({ requests: 1 })])).toMatchObject({
      kind: 'per-request',
      unit: 'nanoseconds/run',
      formula: "value = weight of the run; each side is the mean of its captures' values; delta = after − before",
      divisors: [],
    });
    expect(normalise([weighed(all)], [weighed({ durationSeconds: 20 })])).toMatchObject({
      kind: 'per-second',
      unit: 'nanoseconds/second',
      formula:
        "value = weight ÷ seconds of the capture; each side is the mean of its captures' values; delta = after − before",
      divisors: ['before 1: 10 s', 'after 1: 20 s'],
    });
    expect(normalise([weighed()], [weighed(all)])).toMatchObject({ kind: 'share', unit: 'share' });
    expect(normalise([weighed()], [weighed({}, nanoseconds, -10)])).toMatchObject({ kind: 'raw' });
    expect(normalise([weighed()], [{ ...weighed({}, nanoseconds, 0), samples: 0 }])).toMatchObject({ kind: 'share' });
    expect(codes(weighed(), weighed())).toEqual(['shares-move-together']);
  });

  test.each(['goroutine', 'inuse_space'])('is raw for %s, which is of one moment', (type) => {
    const taken = (durationSeconds: number) =>
      weighed({ durationSeconds }, { ...bytes, type, unit: type === 'goroutine' ? 'count' : 'bytes' });
    expect(normalise([taken(1)], [taken(2)])).toMatchObject({ kind: 'raw' });
  });

  test('warns if a duration is only that of the samples, unless a time range is selected', () => {
    const span = weighed({ durationSeconds: 10, durationIsSpan: true });
    expect(codes(span, weighed({ durationSeconds: 10 }))).toEqual(['durations-from-samples']);
    expect(codes(span, span, 'share')).toEqual(['shares-move-together']);
    const part = { ...span, facts: factsWithin(span.facts, { start: 0, end: 1e9 }) };
    expect(codes(part, part)).toEqual([]);
  });

  test('divides a time range by its own length, also beyond the span of the samples', () => {
    const seconds = (facts: Partial<CaptureFacts>, start: number, end: number) =>
      factsWithin({ ...unknown, ...facts }, { start: start * 1e9, end: end * 1e9 }).durationSeconds;
    expect(seconds({ durationSeconds: 1, durationIsSpan: true }, 0, 5)).toBe(5);
    expect(seconds({ durationSeconds: 3, durationIsSpan: true }, 4, 5)).toBe(1);
    expect(seconds({ durationSeconds: 4 }, 1, 5)).toBe(3);
  });

  test('warns that rates hide the duration of complete command runs', () => {
    const run = (durationSeconds: number) => weighed({ durationSeconds, isWholeRun: true });
    expect(codes(run(1), run(2))).toEqual(['whole-runs']);
    expect(codes(run(1), run(2), 'raw')).toEqual([]);
    expect(codes(run(1), weighed({ durationSeconds: 1 }))).toEqual([]);
    const served = (durationSeconds: number) => weighed({ ...run(durationSeconds).facts, requests: 1 });
    expect(codes(served(1), served(2))).toEqual([]);
  });

  test('is share if sums are not comparable', () => {
    const at = (rateHz: number, valueType: ValueType) => weighed({ rateHz, durationSeconds: 10 }, valueType);
    expect(normalise([at(99, samples)], [at(999, samples)])).toMatchObject({ kind: 'share' });
    expect(codes(at(99, samples), at(999, samples))).toContain('different-rates');
    expect(normalise([at(99, nanoseconds)], [at(999, nanoseconds)])).toMatchObject({ kind: 'per-second' });
    expect(codes(at(99, nanoseconds), at(999, nanoseconds))).toEqual(['different-rates']);
    const cycles: ValueType = { type: 'cycles', unit: 'count', event: 0, column: 0 };
    expect(normalise([at(99, cycles)], [at(99, { ...cycles, type: 'branches' })])).toMatchObject({ kind: 'share' });
  });
});

describe('refuses', () => {
  const refusal = (before: WeighedCapture, after: WeighedCapture, kind: Normalisation | null): string => {
    try {
      normalise([before], [after], kind);
    } catch (error) {
      if (error instanceof CompareRefusal) return error.message;
      throw error;
    }
    return '';
  };

  test('an unknown divisor', () => {
    expect(refusal(weighed({ durationSeconds: 3 }), weighed({ name: 'b' }), 'per-second')).toBe(
      "per-second can't be computed for b: its duration is unknown; use share",
    );
    expect(refusal(weighed(), weighed(), 'per-cpu-second')).toContain('CPU time of its target was not recorded');
    expect(refusal(weighed(), weighed(), 'per-request')).toContain('its number of requests is unknown');
    expect(refusal(weighed({ requests: 0 }), weighed({ requests: 1 }), 'per-request')).toContain('divide by 0');
    expect(refusal(weighed(), weighed({ name: 'b' }, nanoseconds, -10), 'share')).toBe(
      "share can't be computed for b: its weights add up to -10, since some are negative; use raw",
    );
    expect(() => normalise([], [weighed()])).toThrow('the before side has no capture; add one');
  });

  test('time on CPU per CPU second', () => {
    const known = { cpuSeconds: 4 };
    expect(refusal(weighed(known), weighed(known), 'per-cpu-second')).toContain('is always 1');
    const perUser = { ...nanoseconds, type: 'cpu-clock:u' };
    expect(refusal(weighed(known, perUser), weighed(known, perUser), 'per-cpu-second')).toContain('is always 1');
    expect(refusal(weighed(known, bytes), weighed(known, bytes), 'per-cpu-second')).toBe('');
  });

  test('sums of different quantities, and sample counts at different rates', () => {
    expect(refusal(weighed({}, nanoseconds), weighed({}, bytes), 'raw')).toContain('measure different things');
    expect(refusal(weighed({}, samples), weighed({}, nanoseconds), 'raw')).toContain('measure different things');
    expect(refusal(weighed({}, nanoseconds), weighed({}, bytes), 'share')).toBe('');
    expect(refusal(weighed({ rateHz: 99 }, samples), weighed({ rateHz: 999 }, samples), 'raw')).toContain(
      'measure the rate',
    );
    expect(refusal(weighed({ rateHz: 99.1 }, samples), weighed({ rateHz: 99 }, samples), 'raw')).toBe('');
  });
});

test('converts units of one dimension', () => {
  const { unit, before, after } = normalise(
    [weighed({}, { ...nanoseconds, unit: 'milliseconds' })],
    [weighed({}, nanoseconds)],
    'raw',
  );
  expect(unit).toBe('milliseconds');
  expect([normalisedValue(5, before[0]!), normalisedValue(5_000_000, after[0]!)]).toEqual([5, 5]);
  expect(normalisedValue(5, { scale: 1, exposure: 0 })).toBe(0);
});

describe('warns, with the effect, about', () => {
  test.each([
    ['different-durations', { durationSeconds: 10 }, { durationSeconds: 20 }],
    ['different-cpu-counts', { cpuCount: 2 }, { cpuCount: 4 }],
    ['different-hosts', { host: 'a' }, { host: 'b' }],
    ['different-kernels', { kernel: '6.1' }, { kernel: '6.2' }],
    ['different-rates', { rateHz: 99 }, { rateHz: 199 }],
  ])('%s', (code, before, after) => {
    const { warnings } = normalise([weighed(before)], [weighed(after)], 'raw');
    expect(warnings.map((warning) => warning.code)).toEqual([code]);
    expect(warnings[0]!.message).toMatch(/^Different .*: .*\.$/);
    expect(codes(weighed(before), weighed(before), 'raw')).toEqual([]);
  });

  test('different events', () => {
    expect(codes(weighed({}, { ...nanoseconds, type: 'wall' }), weighed(), 'raw')).toEqual(['different-events']);
    expect(codes(weighed({ cpuCount: 2 }), weighed({ cpuCount: 4 }), 'share')).toContain('different-cpu-counts');
    expect(codes(weighed({ durationSeconds: 1 }), weighed({ durationSeconds: 2 }), 'per-second')).toEqual([]);
  });
});

describe('the count model', () => {
  const profile = profileFromSketch([{ stack: ['a'], weight: 4 }]);
  const model = (valueType: ValueType, change: Partial<Profile['metadata']> = {}, weights = [4]) =>
    countModel(
      { ...profile, valueTypes: [valueType], metadata: { ...profile.metadata, ...change } },
      0 as ValueTypeIndex,
      Float64Array.from(weights),
    );
  const period = { type: 'cpu', unit: 'nanoseconds', value: 1e7 };

  test.each([
    ['samples', model(samples), { kind: 'unit', weight: 1 }],
    [
      'folded text',
      model({ type: 'before', unit: 'count', event: -1, column: 0 }, { format: 'folded' }),
      { kind: 'unit', weight: 1 },
    ],
    ['folded fractions', model({ type: 'samples', unit: 'count', event: -1, column: 0 }, {}, [0.5]), null],
    ["perf's periods", model(nanoseconds), { kind: 'squares' }],
    ["a tracepoint's payload", model({ type: 'sched:sched_stat_sleep', unit: 'count', event: 0, column: 0 }), null],
    [
      "pprof's period",
      model({ type: 'cpu', unit: 'nanoseconds', event: -1, column: 0 }, { period }),
      { kind: 'unit', weight: 1e7 },
    ],
    ['bytes', model(bytes, { period: { type: 'space', unit: 'bytes', value: 524_288 } }), null],
    ['objects', model({ type: 'alloc_objects', unit: 'count', event: -1, column: 0 }), null],
  ])('of %s', (_, found, wanted) => expect(found).toEqual(wanted));
});
