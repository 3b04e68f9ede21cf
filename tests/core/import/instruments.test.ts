import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import { parseMeasure } from '#core/import/instruments/cells.ts';
import { demangle } from '#core/symbols/demangle/demangle.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../support/byte-source.ts';
import { checkImport } from '../../support/check-import.ts';
import { corpusRows, readCorpus, readExpected } from '../../support/corpus.ts';
import { foldedLines, foldedText } from '../../support/folded-lines.ts';
import { corpus, needing } from '../../support/needing.ts';
import { rollUp } from '../../support/profile-rollup.ts';

checkImport({ path: 'instruments/time.txt', format: 'instruments', isText: true });
checkImport({ path: 'instruments/allocations.txt', format: 'instruments', isText: true });

const read = (text: string): Promise<Profile> => importProfile(byteSource(text));

describe('cells of Instruments', () => {
  it.each([
    ['96.08 Gc  100.0%', 'cycles', 96_080_000_000, 5_000_000],
    ['4273.0ms   99.9%', 'time', 4_273_000_000, 50_000],
    ['4273,0ms   99,9%', 'time', 4_273_000_000, 50_000],
    ['1,234.5 s', 'time', 1_234_500_000_000, 50_000_000],
    [' 429.93 MB     100.0%', 'bytes', 450_814_280, 5242.88],
    ['84,671', 'count', 84_671, 0.5],
    ['-', 'count', 0, 0],
  ])('%j are %s: %d', (cell, kind, value, tolerance) => {
    const measure = parseMeasure(cell, '')!;
    expect([measure.kind, measure.value]).toEqual([kind, value]);
    expect(measure.tolerance).toBeCloseTo(tolerance, 6);
  });

  it.each(['12 parsecs', 'main', `${'9'.repeat(41)} ms`, '1 2 3'])('refuse %j', (cell) => {
    expect(parseMeasure(cell, '')).toBeNull();
  });
});

describe('deep copies of Instruments', () => {
  it('derive own weights from the rows below, beyond rounding', async () => {
    const rows = [
      'Weight\t\tSymbol Name',
      '10.00 KB\t\ta',
      '8.00 KB\t\t b',
      '1.99 KB\t\t c',
      '4.00 KB\t\td',
      '1.00 KB\t\t e',
    ];
    expect(foldedText(await read(rows.join('\n')))).toBe('a;b 8192\na;c 2038\nd 3072\nd;e 1024\n');
  });

  it('refuse cells of a megabyte', async () => {
    for (const cell of [`1${' '.repeat(1e6)}x!`, `${' '.repeat(1e6)}x`, '1'.repeat(1e6)]) {
      await expect(read(`Self ${'('.repeat(1e4)}\tSymbol Name\n${cell}\ta\n`)).rejects.toMatchObject({
        location: { line: 2 },
      });
    }
  });

  it.each([
    ['Weight\t\tSymbol Name\n', 1, /no rows/],
    ['Weight\t\tSymbol Name\n1 ms\n', 2, /without a name/],
    ['Weight\t\tSymbol Name\nsome\t\ta\n', 2, /no weight: some/],
    ['Weight\t\tSymbol Name\n1 ms\t\ta\n1 KB\t\t b\n', 3, /unit differs/],
    ['Weight\t\tSymbol Name\n1 ms\t\ta\n1 ms\t\t   b\n', 3, /more than one level/],
  ])('refuse %j with line %i', async (text, line, message) => {
    await expect(read(text)).rejects.toMatchObject({
      failure: 'malformed',
      message: expect.stringMatching(message),
      location: { line },
    });
  });
});

needing(corpus, () => {
  const row = (name: string) => corpusRows('instruments').find(({ path }) => path.includes(name))!;
  const importRow = (name: string): Promise<Profile> =>
    importProfile(byteSource(readCorpus(row(name).path), row(name).path));
  /** Returns speedscope's weights by stack. */
  const speedscope = (name: string): Record<string, number> =>
    (JSON.parse(readExpected(row(name), 'speedscope.json')!) as { profiles: { folded: Record<string, number> }[] })
      .profiles[0]!.folded;

  describe('Instruments corpus', () => {
    it('times: has every stack of speedscope', async () => {
      const ours = [...foldedLines(foldedText(await importRow('7.3.1-time')))].map(([stack, ns]) => [stack, ns / 1e6]);
      expect(Object.fromEntries(ours)).toEqual(speedscope('7.3.1-time'));
    });

    it('cycles: has the table’s own weights, while speedscope truncates 96.08 Gc to 96', async () => {
      const profile = await importRow('13.4-cycles');
      const text = new TextDecoder().decode(readCorpus(row('13.4-cycles').path));
      const cells = text
        .split('\n')
        .slice(1)
        .map((line) => /^[\d.]+ \w+ +[\d.]+%\t([\d.]+) ([GMK]?)c/.exec(line));
      const factors: Record<string, number> = { G: 1e9, M: 1e6, K: 1e3, '': 1 };
      const sum = cells.reduce(
        (all, cell) => all + (cell === null ? 0 : Math.round(Number(cell[1]) * factors[cell[2]!]!)),
        0,
      );
      expect(rollUp(profile, 0).sum).toBe(sum);
      expect(Math.abs(sum - 96.08e9)).toBeLessThan(0.01e9);
      const known = new Set(Object.keys(speedscope('13.4-cycles')).map(demangled));
      expect([...foldedLines(foldedText(profile)).keys()].filter((stack) => !known.has(stack))).toEqual([]);
    });

    it('allocations: has bytes as printed, which speedscope truncates to whole megabytes, and their counts', async () => {
      const profile = await importRow('7.3.1-alloc');
      const printed = [73.35, 72.36, 71.38, 71.79, 71.31, 69.74].reduce((sum, mb) => sum + Math.round(mb * 2 ** 20), 0);
      expect(rollUp(profile, 0).sum).toBe(printed);
      expect(rollUp(profile, 1)).toMatchObject({ sum: 84_671 });
      expect(rollUp(profile, 1).total.get('delta()')).toBe(42_749);
      const known = Object.keys(speedscope('7.3.1-alloc')).filter((stack) => stack.endsWith(';malloc_zone_malloc'));
      expect([...foldedLines(foldedText(profile)).keys()].sort()).toEqual(known.sort());
    });
  });
});

const demangled = (stack: string): string =>
  stack
    .split(';')
    .map((name) => demangle(name) ?? name)
    .join(';');
