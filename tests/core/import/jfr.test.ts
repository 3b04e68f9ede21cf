import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { FunctionKind, type Profile } from '#core/model/profile.ts';
import { sampleWeights } from '#core/model/weights.ts';
import { byteSource } from '../../support/byte-source.ts';
import { checkImport } from '../../support/check-import.ts';
import { encodeJfr, JFR_TYPES, jfrTypeId, type EncodedJfr, type JfrTypes } from '../../support/encode/jfr.ts';
import { namesRootFirst } from '../../support/profile-rollup.ts';

for (const name of ['jdk', 'async-profiler']) {
  checkImport({ path: `jfr/${name}.jfr`, format: 'jfr', isText: false });
}

const FIXTURES = join(import.meta.dirname, '../../fixtures/import/jfr');
const fixture = (name: string): Promise<Profile> => read(readFileSync(join(FIXTURES, name)));
const read = (bytes: Uint8Array): Promise<Profile> => importProfile(byteSource(bytes, 'x.jfr'), { format: 'jfr' });

/** Returns the sum of each value type. */
function sums(profile: Profile): Record<string, number> {
  return Object.fromEntries(
    profile.valueTypes.map(({ type, unit }, index) => [
      `${type}/${unit}`,
      sampleWeights(profile, index as ValueTypeIndex).reduce((sum, weight) => sum + weight, 0),
    ]),
  );
}

const codes = ({ diagnostics }: Profile): string[] => diagnostics.map(({ code, count }) => `${code} ${count}`);

/** Constants for samples of one method. */
const constants: EncodedJfr['constants'] = {
  'jdk.types.Symbol': [
    [1, { string: 'a/B' }],
    [2, { string: 'c' }],
    [3, { string: '()V' }],
  ],
  'java.lang.Class': [[1, { name: 1 }]],
  'jdk.types.Method': [[1, { type: 1, name: 2, descriptor: 3 }]],
  'jdk.types.StackTrace': [[1, { truncated: false, frames: [{ method: 1, lineNumber: 5 }] }]],
};
const simple: EncodedJfr = {
  types: JFR_TYPES,
  constants,
  events: [['jdk.ExecutionSample', { startTime: 1, stackTrace: 1 }]],
};
const join2 = (...chunks: readonly Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(chunks));

describe('a flight recording of the JDK', () => {
  it('has a value type for each count, duration and size of its events', async () => {
    expect(sums(await fixture('jdk.jfr'))).toEqual({
      'samples/count': 3,
      'alloc_samples/count': 1,
      'alloc_sample_bytes/bytes': 65_536,
      'jdk.SocketRead/count': 1,
      // 3001 ticks at 2 GHz, rounded down as in the JDK.
      'jdk.SocketRead/nanoseconds': 1500,
      'jdk.SocketRead.bytesRead/bytes': 512,
    });
  });

  it('has times across its chunks, exact although its clock exceeds 2^53', async () => {
    const profile = await fixture('jdk.jfr');
    expect([...profile.samples.time!]).toEqual([10, 1_000_000_001, 1_020_000_000, 1_000_000_500, 1_000_005_000]);
    expect(profile.metadata).toMatchObject({
      startTime: 1_700_000_000_000_000_000n,
      durationNs: 1_500_000_000,
      rateHz: 50,
      tool: 'JDK Flight Recorder',
      toolVersion: '21.0.1+12',
      kernel: '6.1.0-31-amd64',
      arch: 'x86_64',
      cpuCount: 8,
    });
  });

  it('distinguishes Java, native and kernel code, and keeps lines, modules and inlining', async () => {
    const profile = await fixture('jdk.jfr');
    const { functions, frames, samples, strings } = profile;
    expect(namesRootFirst(profile, samples.stack[0]!)).toEqual([]);
    expect(namesRootFirst(profile, samples.stack[1]!)).toEqual([
      'java.lang.Thread.run',
      'app.Größe$$Lambda.0x00007f01.lambda$main$0',
      'app.Größe$$Lambda.0x00007f01.lambda$main$0',
    ]);
    expect(namesRootFirst(profile, samples.stack[2]!)).toEqual(['java.lang.Thread.run', 'read', 'do_syscall_64']);
    const facts = Array.from(functions.kind, (kind, row) => [kind, strings[functions.module[row]!]]);
    expect(facts).toEqual([
      [FunctionKind.jit, ''],
      [FunctionKind.jit, 'java.base'],
      [FunctionKind.kernel, ''],
      [FunctionKind.user, 'libc.so.6'],
    ]);
    expect([...frames.line!]).toEqual([12, 14, 833, 0, 0]);
    expect([...frames.inline]).toEqual([0, 1, 0, 0, 0]);
  });

  it('names threads, including virtual ones, and keeps other facts as labels', async () => {
    const { threads, samples, strings } = await fixture('jdk.jfr');
    expect(Array.from(threads.tid, (tid, row) => [threads.pid[row], tid, strings[threads.name[row]!]])).toEqual([
      [4200, 4202, 'GC Thread#0'],
      [4200, 4201, 'wörker;1'],
      [4200, -1, 'virtual thread 99'],
    ]);
    expect(samples.labelSets).toEqual([
      [{ key: 'state', text: 'STATE_SLEEPING' }],
      [{ key: 'state', text: 'STATE_RUNNABLE' }],
      [{ key: 'objectClass', text: 'java.lang.String[]' }],
      [{ key: 'host', text: 'example.org' }],
    ]);
  });

  it('reports what it left out, truncated and lost', async () => {
    expect(codes(await fixture('jdk.jfr'))).toEqual(['lost-data 1', 'other-events 6', 'truncated-stacks 2']);
  });
});

