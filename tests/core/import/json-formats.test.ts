import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import { FunctionKind } from '#core/model/profile.ts';
import { sampleWeights } from '#core/model/weights.ts';
import { byteSource } from '../../support/byte-source.ts';
import { checkImport } from '../../support/check-import.ts';
import { rollUp } from '../../support/profile-rollup.ts';

checkImport({ path: 'cpuprofile/everything.cpuprofile', format: 'cpuprofile', isText: true });
checkImport({ path: 'cpuprofile/before-node-8.cpuprofile', format: 'cpuprofile', isText: true });
checkImport({ path: 'heapprofile/everything.heapprofile', format: 'heapprofile', isText: true });
checkImport({ path: 'speedscope/everything.speedscope.json', format: 'speedscope', isText: true });
checkImport({ path: 'chrome-trace/spans.json', format: 'chrome-trace', isText: true });
checkImport({ path: 'chrome-trace/v8-in-chunks.json', format: 'chrome-trace', isText: true });
checkImport({ path: 'chrome-trace/samples.json', format: 'chrome-trace', isText: true });

const read = (json: unknown, name = 'input.json', format?: string): ReturnType<typeof importProfile> =>
  importProfile(
    byteSource(typeof json === 'string' ? json : JSON.stringify(json), name),
    format === undefined ? {} : { format },
  );

const callFrame = (functionName: string, lineNumber = 0): object => ({
  functionName,
  url: 'a.js',
  lineNumber,
  columnNumber: 0,
});
const cpuprofile = (change: object): object => ({
  nodes: [
    { id: 1, callFrame: { functionName: '(root)', url: '' }, children: [2] },
    { id: 2, callFrame: callFrame('f') },
  ],
  startTime: 0,
  endTime: 30,
  samples: [2, 2],
  timeDeltas: [10, 20],
  ...change,
});

it('keeps names of invalid UTF-8 apart in JSON', async () => {
  const json = JSON.stringify(cpuprofile({ nodes: [1, 2].map((id) => ({ id, callFrame: callFrame(`größe${id}`) })) }));
  // Two names that end in one byte each which is not UTF-8; the rest of the file is.
  const bytes = Buffer.from(json.replace('e1', 'e\x01').replace('e2', 'e\x02'));
  bytes.forEach((byte, at) => void (byte < 3 && (bytes[at] = 0xfd + byte)));
  const profile = await importProfile(byteSource(bytes, 'a.cpuprofile'));
  expect(Array.from(profile.functions.name, (name) => profile.strings[name])).toEqual(['größeþ', 'größeÿ']);
  expect(profile.diagnostics).toMatchObject([{ code: 'not-utf8' }]);
});

