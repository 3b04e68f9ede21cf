import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../support/byte-source.ts';
import { checkImport } from '../../support/check-import.ts';
import { rollUp } from '../../support/profile-rollup.ts';

checkImport({ path: 'massif/server.massif', format: 'massif', isText: true });

const HEAD = 'desc: x\ncmd: x\ntime_unit: i\n';
const snapshot = (number: number, kind: string, ...rows: readonly string[]): string =>
  `snapshot=${number}\ntime=1\nmem_heap_B=9\nmem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=${kind}\n${rows.join('\n')}\n`;
const read = (text: string): Promise<Profile> => importProfile(byteSource(HEAD + text));

describe('massif', () => {
  it('puts callers below callees, starts with the peak, and has times only if they are times', async () => {
    const profile = await read(
      snapshot(1, 'peak', 'n1: 9 (heap)', ' n1: 9 0x1: alloc (a.c:1)', '  n0: 4 0x2: main (a.c:2)') +
        snapshot(2, 'detailed', 'n1: 5 (heap)', ' n0: 5 0x1: alloc (a.c:1)'),
    );
    expect(profile.valueTypes.map(({ type }) => type)).toEqual(['snapshot 1 (peak)', 'snapshot 2']);
    expect(profile.metadata.defaultValueType).toBe(0);
    expect([0, 1].map((type) => rollUp(profile, type).sum)).toEqual([9, 5]);
    expect([...rollUp(profile, 0).self]).toEqual([['alloc', 9]]);
    expect([...rollUp(profile, 0).total]).toEqual([
      ['main', 4],
      ['alloc', 9],
    ]);
    expect(profile.samples.time).toBeNull();
  });

  it.each([
    ['missing rows', snapshot(1, 'peak', 'n2: 9 (heap)', ' n0: 9 0x1: f (a.c:1)'), 'truncated-input', 10],
    [
      'rows that hold less than the rows below them',
      snapshot(1, 'peak', 'n1: 9 (heap)', ' n0: 10 0x1: f (a.c:1)'),
      'children-exceed',
      10,
    ],
  ])('counts %s', async (_, text, code, line) => {
    expect((await read(text)).diagnostics).toMatchObject([{ code, first: { line } }]);
  });

  it.each([
    ['meaningless lines', snapshot(1, 'peak', 'n0: 9 (heap)', 'oops'), 'skipped-line', 11],
    ['numbers beyond 2^53', snapshot(1, 'peak', 'n0: 9007199254740993 (heap)'), 'inexact-weight', 10],
  ])('counts %s in a snapshot without a stack, and the sample', async (_, text, code, line) => {
    expect((await read(text)).diagnostics).toMatchObject([
      { code, first: { line } },
      { code: 'samples-without-stack', count: 1 },
    ]);
  });

  it('keeps the peak, however many snapshots there are', async () => {
    const many = Array.from({ length: 300 }, (_, row) => snapshot(row, 'detailed', `n0: ${row + 1} (heap)`)).join('');
    const profile = await read(many + snapshot(300, 'peak', 'n0: 7 (heap)'));
    expect(profile.valueTypes).toHaveLength(251);
    expect(rollUp(profile, profile.metadata.defaultValueType).sum).toBe(7);
    expect(profile.diagnostics).toMatchObject([
      { code: 'snapshots-left-out', count: 50 },
      { code: 'samples-without-stack', count: 251 },
    ]);
  });

  it.each([
    ['snapshots without stacks', snapshot(1, 'empty'), { line: 10 }],
    ['a row that is too deep', snapshot(1, 'peak', 'n1: 9 (heap)', '  n0: 9 0x1: f (a.c:1)'), { line: 11 }],
    ['two snapshots of one number', snapshot(1, 'peak', 'n0: 9 (heap)') + snapshot(1, 'peak'), { line: 16 }],
  ])('refuses %s', async (_, text, location) => {
    await expect(read(text)).rejects.toMatchObject({ failure: 'malformed', location });
  });
});
