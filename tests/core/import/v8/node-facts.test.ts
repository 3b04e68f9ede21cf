import { expect, test } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import { findGrowth, type LoopReading } from '#core/import/v8/event-loop.ts';
import { runtimeLines } from '#core/analyze/summary/runtime-lines.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { checkProfile } from '#core/model/check-profile.ts';
import { writeNative } from '#core/model/native/write.ts';
import type { Profile } from '#core/model/profile.ts';
import { sampleWeights } from '#core/model/weights.ts';
import { byteSource } from '../../../support/byte-source.ts';

const nodesOf = (name: string) => [
  { id: 1, callFrame: { functionName: '(root)', url: '', lineNumber: -1, columnNumber: -1 }, children: [2] },
  { id: 2, callFrame: { functionName: name, url: 'file:///a.js', lineNumber: 3, columnNumber: 1 }, hitCount: 2 },
];
const profileOf = (name: string, startTime: number) => ({
  nodes: nodesOf(name),
  startTime,
  endTime: startTime + 2000,
  samples: [2, 2],
  timeDeltas: [0, 1000],
});
const reading = (at: number, resources: Record<string, unknown> | null, count = 90) => ({
  at: at * 1e6,
  count,
  p50: 0.2,
  p99: 4,
  max: 12.5,
  utilisation: 0.5,
  resources,
});
const ABOUT = {
  pid: 812,
  node: 'v24.1.0',
  profile: 'cpu',
  intervalUs: 1000,
  lostWorkers: 0,
  threads: [],
  readings: [],
};

function read(about: object): Promise<Profile> {
  const bytes = new TextEncoder().encode(JSON.stringify({ ...profileOf('inMain', 5000), flamebench: about }));
  return importProfile({
    fileName: 'raw.cpuprofile',
    size: null,
    async *chunks() {
      yield bytes;
    },
  });
}

test('worker threads are threads of the process, on the time axis of its main thread', async () => {
  const threads = [{ title: '[worker 1] pool', url: 'file:///w.js', profile: profileOf('inWorker', 5500) }];
  const { threads: rows, strings, samples, metadata } = await read({ ...ABOUT, threads });
  expect([...rows.pid]).toEqual([812, 812]);
  expect([...rows.name].map((name) => strings[name])).toEqual(['main', '[worker 1] pool']);
  expect([...samples.time!]).toEqual([0, 1e6, 0.5e6, 1.5e6]);
  expect(metadata).toMatchObject({ tool: 'Node', toolVersion: 'v24.1.0', rateHz: 1000, durationNs: 2e6 });
});

test('a heap profile of the same seconds is a value type of its own, of each thread', async () => {
  const heapOf = (name: string, selfSize: number) => ({
    head: {
      callFrame: nodesOf(name)[0]!.callFrame,
      selfSize: 0,
      children: [{ callFrame: nodesOf(name)[1]!.callFrame, selfSize, children: [] }],
    },
  });
  const worker = { title: 'pool', tid: 9, profile: profileOf('inWorker', 5500), heap: heapOf('keeps', 300) };
  const dead = { title: 'no heap', tid: 10, profile: profileOf('inWorker', 5500), heap: null };
  const profile = await read({ ...ABOUT, heap: heapOf('inMain', 700), threads: [worker, dead] });
  checkProfile(profile);
  const { valueTypes, events, strings, samples, threads } = profile;
  expect(valueTypes.map(({ type, unit, event }) => `${events[event]} ${type}/${unit}`)).toEqual([
    'cpu time/microseconds',
    'cpu samples/count',
    'cpu hits/count',
    'heap inuse_space/bytes',
  ]);
  const [time, inUse] = [0, 3].map((row) => sampleWeights(profile, row as ValueTypeIndex));
  expect(time!.reduce((sum, one) => sum + one, 0)).toBe(6000);
  const bytes = [...inUse!.entries()].filter(([, weight]) => weight > 0);
  expect(bytes.map(([row, weight]) => [strings[threads.name[samples.thread[row]!]!], weight])).toEqual([
    ['main', 700],
    ['pool', 300],
  ]);
  expect(bytes.map(([row]) => samples.time![row])).toEqual([Number.NaN, Number.NaN]);
  await expect(read({ ...ABOUT, heap: { head: 'none' } })).rejects.toThrow('head is not an object');
  expect((await read({ ...ABOUT, heap: 'none' })).events).toEqual([]);
});