describe('a flight recording of async-profiler', () => {
  it('weighs samples by its interval', async () => {
    expect(sums(await fixture('async-profiler.jfr'))).toEqual({
      'samples/count': 1,
      'cpu/nanoseconds': 10_000_000,
      'wall_samples/count': 5,
      'wall/nanoseconds': 50_000_000,
      'contentions/count': 2,
      'delay/nanoseconds': 1000,
    });
  });

  it('shows its remarks, and libraries without symbols', async () => {
    const profile = await fixture('async-profiler.jfr');
    expect(namesRootFirst(profile, profile.samples.stack[0]!)).toEqual(['[libplain.so]', '[unknown_Java]']);
    expect(codes(profile)).toEqual(['other-events 6', 'truncated-stacks 1', 'missing-stacks 1', 'unresolved-frames 1']);
  });

  it('has source-level names of native code', async () => {
    const symbols = ['libx.so', '_ZN1a1bEv', '()L;'].map((string, index) => [index + 1, { string }] as const);
    const native = encodeJfr({ ...simple, constants: { ...constants, 'jdk.types.Symbol': symbols } });
    const profile = await read(native);
    expect(namesRootFirst(profile, profile.samples.stack[0]!)).toEqual(['a::b()']);
  });

  it.each([
    ['wall', 'wall/nanoseconds'],
    ['itimer', 'cpu/nanoseconds'],
    ['cache-misses', 'cache-misses/count'],
  ])('names the interval of %s %s', async (event, valueType) => {
    const about: EncodedJfr['events'] = [
      ['jdk.ActiveRecording', { name: 'async-profiler 3.0' }],
      ['jdk.ActiveSetting', { name: 'event', value: event }],
      ['jdk.ActiveSetting', { id: jfrTypeId('jdk.ExecutionSample'), name: 'interval', value: '1000' }],
    ];
    const profile = await read(encodeJfr({ ...simple, events: [...about, ...simple.events!] }));
    expect(sums(profile)).toEqual({ 'samples/count': 1, [valueType]: 1000 });
  });
});

describe('truncated flight recordings', () => {
  const one = encodeJfr(simple);

  it('are read up to their last complete chunk', async () => {
    const profile = await read(join2(one, one.subarray(0, 100)));
    expect(sums(profile)).toEqual({ 'samples/count': 1 });
    expect(profile.diagnostics).toMatchObject([{ code: 'truncated-input', first: { byte: one.length } }]);
  });

  it('are read up to the data after the last chunk', async () => {
    const profile = await read(join2(one, new Uint8Array(500)));
    expect(sums(profile)).toEqual({ 'samples/count': 1 });
    expect(profile.diagnostics).toMatchObject([{ code: 'truncated-input', first: { byte: one.length } }]);
  });

  it.each([
    ['of no size', 0n],
    ['with a size beyond the file', 2n ** 30n],
  ])('are read if a chunk %s has everything it needs', async (_what, size) => {
    const profile = await read(join2(one, encodeJfr({ ...simple, size }), Uint8Array.of(0x90, 0x80)));
    expect(sums(profile)).toEqual({ 'samples/count': 2 });
    expect(codes(profile)).toEqual(['truncated-input 1']);
  });
});

