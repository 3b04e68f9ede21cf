import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import { importers } from '#core/import/registry.ts';
import { makeHead } from '#core/import/detect.ts';
import { NO_STACK } from '#core/model/brand.ts';
import { byteSource } from '../../support/byte-source.ts';
import { checkImport } from '../../support/check-import.ts';
import { profileFromText } from '../../support/profile-from-text.ts';
import { namesRootFirst, rollUp } from '../../support/profile-rollup.ts';

checkImport({ path: 'folded/annotations.folded', format: 'folded', isText: true });
checkImport({ path: 'folded/diff.folded', format: 'folded', isText: true });

const folded = (text: string | Uint8Array, fileName = 'test.folded'): ReturnType<typeof importProfile> =>
  importProfile(byteSource(text, fileName));

describe('folded text', () => {
  it('interns frames and stacks, keeps every line as a sample', () => {
    const profile = profileFromText('a;b;c 3\na;b 2\na;b;c 1');
    expect(profile.samples.length).toBe(3);
    expect(profile.stacks.length).toBe(3);
    expect(profile.functions.length).toBe(3);
    expect([...profile.samples.weights[0]!]).toEqual([3, 2, 1]);
  });

  it('has no stack for a line that is only a number', async () => {
    const profile = await folded('a;b 1\n 5\nc;d 2\n');
    expect(profile.samples.length).toBe(2);
    expect(profile.diagnostics).toMatchObject([{ code: 'skipped-line', count: 1, first: { line: 2 } }]);
    expect([...profile.samples.stack]).not.toContain(NO_STACK);
  });

  it('reads names that are not UTF-8 as Latin-1, and says so', async () => {
    const bytes = Buffer.concat([
      Buffer.from('a;gr'),
      Buffer.from([0xf6, 0xdf]),
      Buffer.from('e 3\na;gr'),
      Buffer.from([0xf6, 0xe4]),
      Buffer.from('e 4\n'),
    ]);
    const profile = await folded(bytes);
    expect([...rollUp(profile, 0).folded]).toEqual([
      ['a;größe', 3],
      ['a;gröäe', 4],
    ]);
    expect(profile.diagnostics).toMatchObject([{ code: 'not-utf8', count: 2, first: { line: 1 } }]);
  });

  it('keeps NULs and control characters in names', async () => {
    const profile = await folded('a;b\0c;\u001b[31m 3\n');
    expect(namesRootFirst(profile, profile.samples.stack[0]!)).toEqual(['a', 'b\0c', '\u001b[31m']);
  });

  it('reads a stack of 100,000 frames and names of a megabyte', async () => {
    const deep = Array.from({ length: 100_000 }, (_, depth) => `frame_${depth % 1000}`).join(';');
    const long = 'n'.repeat(2 ** 20);
    const profile = await importProfile(byteSource(`${deep} 1\n${long};${long}x 2\n`, 'test.folded', 65_536));
    expect(profile.stacks.length).toBe(100_002);
    expect(rollUp(profile, 0).self.get(`${long}x`)).toBe(2);
  });

  it('is recognised even if a single line is longer than the head', async () => {
    const deep = Array.from({ length: 100_000 }, (_, depth) => `f${depth}`).join(';');
    const profile = await folded(`${deep} 1`, 'input');
    expect(profile.stacks.length).toBe(100_000);
  });

  it('refuses a file that is mostly something else, naming the first such line', async () => {
    const text = `a;b 1\n${'no count here\n'.repeat(5)}`;
    await expect(importProfile(byteSource(text, 'x.folded'), { format: 'folded' })).rejects.toMatchObject({
      failure: 'malformed',
      message: '5 of 6 lines are not "stack count"',
      location: { line: 2 },
    });
  });

  it('rejects such a file early', async () => {
    const text = `${'a;b 1\n'.repeat(400)}${'nothing\n'.repeat(1_000_000)}`;
    await expect(importProfile(byteSource(text), { format: 'folded' })).rejects.toMatchObject({
      failure: 'malformed',
      message: '600 of 1000 lines are not "stack count"',
    });
  });

  it('recognises two columns if nearly all lines have them', async () => {
    const both = await folded('a;b 1 2\nc 3 4\n');
    expect(both.valueTypes.map(({ type }) => type)).toEqual(['before', 'after']);
    expect(both.metadata.defaultValueType).toBe(1);
    expect(both.samples.weights.map((column) => [...column])).toEqual([
      [1, 3],
      [2, 4],
    ]);
    const one = await folded('thread 12;work 12 5\nthread 12;idle 7\n');
    expect(one.valueTypes).toHaveLength(1);
    expect([...rollUp(one, 0).folded]).toEqual([
      ['thread 12;work 12', 5],
      ['thread 12;idle', 7],
    ]);
  });

  it('reads negative weights in two columns, too', async () => {
    const profile = await folded('a;b -1 2\nc 3 -4\n');
    expect(profile.samples.weights.map((column) => [...column])).toEqual([
      [-1, 3],
      [2, -4],
    ]);
  });

  it.each([
    ['12', 12],
    ['0', 0],
    ['6.', 6],
    ['31.23', 31.23],
    ['0.1', 0.1],
    ['123456789012345', 123456789012345],
    ['9007199254740992', 2 ** 53],
    ['14.2343983248722834234', 14.234398324872284],
    ['1e3', 1000],
    ['1.5E+21', 1.5e21],
    ['-5', -5],
    ['-0', 0],
    ['-31.23', -31.23],
    ['-1.5e+21', -1.5e21],
  ])('weight %s', async (text, weight) => {
    const profile = await folded(`a;b ${text}\n`);
    expect(profile.samples.weights[0]![0]).toBe(weight);
  });

  it.each([
    '-',
    '--5',
    '-.5',
    '+5',
    '5-',
    '.5',
    '5.5.5',
    '5x',
    'e5',
    '1e',
    '0x10',
    '1e999',
    'NaN',
    'Infinity',
    '1_000',
  ])('does not accept %s as a weight', async (text) => {
    await expect(folded(`a;b ${text}\n`)).rejects.toMatchObject({ name: 'ImportFailure' });
  });
});

describe('recognition of folded text', () => {
  const sniff = (text: string, fileName = 'input'): string => {
    const head = makeHead(new TextEncoder().encode(text), true);
    return importers.find(({ id }) => id === 'folded')!.sniff(head, fileName);
  };

  it.each([
    ['a;b 1\n', 'yes'],
    ['# comment\n\na;b 1', 'yes'],
    ['a;b 1\nnoise\na;c 2\n', 'yes'],
    ['a;b 1\nnoise\nnoise\n', 'no'],
    ['words 5\n', 'no'],
    ['Running 10s test @ http://127.0.0.1:8080/\n  2 threads and 10 connections\n', 'no'],
    ['fn=(1) main\n16 3\n17 4\n', 'no'],
    ['a;b;c\n1;2;3\n', 'no'],
    ['{"a;b": 5}\n', 'no'],
  ])('%j → %s', (text, verdict) => expect(sniff(text)).toBe(verdict));

  it('accepts single frames only with the extension', () => {
    expect(sniff('words 5\n', 'x.folded')).toBe('maybe');
    expect(sniff('words 5\n', 'x.collapsed.gz')).toBe('maybe');
    expect(sniff('words 5\n', 'x.txt')).toBe('no');
  });
});
