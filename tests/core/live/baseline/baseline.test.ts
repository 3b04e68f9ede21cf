import { expect, test } from 'vitest';
import { LiveBaseline } from '#core/live/baseline/baseline.ts';
import { LiveStore } from '#core/live/live-store.ts';
import { checkProfile } from '#core/model/check-profile.ts';
import { ProfileBuilder } from '#core/model/profile-builder.ts';
import type { StackIndex, ValueTypeIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { profileFromText } from '../../../support/profile-from-text.ts';

const START = 7_000_000_000_000n;

/** One second of samples: counts by stack, root first. */
function second(at: number, counts: Readonly<Record<string, number>>): Profile {
  const builder = new ProfileBuilder(0);
  const thread = builder.thread(7, 7, 'main');
  for (const [path, count] of Object.entries(counts)) {
    let stack = -1 as StackIndex;
    for (const name of path.split(';'))
      stack = builder.stack(stack, builder.frame({ func: builder.function({ name }) }));
    for (let sample = 0; sample < count; sample++) {
      builder.sample({ stack, thread, time: (sample / count) * 1e9, cpu: 0 });
    }
  }
  return builder.finish([{ type: 'samples', unit: 'count', event: -1, column: -1 }], {
    format: 'folded',
    timeOrigin: START + BigInt(at) * 1_000_000_000n,
    defaultValueType: 0 as ValueTypeIndex,
  });
}

function watched(seconds: number): LiveStore {
  const store = new LiveStore({ format: 'folded', rateHz: 99, tool: 'perf', toolVersion: null, hostName: 'vm' });
  for (let at = 0; at < seconds; at++) store.append(second(at, { ...CALM, ...MANY }), 0n);
  return store;
}

const CALM = { 'main;calm': 150, 'main;odd': 50 };
/** Enough functions for a size, beside those that change. */
const MANY = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`main;f${at}`, 10]));

const names = (store: LiveStore, baseline: LiveBaseline, kind: 'per-second' | 'share'): string[] => {
  const { strings, functions } = store.snapshot(null).profile;
  return baseline
    .states(kind)!
    .filter(({ state }) => state === 'grew' || state === 'shrank')
    .map(({ func, of: measure, state }) => `${strings[functions.name[func]!]!} ${measure} ${state}`)
    .sort();
};

test('finds what has changed since a pinned window, per second and as a share', () => {
  const store = watched(30);
  const { profile, samples, range } = store.snapshot(null);
  const baseline = new LiveBaseline(store, { name: 'pin', profile, seconds: 30, samples, range });
  expect(baseline).toMatchObject({ windows: 29, isJudged: true });
  for (let at = 30; at < 60; at++) {
    baseline.add(store.append(second(at, { ...CALM, ...MANY, 'main;storm': 200 }), 0n), []);
  }
  expect(names(store, baseline, 'per-second')).toEqual(['main total grew', 'storm total grew']);
  expect(names(store, baseline, 'share')).toEqual(['calm total shrank', 'odd total shrank', 'storm total grew']);
});

test('decides no change per second of fewer than eight functions', () => {
  const store = new LiveStore({ format: 'folded', rateHz: 99, tool: 'perf', toolVersion: null, hostName: 'vm' });
  for (let at = 0; at < 30; at++) store.append(second(at, CALM), 0n);
  const { profile, samples, range } = store.snapshot(null);
  const baseline = new LiveBaseline(store, { name: 'pin', profile, seconds: 30, samples, range });
  for (let at = 30; at < 60; at++) baseline.add(store.append(second(at, { 'main;calm': 300, 'main;odd': 20 }), 0n), []);
  expect(baseline).toMatchObject({ isJudged: true, size: null });
  expect(baseline.states('per-second')).toBeNull();
  expect(names(store, baseline, 'share')).toEqual(['calm total grew', 'odd total shrank']);
});

test('leaves out the seconds of a gap', () => {
  const store = watched(30);
  const { profile, samples, range } = store.snapshot(null);
  const gap = [{ start: 30e9, end: 70e9 }];
  const pin = { name: 'pin', profile, seconds: 30, samples, range };
  const [aware, unaware] = [new LiveBaseline(store, pin), new LiveBaseline(store, pin)];
  for (let at = 40; at < 73; at++) {
    // What comes within the gap is not all that was there.
    const rows = store.append(second(at, at < 70 ? { 'main;odd': 50 } : { ...CALM, ...MANY }), 0n);
    aware.add(rows, gap);
    unaware.add(rows, []);
  }
  for (const kind of ['per-second', 'share'] as const) {
    expect(names(store, aware, kind)).toEqual([]);
    expect(names(store, unaware, kind)).not.toEqual([]);
  }
});

test('maps a capture to its own functions, and refuses one with another value type', () => {
  const store = watched(10);
  const before = store.snapshot(null).profile;
  const adopted = store.adopt(profileFromText('main;calm 5\nmain;__proto__ 2'))!;
  checkProfile(adopted);
  expect(adopted.strings.slice(0, before.strings.length)).toEqual(before.strings);
  expect(adopted.samples.weights[0]).toEqual(new Float64Array([5, 2]));
  const pinned = { name: 'capture', profile: adopted, seconds: 2, samples: 7, range: null };
  expect(new LiveBaseline(store, pinned).isJudged).toBe(false);
  const other = profileFromText('main 1');
  expect(store.adopt({ ...other, valueTypes: [{ ...other.valueTypes[0]!, unit: 'bytes' }] })).toBeNull();
});