describe('V8 CPU profiles', () => {
  it('keep functions apart that begin on one line at different columns', async () => {
    const at = (columnNumber: number): object => ({ functionName: 'f', url: 'a.js', lineNumber: 0, columnNumber });
    const profile = await read(cpuprofile({ nodes: [1, 2].map((id) => ({ id, callFrame: at(id) })), samples: [1, 2] }));
    expect(profile.functions.length).toBe(2);
  });

  it('sort late samples', async () => {
    const profile = await read(cpuprofile({ samples: [2, 2, 2], timeDeltas: [10, 20, -5] }));
    expect([...sampleWeights(profile, profile.metadata.defaultValueType)]).toEqual([15, 5, 0]);
    expect(profile.diagnostics).toMatchObject([{ code: 'reordered-samples', count: 1 }]);
  });

  it('have the weights of Chrome DevTools: until the next sample, or the end', async () => {
    const path = '../../fixtures/import/cpuprofile/deno.cpuprofile';
    const { self, sum } = rollUp(await read(readFileSync(join(import.meta.dirname, path), 'utf8')), 0);
    expect([self.get('(idle)'), self.get('Event'), self.get('leaf'), sum]).toEqual([16_929, 1_161, 590_590, 625_386]);
  });

  it('give the last sample the mean interval if the end is unknown', async () => {
    const profile = await read(cpuprofile({ samples: [2, 2, 2], timeDeltas: [100, 10, 20], endTime: undefined }));
    expect([...profile.samples.weights[0]!]).toEqual([10, 20, 15]);
  });

  it('ignore a start beyond the range of numbers', async () => {
    const { metadata } = await read(cpuprofile({ startTime: 1e308, endTime: 1.7e308 }));
    expect(metadata).toMatchObject({ timeOrigin: null, durationNs: null });
  });

  it.each([
    ['a sample of an unknown node', { samples: [2, 9] }, 'samples[1] names node 9'],
    ['too few times', { timeDeltas: [1] }, '2 samples and 1 times'],
    ['a node without id', { nodes: [{ callFrame: callFrame('f') }] }, 'nodes[0].id is not a number'],
    [
      'a call tree with a cycle',
      { nodes: [{ id: 1, callFrame: callFrame('f'), children: [1] }] },
      'do not lead to the root',
    ],
    [
      'two nodes of one id, which may call themselves without end',
      {
        nodes: [
          { id: 1, callFrame: callFrame('f'), children: [2] },
          { id: 2, callFrame: callFrame('g') },
          { id: 2, callFrame: callFrame('h'), children: [2] },
        ],
      },
      'nodes[2] has the id 2 of another node',
    ],
    ['nodes that are none', { nodes: { id: 1 } }, 'nodes is not an array'],
  ])('refuse %s', async (_, change, message) => {
    await expect(read(cpuprofile(change), 'a.cpuprofile', 'cpuprofile')).rejects.toMatchObject({
      failure: 'malformed',
      message: expect.stringContaining(message) as string,
    });
  });

  it('report where the text is not JSON', async () => {
    const text = `${JSON.stringify(cpuprofile({})).slice(0, -1)},"é":oops}`;
    const byte = Buffer.from(text.slice(0, text.indexOf('oops'))).length;
    await expect(read(text)).rejects.toMatchObject({ failure: 'malformed', location: { byte } });
  });

  it('accept a tree of 100,000 levels', async () => {
    const depth = 100_000;
    const nodes = Array.from({ length: depth }, (_, row) => ({
      id: row + 1,
      callFrame: callFrame(`f${row % 10}`),
      ...(row === 0 ? {} : { parent: row }),
    }));
    const profile = await read(cpuprofile({ nodes, samples: [depth], timeDeltas: [1] }));
    expect(profile.stacks.length).toBe(depth);
  });
});

