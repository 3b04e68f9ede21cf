import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../support/byte-source.ts';
import { checkImport } from '../../support/check-import.ts';
import { corpusRows, readCorpus, readExpected, type CorpusRow } from '../../support/corpus.ts';
import { differences, foldedLines, foldedText, rollupLines, selfAndTotal } from '../../support/folded-lines.ts';
import { corpus, needing } from '../../support/needing.ts';

checkImport({ path: 'stap/sample.bt', format: 'stap', isText: true });

const read = (text: string): Promise<Profile> => importProfile(byteSource(text), { format: 'stap' });

describe('SystemTap backtraces', () => {
  it('leave out a stack whose count is missing, and say so', async () => {
    const profile = await read('C:a\n\t3\nC:b\nC:c\n');
    expect([...profile.samples.weights[0]!]).toEqual([3]);
    expect(profile.diagnostics).toMatchObject([{ code: 'truncated-input', first: { line: 3 } }]);
  });

  it('say that a last count without a line’s end may be cut', async () => {
    const profile = await read('C:a\n\t3\nC:b\n\t12');
    expect([...profile.samples.weights[0]!]).toEqual([3, 12]);
    expect(profile.diagnostics).toMatchObject([{ code: 'unfinished-line', first: { line: 4 } }]);
  });

  it('skip counts without a stack', async () => {
    expect((await read('\t5\nC:a\n\t3\n')).diagnostics).toMatchObject([{ code: 'skipped-line', count: 1 }]);
  });

  it('without counts are refused, with the last line', async () => {
    await expect(read('C:a\nC:b\n')).rejects.toMatchObject({ failure: 'malformed', location: { line: 2 } });
  });
});

needing(corpus, () => {
  describe('SystemTap corpus', () => {
    it.each(corpusRows('stap'))('$path: folded text, self and total equal stackcollapse-stap.pl', async (row) => {
      const profile = await importProfile(byteSource(readCorpus(row.path), row.path));
      const ours = renamed(foldedLines(foldedText(profile)), perlName);
      const theirs = renamed(foldedLines(readExpected(row, 'stackcollapse-stap.folded')!), (name) =>
        unresolved(name, row),
      );
      expect(differences(ours, theirs)).toEqual([]);
      const totals = [...rollupLines(readExpected(row, 'selftotal.tsv')!)].map(([, values]) => values);
      const sum = (lines: readonly string[]): number =>
        lines.reduce((all, line) => all + Number(line.split('\t')[0]), 0);
      expect(sum([...selfAndTotal(ours).values()])).toBe(sum(totals));
    });
  });
});

/** FlameGraph cuts names at their last plus sign, also in paths and Lua code, and at arguments. */
const perlName = (name: string): string => name.replace(/\+[^+]*$/, '');

/** It calls what has no symbol by its address, and its module where there is one. */
function unresolved(name: string, { path }: CorpusRow): string {
  const module = /^0x[0-9a-f]+ \[(.*)$/.exec(name)?.[1];
  if (module !== undefined) return `[${module.slice(module.lastIndexOf('/') + 1)}]`;
  return path.includes('/derived.') && /^0x[0-9a-f]+$/.test(name) ? '[unknown]' : name;
}

function renamed(lines: ReadonlyMap<string, number>, rename: (name: string) => string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [stack, weight] of lines) {
    const key = stack.split(';').map(rename).join(';');
    sums.set(key, (sums.get(key) ?? 0) + weight);
  }
  return sums;
}
