import { describe, expect, it } from 'vitest';
import { writeFolded } from '#core/export/folded.ts';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../../support/byte-source.ts';
import { corpusRows, readCorpus, readExpected, type CorpusRow } from '../../../support/corpus.ts';
import { corpus, needing } from '../../../support/needing.ts';
import { rollUp } from '../../../support/profile-rollup.ts';

/** Formats of the manifest whose files contain folded text. */
const FOLDED_ELSEWHERE = ['async-profiler-collapsed', 'pyspy-rbspy', 'recursive'];
const isFoldedBcc = ({ path }: CorpusRow): boolean => /bpftrace-bcc\/.*folded/.test(path);
const rows = [...corpusRows('folded', ...FOLDED_ELSEWHERE), ...corpusRows('bpftrace-bcc').filter(isFoldedBcc)].filter(
  ({ path }) => path !== 'folded/empty.txt',
);

const importBytes = (bytes: Uint8Array, name: string): Promise<Profile> => importProfile(byteSource(bytes, name));

needing(corpus, () => {
  it('has all rows', () => expect(rows).toHaveLength(26));

  it('refuses empty files', async () => {
    for (const path of ['folded/empty.txt', 'pprof/empty.pb.gz']) {
      await expect(importBytes(readCorpus(path), path)).rejects.toMatchObject({ failure: 'unrecognized' });
    }
  });
});

describe.each(rows)('folded corpus: $path', (row) => {
  it('has the self and total weights of the reference, and its count of invalid lines', async () => {
    const profile = await importBytes(readCorpus(row.path), row.path);
    const [head = '', ...lines] = readExpected(row, 'selftotal.tsv')!.trimEnd().split('\n');
    const { sum, self, total } = rollUp(profile, 0);
    const facts = /sum=([^,]+), unparsable lines=(\d+)/.exec(head)!;
    expect(sum).toBeCloseTo(Number(facts[1]), 6);
    const skipped = profile.diagnostics.find(({ code }) => code === 'skipped-line')?.count ?? 0;
    // The prompt line of bcc's files was removed before the reference was made.
    const comments = isFoldedBcc(row) ? 0 : profile.metadata.comments.length;
    expect(skipped + comments).toBe(Number(facts[2]));
    expect(total.size).toBe(lines.length);
    for (const line of lines) {
      const [name = '', selfText, totalText] = line.split('\t');
      expect(self.get(name) ?? 0, `self of ${name}`).toBeCloseTo(Number(selfText), 6);
      expect(total.get(name), `total of ${name}`).toBeCloseTo(Number(totalText), 6);
    }
  });

  it('is unchanged by folded export', async () => {
    const profile = await importBytes(readCorpus(row.path), row.path);
    const chunks: Uint8Array[] = [];
    writeFolded(profile, {}, (chunk) => void chunks.push(chunk.slice()));
    const again = await importBytes(Buffer.concat(chunks), 'again.folded');
    const before = rollUp(profile, 0).folded;
    const after = rollUp(again, 0).folded;
    expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
    for (const [stack, weight] of before) expect(after.get(stack), stack).toBeCloseTo(weight, 9);
  });
});

describe.each(corpusRows('folded').filter((row) => readExpected(row, 'speedscope.json') !== null))(
  'speedscope on $path',
  (row) => {
    it('has the same stacks', async () => {
      const profile = await importBytes(readCorpus(row.path), row.path);
      const oracle = JSON.parse(readExpected(row, 'speedscope.json')!) as {
        profiles: { folded: Record<string, number> }[];
      };
      expect(rollUp(profile, 0).folded).toEqual(new Map(Object.entries(oracle.profiles[0]!.folded)));
    });
  },
);

describe.each(corpusRows('diff-folded'))('diff-folded corpus: $path', (row) => {
  it('has difffolded.pl’s two inputs as columns', async () => {
    const diff = await importBytes(Buffer.from(readExpected(row, 'difffolded.default.txt')!), 'diff.txt');
    const sides = [row.path, `${row.path}.AFTER`].map((path) => importBytes(readCorpus(path), path));
    expect(diff.valueTypes.map(({ type }) => type)).toEqual(['before', 'after']);
    for (const [side, profile] of (await Promise.all(sides)).entries()) {
      const expected = rollUp(profile, 0).folded;
      const column = rollUp(diff, side).folded;
      for (const [stack, weight] of column) expect(expected.get(stack) ?? 0, stack).toBeCloseTo(weight, 9);
      for (const stack of expected.keys()) expect(column.has(stack), stack).toBe(true);
    }
  });

  it.each([
    'difffolded.normalize.txt',
    'difffolded.strip_hex.txt',
    'inferno-diff.default.txt',
    'inferno-diff.normalize.txt',
    'inferno-diff.strip_hex.txt',
  ])('%s has two columns of nine stacks', async (kind) => {
    const profile = await importBytes(Buffer.from(readExpected(row, kind)!), 'diff.txt');
    expect(profile.samples.length).toBe(9);
    expect(rollUp(profile, 1).sum).toBe(80);
    expect(profile.diagnostics).toEqual([]);
  });
});