describe('speedscope files', () => {
  const file = (profile: object): object => ({
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    shared: { frames: [{ name: 'a' }, { name: '__proto__' }] },
    profiles: [{ name: 'p', unit: 'none', startValue: 0, endValue: 1, ...profile }],
  });

  it('accept JavaScript’s own names', async () => {
    const profile = await read(file({ type: 'sampled', samples: [[0, 1]], weights: [2] }));
    expect([...rollUp(profile, 0).folded]).toEqual([['a;__proto__', 2]]);
  });

  it('of py-spy have lines in frames, IDs in threads, modules for native code, and no times', async () => {
    const frames = [
      { name: 'hot', file: '/app.py', line: 4 },
      { name: 'hot', file: '/app.py', line: 5 },
      { name: '0x7f00', file: '/lib/libc.so.6', line: 0 },
    ];
    const common = { type: 'sampled', unit: 'seconds', startValue: 0, endValue: 0.02, weights: [0.01, 0.01] };
    const { functions, threads, strings, samples, ...profile } = await read({
      ...file({}),
      exporter: 'py-spy@0.4.3',
      shared: { frames },
      profiles: [
        { ...common, name: 'Thread 8 "worker"', samples: [[0], [1]] },
        { ...common, name: 'Process 7 Thread 9 ""', samples: [[2], [2]] },
      ],
    });
    const texts = (rows: Iterable<number>): string[] => [...rows].map((row) => strings[row]!);
    expect(texts(functions.name)).toEqual(['hot', '0x7f00']);
    expect(texts(functions.module)).toEqual(['', '/lib/libc.so.6']);
    expect([...functions.kind]).toEqual([FunctionKind.unknown, FunctionKind.unresolved]);
    expect([...profile.frames.line!]).toEqual([4, 5, 0]);
    expect([...threads.pid]).toEqual([-1, 7]);
    expect([...threads.tid]).toEqual([8, 9]);
    expect(texts(threads.name)).toEqual(['worker', 'Process 7 Thread 9']);
    expect(samples.time).toBeNull();
  });

  it('skip events that neither open nor close a frame, and count them', async () => {
    const events = [
      { type: 'O', frame: 0, at: 0 },
      { type: 'X', frame: 0, at: 1 },
      { type: 'C', frame: 0, at: 3 },
    ];
    const profile = await read(file({ type: 'evented', endValue: 3, events }));
    expect([...rollUp(profile, 0).folded]).toEqual([['a', 3]]);
    expect(profile.diagnostics).toMatchObject([{ code: 'unknown-event', count: 1 }]);
  });

  it('count ends of frames that are not open, however many are', async () => {
    const rows = Array.from({ length: 50_000 }, (_, row) => row);
    const events = [
      ...rows.map((row) => ({ type: 'O', frame: 0, at: row })),
      ...rows.map(() => ({ type: 'C', frame: 1, at: 50_000 })),
    ];
    const { diagnostics } = await read(file({ type: 'evented', endValue: 50_000, events }));
    expect(diagnostics).toMatchObject([
      { code: 'unmatched-end', count: 50_000 },
      { code: 'unfinished', count: 50_000 },
    ]);
  });

  it.each([
    ['a frame that is not there', { type: 'sampled', samples: [[7]], weights: [1] }, 'is 7, of 2 rows'],
    ['more weights than samples', { type: 'sampled', samples: [], weights: [1] }, '0 samples and 1 weights'],
    ['a weight in text form', { type: 'sampled', samples: [[0]], weights: ['1'] }, 'weights[0] is not a number'],
    ['another kind', { type: 'drawn' }, 'neither sampled nor evented'],
    ['another unit', { type: 'sampled', unit: 'miles', samples: [], weights: [] }, 'unknown unit "miles"'],
    [
      'events that go back in time',
      { type: 'evented', events: [5, 4].map((at) => ({ type: 'O', frame: 0, at })) },
      'earlier than the one before',
    ],
  ])('refuse %s', async (_, profile, message) => {
    await expect(read(file(profile))).rejects.toMatchObject({
      failure: 'malformed',
      message: expect.stringContaining(message) as string,
    });
  });
});

