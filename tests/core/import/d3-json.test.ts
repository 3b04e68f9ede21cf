import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../support/byte-source.ts';
import { checkImport } from '../../support/check-import.ts';
import { corpusRows, readCorpus, readExpected } from '../../support/corpus.ts';
import { differences, foldedLines, foldedText, rollupLines, selfAndTotal } from '../../support/folded-lines.ts';
import { corpus, needing } from '../../support/needing.ts';
import { rollUp } from '../../support/profile-rollup.ts';

checkImport({ path: 'd3-json/nested.json', format: 'd3-json', isText: true });

const read = (json: unknown): Promise<Profile> =>
  importProfile(byteSource(JSON.stringify(json)), { format: 'd3-json' });

describe('d3-flame-graph JSON', () => {
  it('treats sums of fractions as equal up to rounding', async () => {
    const children = [0.1, 0.2].map((value, row) => ({ name: `c${row}`, value }));
    const profile = await read({ name: 'root', value: 0.3, children });
    expect([...rollUp(profile, 0).folded.keys()]).toEqual(['root;c0', 'root;c1']);
    expect(profile.diagnostics).toEqual([]);
  });

  const tree = (depth: number): string => `${'{"name":"f","value":1,"children":['.repeat(depth)}${']}'.repeat(depth)}`;

  it('reads a tree of 25,000 levels, and refuses a deeper one', async () => {
    expect((await importProfile(byteSource(tree(25_000)))).stacks.length).toBe(25_000);
    await expect(importProfile(byteSource(tree(25_001)))).rejects.toMatchObject({
      failure: 'too-large',
      message: expect.stringContaining('50,000 levels') as string,
    });
  });

  it.each([
    ['a leaf without a value', { name: 'root', children: [{ name: 'leaf' }] }, 'value of "leaf" is not a number'],
    ['a value that is text', { name: 'root', value: '5' }, 'value of "root" is not a number'],
    ['children that are not a list', { name: 'root', value: 1, children: 7 }, 'children of "root" is not an array'],
    ['a child that is not an object', { name: 'root', value: 1, children: [null] }, 'a node is not an object'],
    ['a list', [], 'the file is not an object'],
  ])('refuses %s', async (_, json, message) => {
    await expect(read(json)).rejects.toMatchObject({
      failure: 'malformed',
      message: expect.stringContaining(message) as string,
    });
  });
});

needing(corpus, () => {
  it('has all rows', () => expect(corpusRows('d3-json')).toHaveLength(1));

  it.each(corpusRows('d3-json'))('$path: folded text, self and total equal an independent walk', async (row) => {
    const ours = foldedLines(foldedText(await importProfile(byteSource(readCorpus(row.path), row.path))));
    expect(differences(ours, foldedLines(readExpected(row, 'folded')!))).toEqual([]);
    expect(selfAndTotal(ours)).toEqual(rollupLines(readExpected(row, 'selftotal.tsv')!));
  });
});
