import { describe, expect, it } from 'vitest';
import { splitCells } from '#core/import/text/csv-cells.ts';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../support/byte-source.ts';
import { checkImport } from '../../support/check-import.ts';
import { corpusRows, readCorpus, readExpected } from '../../support/corpus.ts';
import { differences, foldedLines, foldedText } from '../../support/folded-lines.ts';
import { corpus, needing } from '../../support/needing.ts';
import { namesRootFirst, rollUp } from '../../support/profile-rollup.ts';

checkImport({ path: 'vtune/top-down.csv', format: 'vtune', isText: true });
checkImport({ path: 'vsprof/CallTreeSummary.csv', format: 'vsprof', isText: true });

const read = (text: string): Promise<Profile> => importProfile(byteSource(text));

describe('cells of comma-separated values', () => {
  it.each([
    ['a,b,', ['a', 'b', '']],
    ['"a,b","c ""d"""', ['a,b', 'c "d"']],
    ['  "a,b"x,c', ['  a,bx', 'c']],
    ['', ['']],
    ['""', ['']],
    ['a"b,c', ['a"b', 'c']],
  ])('are parsed from %j as %j', (line, cells) => {
    expect(splitCells(line, ',')).toEqual(cells);
  });

  it('are invalid with an unclosed quote', () => {
    expect(splitCells('a,"b', ',')).toBeNull();
    expect(splitCells('"a""', ',')).toBeNull();
  });
});

describe('VTune’s top-down reports', () => {
  it.each([',', '\t', ';', '|'])('may be delimited by %j', async (delimiter) => {
    const rows = ['Function Stack,CPU Time:Self,Module', 'main,0.5,app', ' f,0.25,app'].map((row) =>
      row.replaceAll(',', delimiter),
    );
    const profile = await read(rows.join('\n'));
    expect(foldedText(profile)).toBe('main 500000\nmain;f 250000\n');
    expect(profile.valueTypes).toMatchObject([{ type: 'CPU Time', unit: 'microseconds' }]);
  });

  it('may end within a number, which is said', async () => {
    const whole = 'Function Stack,Module,CPU Time:Self\nmain,app,0.25';
    expect((await read(`${whole}\n`)).diagnostics).toEqual([]);
    const { diagnostics } = await read(whole.slice(0, -1));
    expect(diagnostics).toMatchObject([{ code: 'unfinished-line', severity: 'info', first: { line: 2 } }]);
  });

  it.each([
    ['Function Stack,CPU Time:Self,Module\n', 1, /no rows/],
    ['Function Stack,CPU Time:Self,Module\nmain,0.5\n', 2, /2 cells below 3 headings/],
    ['Function Stack,CPU Time:Self,Module\nmain,half,app\n', 2, /no weight: half/],
    ['Function Stack,CPU Time:Self,Module\n"main,0.5,app\n', 2, /quote/],
    ['Function Stack,CPU Time:Self,Module\nmain,0.5,app\n  f,0.5,app\n', 3, /more than one level/],
  ])('%j is refused with line %i', async (text, line, message) => {
    await expect(read(text)).rejects.toMatchObject({
      failure: 'malformed',
      message: expect.stringMatching(message),
      location: { line },
    });
  });
});

describe('Visual Studio’s call trees', () => {
  it('are read by their exclusive samples', async () => {
    const profile = await read(
      'Level,Function Name,Inclusive Samples,Exclusive Samples,Module Name\n0,a.exe,9,0,\n1,main,9,4,a.exe\n2,f,5,5,a.exe\n',
    );
    expect(profile.valueTypes).toMatchObject([{ type: 'samples', unit: 'count' }]);
    expect(foldedText(profile)).toBe('main 4\nmain;f 5\n');
    expect(profile.metadata.command).toBe('a.exe');
  });

  it.each([
    ['Level,Function Name,Number of Calls\n', 1, /no functions/],
    ['Level,Function Name,Number of Calls\n0,a.exe,0\n1,f,"4,718.25"\n', 3, /Number of Calls is not a number/],
    ['Level,Function Name,Number of Calls\n0,a.exe,0\n1,f,99999999999999999\n', 3, /not a number/],
    ['Level,Function Name,Number of Calls\n0,a.exe,0\n2,f,1\n', 3, /more than one level/],
  ])('%j is refused with line %i', async (text, line, message) => {
    await expect(read(text)).rejects.toMatchObject({
      failure: 'malformed',
      message: expect.stringMatching(message),
      location: { line },
    });
  });
});

needing(corpus, () => {
  const importRow = (format: string): Promise<Profile> => {
    const row = corpusRows(format)[0]!;
    return importProfile(byteSource(readCorpus(row.path), row.path));
  };
  const golden = (format: string): string => readExpected(corpusRows(format)[0]!, 'golden.folded')!;

  describe('corpus of comma-separated values', () => {
    it('VTune: has every stack of inferno, which rounds to milliseconds', async () => {
      const ours = [...foldedLines(foldedText(await importRow('vtune')))].map(
        ([stack, microseconds]) => [stack, Math.round(microseconds / 1000)] as const,
      );
      const withoutModules = foldedLines(golden('vtune').replaceAll(/(?<=^|;)[\w[\].-]+`/gm, ''));
      expect(differences(new Map(ours), withoutModules)).toEqual([]);
    });

    it('Visual Studio: has inferno’s leaf functions, and the own number of calls of others', async () => {
      const profile = await importRow('vsprof');
      const theirs = foldedLines(golden('vsprof'));
      // The tool keeps only the last of several rows of one stack, so each of its rows is one of ours.
      const ours = new Set(
        Array.from(profile.samples.stack, (stack, row) => {
          const names = namesRootFirst(profile, stack).join(';');
          return `${names} ${profile.samples.weights[0]![row]}`;
        }),
      );
      const isCaller = (stack: string): boolean => [...theirs.keys()].some((other) => other.startsWith(`${stack};`));
      const leaves = [...theirs].filter(([stack]) => !isCaller(stack));
      expect(leaves).toHaveLength(130);
      expect(leaves.map((leaf) => leaf.join(' ')).filter((leaf) => !ours.has(leaf))).toEqual([]);
      const printed = [
        ...new TextDecoder()
          .decode(readCorpus(corpusRows('vsprof')[0]!.path))
          .matchAll(/^\d+,"[^"]*",(?:"([\d,]+)"|(\d+)),/gm),
      ];
      const sum = printed.reduce((all, [, grouped, plain]) => all + Number((grouped ?? plain!).replaceAll(',', '')), 0);
      expect(rollUp(profile, 0).sum).toBe(sum);
    });
  });
});