test('states the event loop, what grows in it, and lost workers', async () => {
  const readings = [10, 60, 120, 180, 240, 300].map((count, at) =>
    reading(at, { GetAddrInfoReqWrap: count, Timeout: 3 }),
  );
  const profile = await read({ ...ABOUT, readings, lostWorkers: 2, renews: false });
  const grew = 'GetAddrInfoReqWrap grew from 10 to 300 in 5 s (59 per second) and did not fall.';
  expect(runtimeLines(profile)).toEqual([
    'event loop: used 50 % of the time; delay p50 200 µs, p99 4 ms, max 12.5 ms (p99 and max of the worst second)',
    'handles and requests, at most: 300 GetAddrInfoReqWrap, 3 Timeout',
    grew,
  ]);
  expect(profile.diagnostics).toEqual([
    expect.objectContaining({ code: 'growing-getaddrinforeqwrap', severity: 'warning', message: grew }),
    expect.objectContaining({ code: 'lost-workers', count: 2 }),
    expect.objectContaining({ code: 'inlined-functions' }),
  ]);
});

test('keeps the event loop as series on the time axis of the samples, also in the native form', async () => {
  // The samples begin at 5,000 µs.
  const readings = [reading(2, { B: 7 }), reading(1, { A: 3, B: 9 })];
  const profile = await read({ ...ABOUT, readings });
  const { metadata } = await importProfile(byteSource(Buffer.concat(writeNative(profile))));
  const at = [0.995e9, 1.995e9];
  const delay = (name: string, value: number) => ({
    name: `loop delay ${name}`,
    unit: 'milliseconds',
    at,
    values: [value, value],
  });
  expect(metadata.series).toEqual([
    { name: 'loop utilisation', unit: 'ratio', at, values: [0.5, 0.5] },
    delay('p50', 0.2),
    delay('p99', 4),
    delay('max', 12.5),
    { name: 'B', unit: 'count', at, values: [9, 7] },
    { name: 'A', unit: 'count', at, values: [3, 0] },
  ]);
});

test('a blocked loop has no delay; resources that were not counted are not zero', async () => {
  const { metadata } = await read({ ...ABOUT, readings: [reading(0, null, 0)] });
  expect(metadata.series!.map(({ name, values }) => [name, values])).toEqual([
    ['loop utilisation', [0.5]],
    ['loop delay p50', [null]],
    ['loop delay p99', [null]],
    ['loop delay max', [null]],
  ]);
  expect(metadata.comments).toEqual(['event loop: used 50 % of the time; delay unknown, because it did not turn']);
});

test.each([
  ['few readings', [0, 200, 400, 600]],
  ['a small growth', [0, 20, 40, 60, 80, 99]],
  ['a level that is reached', [0, 500, 500, 500, 500, 500, 499]],
  ['a wave', [0, 900, 100, 800, 200, 901]],
])('%s is no growth without bound', (_name, counts) => {
  const readings = counts.map((count, at): LoopReading => ({
    at: at * 1e6,
    delay: null,
    utilisation: 0,
    resources: new Map([['Timeout', count]]),
  }));
  expect(findGrowth(readings)).toEqual([]);
});

test.each([
  { threads: 7 },
  { threads: [{ title: 1, profile: { nodes: 'x' } }] },
  { threads: [{ profile: profileOf('x', Number.NaN) }], pid: 'x', node: 7, lostWorkers: -1 },
  { readings: [null, 7, { at: 'x' }, { at: 1, resources: { a: 'b', c: -1 }, p50: -3 }], intervalUs: 0 },
  {
    readings: [
      { at: 1, count: 1, resources: Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`t${at}`, at])) },
    ],
  },
])('%j is read or refused', async (about) => {
  const profile = await read({ ...ABOUT, ...about }).catch((error: unknown) => error as Error);
  if (profile instanceof Error) expect(profile).toMatchObject({ failure: 'malformed' });
  else expect(profile.threads.length).toBeGreaterThan(0);
});
