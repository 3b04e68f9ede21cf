import { expect, test } from 'vitest';
import { ClockWatch, readClocks, type ClockReading } from '#app/engine/live/clocks.ts';
import { LiveTime } from '#app/engine/live/live-time.ts';
import { SourceClock } from '#app/engine/live/source-clock.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { profileFromText } from '../../../support/profile-from-text.ts';

const at = (seconds: number, more: Partial<ClockReading> = {}): ClockReading => ({
  monotonic: 100 + seconds,
  boot: 500 + seconds,
  targetBoot: 900 + seconds,
  targetTime: 1_700_000_000 + seconds,
  ...more,
});
const texts = (kind: 'local' | 'ssh', readings: readonly ClockReading[]): string[] => {
  const watch = new ClockWatch({ kind, host: 'web1' });
  return readings.flatMap((reading) => watch.add(reading)).map(({ text }) => text);
};

test('a clock that was set is told once two readings agree; a delayed reading is not one', () => {
  const stepped = (seconds: number): ClockReading => at(seconds, { targetTime: 1_700_003_600 + seconds });
  const said = 'The clock of web1 was set forward by 60 min; samples keep their own times.';
  expect(texts('ssh', [at(0), at(1), stepped(2), stepped(3), stepped(4)])).toEqual([said]);
  expect(texts('ssh', [at(0), stepped(1), at(2), stepped(3), at(4)])).toEqual([]);
  const back = (seconds: number): ClockReading => at(seconds, { targetTime: 1_700_000_000 + seconds - 0.7 });
  expect(texts('local', [at(0), back(1), back(2)])).toEqual([
    'The clock of this machine was set back by 0.7 s; samples keep their own times.',
  ]);
  // Over a link, a second may be rounding.
  expect(texts('ssh', [at(0), back(1), back(2)])).toEqual([]);
  // NTP slews the clock by half a millisecond a second.
  expect(
    texts(
      'local',
      [...Array(5000).keys()].map((s) => at(s, { targetTime: 1.7e9 + s * 1.0005 })),
    ),
  ).toEqual([]);
});

test('sleep of this machine, and a host that stood still, are told', () => {
  const slept = (seconds: number): ClockReading => at(seconds + 90, { monotonic: 100 + seconds });
  expect(texts('local', [at(0), slept(1), slept(2)])).toEqual(['This machine slept for 90.0 s: nothing was sampled.']);
  const still = (seconds: number): ClockReading =>
    at(seconds + 600, { targetBoot: 900 + seconds, targetTime: 1_700_000_000 + seconds });
  expect(texts('ssh', [at(0), still(1), still(2)])).toEqual(['web1 stood still for 10 min: nothing was sampled.']);
  expect(texts('ssh', [at(0), at(1, { targetBoot: Number.NaN, targetTime: Number.NaN }), at(2)])).toEqual([]);
});

test('the clocks of this machine are its own, those of a host what it printed', () => {
  const clock = { now: () => 5000, monotonic: () => 7000 };
  const there = { boot: 3, time: 4 };
  const local = readClocks({ kind: 'local' }, clock, there);
  expect(local).toMatchObject({ monotonic: 7, targetBoot: local.boot, targetTime: 5 });
  expect(local.boot).toBeGreaterThan(0);
  expect(readClocks({ kind: 'ssh' }, clock, there)).toMatchObject({ monotonic: 7, targetBoot: 3, targetTime: 4 });
});

test('the source’s clock: late samples settle as a time in which it stood still', () => {
  const clock = new SourceClock();
  expect(clock.add(0, 500, 1000)).toMatchObject({ latencyMs: 500, event: null });
  expect(clock.add(500, 1000, 1600)).toMatchObject({ latencyMs: 600, event: null });
  // It slept for a minute; a link that was slow for as long would catch up.
  const after = [0, 1, 2, 3, 4, 5, 6].map((s) => clock.add(1000 + s * 1000, 1500 + s * 1000, 62_000 + s * 1000));
  expect(after.map(({ event }) => event?.stillSeconds ?? null)).toEqual([null, null, null, null, null, 60, null]);
  expect(after.at(-1)!.latencyMs).toBe(500);
  const caughtUp = [20_000, 21_000].map((now) => clock.add(now - 12_000, now - 11_000, 54_500 + now));
  expect(caughtUp.every(({ event }) => event === null)).toBe(true);
});

test('the source’s clock: steps are told at once, and later times stay in order', () => {
  const clock = new SourceClock();
  clock.add(10_000, 10_500, 1000);
  expect(clock.add(70_000, 70_500, 2000).event?.text).toBe('The clock of the samples went ahead by 59.0 s.');
  const back = clock.add(5000, 5500, 3000);
  expect(back).toMatchObject({ shiftMs: 65_500, event: { text: 'The clock of the samples went back by 65.0 s.' } });
  expect(clock.add(5500, 6000, 3500)).toMatchObject({ shiftMs: 65_500, event: null });
});

test('a session’s times: a step is a gap, a sleep one without length, and neither is filled in', async () => {
  const notes: string[] = [];
  const target = createLocalTarget();
  let now = 1000;
  const clock = { now: () => 0, monotonic: () => now };
  let slept = 0;
  const read = () => at(now / 1000, { boot: 500 + now / 1000 + slept });
  const there = { boot: 0, time: 0 };
  const time = new LiveTime(target, clock, (kind, text) => notes.push(`${kind} ${text}`), read);
  const base = profileFromText('a;b 1');
  const times = Float64Array.of(0);
  const sampled = (seconds: number) => ({
    ...base,
    samples: { ...base.samples, time: times },
    metadata: { ...base.metadata, timeOrigin: BigInt(seconds * 1e9) },
  });
  const push = (seconds: number, newest: number | null): void => {
    const { profile } = time.place(sampled(seconds), null, newest);
    const start = Number(profile!.metadata.timeOrigin! - 10_000_000_000n);
    time.add({ stack: new Int32Array(1), time: Float64Array.of(start), weight: times }, null, 0n);
  };
  push(10, null);
  now = 2000;
  push(40, 0);
  expect(notes).toEqual(['clock The clock of the samples went ahead by 29.0 s.', 'gap A gap: no samples for 30.0 s.']);
  expect(time.gaps.noted).toEqual([{ start: 0, end: 30e9 }]);
  expect(time.compare(there, 30e9)).toBe(false);
  slept = 3600;
  expect(time.compare(there, 30e9)).toBe(false);
  expect(time.compare(there, 30e9)).toBe(true);
  expect(notes.at(-1)).toBe('gap This machine slept for 60 min: nothing was sampled.');
  expect(time.gaps.noted.at(-1)).toEqual({ start: 30e9, end: 30e9, stillSeconds: 3600 });
  expect(time.gaps.seconds).toBe(3630);
  await target.dispose();
});