describe('invalid flight recordings', () => {
  const whole = encodeJfr(simple);
  const changed = (at: number, ...bytes: number[]): Uint8Array => {
    const copy = Uint8Array.from(whole);
    copy.set(bytes, at);
    return copy;
  };
  const field = (name: string, type: string): JfrTypes[string][number] => ({ name, type });
  const nested: JfrTypes = { ...JFR_TYPES, 'jdk.ExecutionSample': [field('startTime', 'jdk.types.Nested')] };

  it.each<[string, Uint8Array, string, RegExp, number]>([
    ['an old version', changed(4, 0, 0), 'unsupported', /version 0\.1/, 4],
    ['uncompressed integers', encodeJfr({ ...simple, features: 0n }), 'unsupported', /not compressed/, 64],
    ['a truncated header', whole.subarray(0, 40), 'malformed', /no complete chunk starts here/, 0],
    ['a truncated chunk', whole.subarray(0, 90), 'malformed', /lacks the description of its events/, 90],
    ['an event of length 0', changed(68, 0), 'malformed', /an event of 0 bytes/, 68],
    ['an event beyond its chunk', changed(68, 0xff, 0xff, 0x7f), 'malformed', /beyond its chunk/, 68],
    ['a recording without stacks', encodeJfr({ types: JFR_TYPES }), 'unsupported', /no event .* has a stack/, 0],
    [
      'constants of an unknown type',
      encodeJfr({
        types: { ...JFR_TYPES, 'jdk.types.Symbol': [field('string', 'jdk.types.Gone')] },
        constants: { 'jdk.types.Symbol': [] },
      }),
      'malformed',
      /field of an unknown type/,
      -1,
    ],
    [
      'a type within itself',
      encodeJfr({
        types: { ...nested, 'jdk.types.Nested': [field('again', 'jdk.types.Nested')] },
        events: [],
        constants: { 'jdk.types.Nested': [] },
      }),
      'malformed',
      /a type within itself/,
      -1,
    ],
    [
      'types that grow without end',
      encodeJfr({
        types: {
          ...JFR_TYPES,
          ...Object.fromEntries(
            Array.from({ length: 7 }, (_, level) => [
              `t${level}`,
              Array.from({ length: 20 }, (__, index) => field(`f${index}`, level === 6 ? 'int' : `t${level + 1}`)),
            ]),
          ),
        },
        constants: { t0: [] },
      }),
      'malformed',
      /types with too many fields/,
      -1,
    ],
  ])('%s', async (_what, bytes, failure, message, byte) => {
    await expect(read(bytes)).rejects.toMatchObject({
      failure,
      message: expect.stringMatching(message),
      ...(byte < 0 ? {} : { location: { byte } }),
    });
  });

  it('accept names of any kind', async () => {
    const names = ['__proto__', '<img src=x onerror=alert(1)>', 'a\u0000b\u001b[31m', 'x'.repeat(100_000)];
    for (const name of names) {
      const symbols = constants['jdk.types.Symbol']!.map(
        ([key, value]) => [key, key === 2 ? { string: name } : value] as const,
      );
      const profile = await read(encodeJfr({ ...simple, constants: { ...constants, 'jdk.types.Symbol': symbols } }));
      expect(namesRootFirst(profile, profile.samples.stack[0]!)).toEqual([`a.B.${name}`]);
    }
  });

  it('accept stacks of 100,000 frames', async () => {
    const frames = Array.from({ length: 100_000 }, () => ({ method: 1, lineNumber: 5 }));
    const deep = { ...constants, 'jdk.types.StackTrace': [[1, { truncated: false, frames }] as const] };
    const profile = await read(encodeJfr({ ...simple, constants: deep }));
    expect(profile.stacks.length).toBe(100_000);
  });
});
