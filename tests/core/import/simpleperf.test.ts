import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import { FunctionKind, type Profile } from '#core/model/profile.ts';
import { byteSource } from '../../support/byte-source.ts';
import { checkImport } from '../../support/check-import.ts';
import { encodeSimpleperf, type SimpleperfReport } from '../../support/encode/simpleperf.ts';
import { namesRootFirst, rollUp } from '../../support/profile-rollup.ts';

checkImport({ path: 'simpleperf/report.trace', format: 'simpleperf', isText: false });

const FIXTURE = join(import.meta.dirname, '../../fixtures/import/simpleperf/report.trace');
const read = (bytes: Uint8Array): Promise<Profile> =>
  importProfile(byteSource(bytes, 'x.trace'), { format: 'simpleperf' });

const simple: SimpleperfReport = {
  meta: { events: ['cpu-clock'] },
  samples: [{ time: 1, tid: 2, count: 3, chain: [[0, 0, 4]] }],
  files: [{ id: 0, path: '/lib/a.so', symbols: ['f'] }],
  threads: [{ tid: 2, pid: 1, name: 'main' }],
};

describe('a simpleperf report', () => {
  it('weighs each event by its count and by its samples, even unnamed ones', async () => {
    const profile = await read(readFileSync(FIXTURE));
    expect(profile.valueTypes.map(({ type, unit }, index) => [type, unit, rollUp(profile, index).sum])).toEqual([
      ['cpu-clock', 'nanoseconds', 500_000],
      ['cpu-clock', 'samples', 2],
      ['sched:sched_switch', 'count', 1],
      ['sched:sched_switch', 'samples', 1],
      ['(unknown event)', 'count', 250_000],
      ['(unknown event)', 'samples', 1],
    ]);
  });

  it('counts events after the first 254 as one, and says so', async () => {
    const events = Array.from({ length: 300 }, (_, row) => `event-${row}`);
    const profile = await read(encodeSimpleperf({ ...simple, meta: { events } }));
    expect([profile.events.length, profile.events.at(-1)]).toEqual([255, '(other events)']);
    expect(profile.diagnostics).toMatchObject([{ code: 'many-events', count: 1 }]);
  });

  it('has stacks of all kinds of code with addresses', async () => {
    const profile = await read(readFileSync(FIXTURE));
    const { frames, functions, samples } = profile;
    expect(Array.from(samples.stack, (stack) => namesRootFirst(profile, stack))).toEqual([
      ['__libc_init', 'org.example.Größe.<init>', 'read'],
      ['__libc_init', 'org.example.Hot.run', '[kernel.kallsyms]'],
      ['schedule'],
      [],
    ]);
    const { user, jit, unresolved, kernel } = FunctionKind;
    expect([...functions.kind]).toEqual([user, jit, user, unresolved, jit, kernel]);
    expect(frames.address).toContain(0xffff_ffff_a6a8_b1b5n);
  });

  it('has threads, and times after the first sample', async () => {
    const { samples, threads, strings, metadata } = await read(readFileSync(FIXTURE));
    expect([...samples.time!]).toEqual([0, 250_000, 155_339, 500_000]);
    expect(metadata).toMatchObject({
      timeOrigin: 1_869_019_844_661n,
      comments: ['App: org.example.app', 'Android API level: 34'],
    });
    expect(Array.from(threads.tid, (tid, row) => [threads.pid[row], tid, strings[threads.name[row]!]])).toEqual([
      [7657, 7657, 'org.example.app'],
      [7657, 7658, 'RenderThread'],
      [-1, 7700, ''],
    ]);
  });

  it('reports what was lost, skipped and not unwound', async () => {
    const { diagnostics } = await read(readFileSync(FIXTURE));
    expect(diagnostics.map(({ code, count }) => `${code} ${count}`)).toEqual([
      'unwinding-errors 1',
      'lost-samples 5',
      'context-switches 3',
      'unknown-record 1',
      'unresolved-frames 1',
    ]);
  });

  it('is read without its end if it has its threads, with a diagnostic', async () => {
    const profile = await read(encodeSimpleperf({ ...simple, hasEnd: false }));
    expect(profile.samples.length).toBe(1);
    expect(profile.diagnostics).toMatchObject([{ code: 'truncated-input' }]);
  });

  it('warns of counts beyond 2^53', async () => {
    const sample = { ...simple.samples[0]!, count: 2n ** 60n + 1n };
    const profile = await read(encodeSimpleperf({ ...simple, samples: [sample] }));
    expect(profile.diagnostics).toMatchObject([{ code: 'inexact-weight' }]);
  });

  it('has source-level names of C++ and Rust', async () => {
    const profile = await read(
      encodeSimpleperf({ ...simple, files: [{ id: 0, path: 'a.so', symbols: ['_ZN1a1bEv'] }] }),
    );
    expect(namesRootFirst(profile, profile.samples.stack[0]!)).toEqual(['a::b()']);
  });

  it('accepts names of any kind', async () => {
    for (const name of ['__proto__', '<b>x</b>', 'a\u0000b', 'x'.repeat(100_000)]) {
      const profile = await read(encodeSimpleperf({ ...simple, files: [{ id: 0, path: name, symbols: [name] }] }));
      expect(namesRootFirst(profile, profile.samples.stack[0]!)).toEqual([name]);
    }
  });
});

describe('refused simpleperf reports', () => {
  const whole = encodeSimpleperf(simple);

  it.each<[string, Uint8Array, string, RegExp, number]>([
    ['another version', encodeSimpleperf({ ...simple, version: 2 }), 'unsupported', /version 2/, 10],
    ['a truncated header', whole.subarray(0, 11), 'malformed', /ends within the header/, 11],
    ['a report that ends before its names', whole.subarray(0, 60), 'malformed', /before its names/, 60],
    ['no samples', encodeSimpleperf({ ...simple, samples: [] }), 'malformed', /no samples/, -1],
    ['a damaged record', Uint8Array.from(whole).fill(0xff, 16, 30), 'malformed', /^simpleperf: /, 16],
  ])('%s', async (_what, bytes, failure, message, byte) => {
    await expect(read(bytes)).rejects.toMatchObject({
      failure,
      message: expect.stringMatching(message),
      ...(byte < 0 ? {} : { location: { byte } }),
    });
  });
});
