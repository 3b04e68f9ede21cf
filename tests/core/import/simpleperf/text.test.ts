import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import { FunctionKind, type Profile } from '#core/model/profile.ts';
import { byteSource } from '../../../support/byte-source.ts';
import { checkImport } from '../../../support/check-import.ts';
import { namesRootFirst, rollUp } from '../../../support/profile-rollup.ts';

checkImport({ path: 'simpleperf-text/report.simpleperf.txt', format: 'simpleperf-text', isText: true });

const REPORT = readFileSync(
  join(import.meta.dirname, '../../../fixtures/import/simpleperf-text/report.simpleperf.txt'),
  'utf8',
);
const read = (text: string): Promise<Profile> => importProfile(byteSource(text, 'x'), { format: 'simpleperf-text' });

describe('a simpleperf report as text', () => {
  it('weighs each event by its count and by its samples', async () => {
    const profile = await read(REPORT);
    expect(profile.valueTypes.map(({ type, unit }, index) => [type, unit, rollUp(profile, index).sum])).toEqual([
      ['cpu-clock', 'nanoseconds', 250_000],
      ['cpu-clock', 'samples', 1],
      ['sched:sched_switch', 'count', 1],
      ['sched:sched_switch', 'samples', 1],
    ]);
  });

  it('has stacks, names for code without a symbol, threads and times', async () => {
    const profile = await read(REPORT);
    const { functions, samples, threads, metadata } = profile;
    expect(Array.from(samples.stack, (stack) => namesRootFirst(profile, stack))).toEqual([
      ['__libc_init', 'org.example.Größe.<init>', 'read'],
      ['soinfo::load()', '[linker64]', '[kernel.kallsyms]'],
    ]);
    const { jit, unresolved, user } = FunctionKind;
    expect([...functions.kind]).toEqual([user, jit, user, unresolved, unresolved, user]);
    expect([...samples.time!]).toEqual([0, 250_000]);
    expect([...threads.tid]).toEqual([7657, 7658]);
    expect(metadata.comments).toEqual(['App: org.example.app', 'Android API level: 34']);
  });

  it('reports what was lost and skipped', async () => {
    const { diagnostics } = await read(REPORT);
    expect(diagnostics.map(({ code, count }) => `${code} ${count}`)).toEqual([
      'lost-samples 4',
      'context-switches 1',
      'unresolved-frames 1',
    ]);
  });

  it('reports that it is truncated', async () => {
    const { diagnostics } = await read(REPORT.slice(0, REPORT.indexOf('lost_situation')));
    expect(diagnostics).toMatchObject([
      { code: 'context-switches' },
      { code: 'truncated-input', first: { line: 45 } },
      {},
    ]);
    expect((await read('sample:\n  event_type: x\n')).diagnostics).toMatchObject([
      { code: 'missing-field', count: 3, first: { line: 1 } },
      { code: 'truncated-input' },
      { code: 'samples-without-stack' },
    ]);
  });

  it('counts lines that do not belong to it', async () => {
    const { diagnostics } = await read(`WARNING: something\n${REPORT}`);
    expect(diagnostics).toMatchObject([{ code: 'skipped-line', count: 1, first: { line: 1 } }, {}, {}, {}]);
  });

  it.each([
    ['  time: soon', 'time', 1],
    ['  vaddr_in_file: xyz', 'vaddr_in_file', 2],
  ])('is refused with %s, with the line', async (line, field, place) => {
    await expect(read(`sample:\n${line}\n`)).rejects.toMatchObject({
      failure: 'malformed',
      message: expect.stringContaining(field),
      location: { line: place },
    });
  });

  it('is refused without samples, with the last line', async () => {
    await expect(read('meta_info:\n  event_type: x\n')).rejects.toMatchObject({
      failure: 'malformed',
      location: { line: 2 },
    });
  });
});
