import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import { demangle } from '#core/symbols/demangle/demangle.ts';
import { NO_ADDRESS, type Profile } from '#core/model/profile.ts';
import { byteSource } from '../../support/byte-source.ts';
import { checkImport } from '../../support/check-import.ts';
import { corpusRows, readCorpus, readExpected } from '../../support/corpus.ts';
import { differences, foldedLines, foldedText } from '../../support/folded-lines.ts';
import { corpus, needing } from '../../support/needing.ts';

checkImport({ path: 'macos-sample/report.sample.txt', format: 'macos-sample', isText: true });

const read = (text: string): Promise<Profile> => importProfile(byteSource(text));
const graph = (...rows: string[]): string =>
  ['Call graph:', '    5 Thread_1', ...rows.map((row) => `    ${row}`), '', ''].join('\n');

describe('reports of macOS’ sample', () => {
  it('derive a row’s own weight from the rows below it', async () => {
    const profile = await read(
      graph('+ 5 a  (in x) + 1  [0x1]', '+   3 b  (in x) + 1  [0x2]', '+   1 c  (in y) + 1  [0x3]'),
    );
    expect(foldedText(profile)).toBe('Thread_1;a 1\nThread_1;a;b 3\nThread_1;a;c 1\n');
  });

  it('report more samples below a row than in it', async () => {
    const profile = await read(graph('+ 2 a  (in x)', '+   3 b  (in x)'));
    expect(profile.diagnostics).toMatchObject([{ code: 'uneven-counts', count: 1, first: { line: 3 } }]);
  });

  it('keep a row’s address, and the line that ran', async () => {
    const { frames, functions, stacks, strings } = await read(
      graph('+ 5 a  (in x) + 1  [0x1]  a.c:7', '+   5 b  (in x) + 1,2  [0x2,0x3]'),
    );
    expect(Array.from(stacks.frame, (frame) => frames.address![frame])).toEqual([1n, NO_ADDRESS]);
    expect(Array.from(stacks.frame, (frame) => frames.line![frame])).toEqual([7, 0]);
    expect(strings[functions.file[0]!]).toBe('a.c');
  });

  it('take no extra time for names of a megabyte that nearly match', async () => {
    const long = [']  :'.repeat(2.5e5), '  [0x1,'.repeat(1.4e5), '  (in '.repeat(1.6e5), ' + 1'.repeat(2.5e5)];
    const profile = await read(graph(...long.map((name) => `+ 1 a${name}`)));
    expect(profile.samples.length).toBe(5);
  });

  it.each([
    ['Call graph:\n    5 Thread_1\n    +  5 a\n', 3, /half a level/],
    ['Call graph:\n    5 Thread_1\n    +   5 a\n', 3, /more than one level/],
    ['Call graph:\n    5 Thread_1\n    + a\n', 3, /no count/],
    ['Call graph:\n    5 Thread_1\n    + 99999999999999999 a\n', 3, /beyond/],
    ['Call graph:\n    5 Thread_1\n    + 5 a\n', 3, /ends within/],
    ['Analysis of sampling x (pid 1) every 1 millisecond\n', 1, /no call graph/],
    ['Call graph:\n5 Thread_1\n+ 5 a\n\n', 2, /lacks its leading spaces/],
    ['Call graph:\n    5 Thread_1\n+ 5 a\n\n', 3, /lacks its leading spaces/],
    ['Analysis of sampling x (pid 1) every 1 millisecond\nCall graph:\n\n', 2, /is empty/],
  ])('refuse %j with line %i', async (text, line, message) => {
    await expect(read(text)).rejects.toMatchObject({
      failure: 'malformed',
      message: expect.stringMatching(message),
      location: { line },
    });
  });
});

needing(corpus, () => {
  const [row] = corpusRows('macos-sample').filter(({ path }) => path.endsWith('/sample.txt'));
  describe('macOS sample corpus', () => {
    it('has every stack of stackcollapse-sample.awk, and the waiting ones that it leaves out', async () => {
      const profile = await importProfile(byteSource(readCorpus(row!.path), row!.path));
      const ours = [...foldedLines(foldedText(profile))];
      const waits = (stack: string): boolean => /;(?:read|__ulock_wait)$/.test(stack);
      const theirs = foldedLines(readExpected(row!, 'stackcollapse-sample.awk.folded')!);
      expect(differences(new Map(ours.filter(([stack]) => !waits(stack))), renamed(theirs))).toEqual([]);
      expect(ours.filter(([stack]) => waits(stack)).reduce((sum, [, weight]) => sum + weight, 0)).toBe(825 + 118 + 103);
      expect(profile.samples.weights[0]!.reduce((sum, weight) => sum + weight)).toBe(3 * 825);
    });
  });
});

/** Renames functions as the tool does: it writes the module before a name and does not change Rust names. */
function renamed(lines: ReadonlyMap<string, number>): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [stack, weight] of lines) {
    const names = stack.split(';').map((frame) => {
      const name = frame.replace(/^[^`]*`/, '').replace(/\.\(\.llvm\.\d+\)$/, '');
      return demangle(name) ?? name;
    });
    if (weight > 0) sums.set(names.join(';'), (sums.get(names.join(';')) ?? 0) + weight);
  }
  return sums;
}