describe('traces', () => {
  it('read a sampled stack of 50,000 frames', async () => {
    const names = Array.from({ length: 50_000 }, (_, row) => [
      row,
      { name: `f${row}`, ...(row > 0 ? { parent: row - 1 } : {}) },
    ]);
    const samples = [1, 3].map((ts) => ({ ts, sf: 49_999, tid: 1 }));
    const profile = await read({ traceEvents: [], stackFrames: Object.fromEntries(names), samples });
    expect([profile.stacks.length, ...profile.samples.weights[0]!]).toEqual([50_000, 2, 0]);
  });

  const edges = (...events: readonly [ph: string, name: string, ts: number, args?: object][]): object[] =>
    events.map(([ph, name, ts, args]) => ({ ph, name, ts, pid: 1, tid: 1, args }));

  it('keep the order of starts and ends at one timestamp if it balances', async () => {
    const [main, q, a, c] = [{ line: 1 }, { line: 2 }, { line: 3 }, { line: 4 }];
    const profile = await read(
      edges(
        ['B', 'main', 0, main],
        ['B', 'q', 0, q],
        ['B', 'a', 0, a],
        ['E', 'a', 10, a],
        ['E', 'q', 10, q],
        ['B', 'a', 10, a],
        ['E', 'a', 20, a],
        ['B', 'c', 20, c],
        ['E', 'c', 100, c],
        ['E', 'main', 100, main],
      ),
    );
    expect(Object.fromEntries(rollUp(profile, 0).folded)).toEqual({ 'main;q;a': 10, 'main;a': 10, 'main;c': 80 });
    expect(profile.diagnostics).toEqual([]);
  });

  it('have ends first at one timestamp if the order of the trace does not balance', async () => {
    const profile = await read(edges(['B', 'a', 0], ['B', 'b', 10], ['E', 'a', 10], ['E', 'b', 30]));
    expect(Object.fromEntries(rollUp(profile, 0).folded)).toEqual({ a: 10, b: 20 });
    expect(profile.diagnostics).toEqual([]);
  });

  it('take file and line of a frame from its arguments, and keep others in the name', async () => {
    const args = { filename: 'a.py', line: 7, depth: 2 };
    const profile = await read(
      edges(['X', 'f', 0, { filename: 'a.py', line: 7 }], ['B', 'g', 1, args], ['E', 'g', 2, args]),
    );
    const { strings, functions, frames } = profile;
    expect([...functions.name].map((row) => strings[row])).toEqual(['f', 'g {"depth":2}']);
    expect([...functions.file].map((row) => strings[row])).toEqual(['a.py', 'a.py']);
    expect([...frames.line!]).toEqual([7, 7]);
  });

  it('contain a CPU profile, read without the nodes that have no parent, which are counted', async () => {
    const nodes = [
      { id: 1, callFrame: { functionName: '(root)', url: '' } },
      ...Array.from({ length: 60 }, (_, row) => ({
        id: row + 2,
        parent: row < 58 ? 1 : 900,
        callFrame: callFrame(`f${row}`),
      })),
    ];
    const cpuProfile = { nodes, samples: [2, 61, 3], startTime: 0, endTime: 130 };
    const data = { cpuProfile, timeDeltas: [10, 20, 70] };
    const profile = await read([
      { ph: 'P', name: 'Profile', pid: 1, tid: 1, id: '0x1', ts: 0, args: { data: { startTime: 0 } } },
      { ph: 'P', name: 'ProfileChunk', pid: 1, tid: 1, id: '0x1', ts: 1, args: { data } },
    ]);
    expect([...profile.samples.weights[0]!]).toEqual([20, 30]);
    expect(profile.diagnostics).toMatchObject([
      {
        code: 'orphan-nodes',
        count: 2,
        message: '2 of 61 nodes have no parent and were skipped (58.3 % of the time).',
      },
    ]);
  });

  it('are read to the last whole event if the array is not closed, with a diagnostic', async () => {
    const event = (name: string): string => JSON.stringify({ ph: 'X', pid: 1, tid: 1, ts: 1, dur: 2, name });
    const profile = await read(`[${event('whole')},\n${event('cut').slice(0, -9)}`);
    expect([...rollUp(profile, 0).folded]).toEqual([['whole', 2]]);
    expect(profile.diagnostics).toMatchObject([{ code: 'unfinished-file', severity: 'warning' }]);
  });

  it('count entries that are not events, with the first location', async () => {
    const event = { ph: 'X', pid: 1, tid: 1, ts: 1, dur: 2, name: 'a' };
    const profile = await read([event, null, 5, { ...event, ts: 9 }, 'x']);
    expect([...rollUp(profile, 0).folded]).toEqual([['a', 4]]);
    expect(profile.diagnostics).toMatchObject([
      { code: 'skipped-event', count: 3, message: expect.stringContaining('traceEvents[1]') as string },
    ]);
  });

  it.each([
    ['beyond 2^31', 2 ** 32, 2 ** 32 + 1],
    ['in text form', 'left', 'right'],
  ])('keep threads of one name apart whose ids are %s', async (_, first, second) => {
    const event = (ph: string, name: string, tid: unknown, ts: number): object => ({ ph, name, pid: 1, tid, ts });
    const named = (tid: unknown): object => ({ ...event('M', 'thread_name', tid, 0), args: { name: 'worker' } });
    const spans = [event('B', 'A', first, 0), event('B', 'B', second, 10)];
    const ends = [event('E', 'A', first, 100), event('E', 'B', second, 110)];
    const profile = await read([named(first), named(second), ...spans, ...ends]);
    expect([...rollUp(profile, 0).folded]).toEqual([
      ['A', 100],
      ['B', 100],
    ]);
    const names = Array.from(profile.threads.name, (name) => profile.strings[name]);
    expect(names).toEqual(['worker', 'worker (2)']);
    const stackFrames = { 1: { name: 'f' } };
    const samples = [first, second, first, second].map((tid, row) => ({ pid: 1, tid, ts: row * 10, sf: 1 }));
    const sampled = await read({ traceEvents: [named(first), named(second)], stackFrames, samples });
    expect([...rollUp(sampled, 0).folded]).toEqual([['f', 40]]);
  });

  it('end the innermost span where an end has no name', async () => {
    const event = (ph: string, ts: number, name?: string): object => ({ ph, ts, name, pid: 1, tid: 1 });
    const nested = [event('B', 0, 'A'), event('B', 10, 'B'), event('E', 20), event('E', 30)];
    const profile = await read([...nested, event('B', 100, 'C'), event('E', 200)]);
    expect([...rollUp(profile, 0).folded]).toEqual([
      ['A', 20],
      ['A;B', 10],
      ['C', 100],
    ]);
    expect(profile.diagnostics).toEqual([]);
  });

  it('read ends without a name in the order of the trace if spans start at the same time', async () => {
    const event = (ph: string, ts: number, name?: string): object => ({ ph, ts, name, pid: 1, tid: 1 });
    const next = [event('B', 0, 'A'), event('E', 10), event('B', 10, 'B'), event('E', 30)];
    const empty = [event('B', 40, 'C'), event('B', 50, 'D'), event('E', 50), event('E', 60)];
    const profile = await read([...next, ...empty, event('E', 70)]);
    expect([...rollUp(profile, 0).folded]).toEqual([
      ['A', 10],
      ['B', 20],
      ['C', 20],
      ['C;D', 0],
    ]);
    expect(profile.diagnostics).toMatchObject([{ code: 'unmatched-end', count: 1 }]);
  });

  it('are read to the last whole event if they end within a text of 16 MiB', async () => {
    const whole = JSON.stringify({ ph: 'X', pid: 1, tid: 1, ts: 1, dur: 2, name: 'whole' });
    const profile = await read(`[${whole},\n{"ph":"X","name":"${'a'.repeat(2 ** 24)}`);
    expect([...rollUp(profile, 0).folded]).toEqual([['whole', 2]]);
    expect(profile.diagnostics).toMatchObject([{ code: 'unfinished-file', severity: 'warning' }]);
  });

  it.each(['', ',{"ph":"X","na', ',{"ph":"X","ts":-', ',{"ph":"X","id":tru'])(
    'refuse an object that ends after %j, as truncated',
    async (cut) => {
      const text = `{"traceEvents":[{"ph":"X","name":"a","ts":1,"dur":1}${cut}`;
      await expect(read(text)).rejects.toMatchObject({
        failure: 'malformed',
        message: 'the JSON text is truncated',
        location: { byte: text.length },
      });
    },
  );

  it('refuse stack frames that call one another in a cycle', async () => {
    const stackFrames = { 1: { name: 'a', parent: 2 }, 2: { name: 'b', parent: 1 } };
    await expect(read({ traceEvents: [], samples: [{ ts: 1, sf: 1 }], stackFrames })).rejects.toMatchObject({
      failure: 'malformed',
      message: expect.stringContaining('cycle') as string,
    });
  });

  it.each([['[]'], ['[1]'], ['{"traceEvents":[]}'], ['{"traceEvents":{}}']])('refuse %s', async (text) => {
    await expect(read(text, 'a.json', 'chrome-trace')).rejects.toMatchObject({ failure: 'malformed' });
  });
});
