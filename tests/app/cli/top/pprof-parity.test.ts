import { Command } from 'commander';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { commands } from '#app/cli/commands.ts';
import { importProfile } from '#core/import/import-profile.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { sampleWeights } from '#core/model/weights.ts';
import { byteSource } from '../../../support/byte-source.ts';
import { corpusPath, corpusRows } from '../../../support/corpus.ts';
import { askPprof, goPprof, profileGoProgram } from '../../../support/go-pprof.ts';
import { corpus, needing } from '../../../support/needing.ts';

/** The command's output without a process of its own. */
async function flamebench(...argv: string[]): Promise<string> {
  const [name, ...args] = argv;
  const module = await commands.find((row) => row.name === name)!.load();
  const command = new Command(name).exitOverride();
  module.configure(command);
  command.parse(args, { from: 'user' });
  const printed: string[] = [];
  const streams = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0),
    vi.spyOn(process.stderr, 'write').mockImplementation(() => true),
  ];
  try {
    await module.run(command);
  } catch (error) {
    if (error instanceof Error) return `error: ${error.message}`;
    throw error;
  } finally {
    for (const stream of streams) stream.mockRestore();
  }
  return printed.join('');
}

/** Not an error of ours: pprof prints an empty report there. */
const NOTHING = /^error: .*(match no samples|matches no function|no function matches)/;
/** pprof adds a frame `<unknown>` to every stack there. */
const NO_SUCH_LABEL = /^error: no sample has a label/;

const trimmed = (text: string): string[] => text.split('\n').map((line) => line.trimEnd());

/** Lines of a table from the header on. */
function tableOf(text: string): string[] {
  const lines = trimmed(text);
  const header = lines.findIndex((line) => line.startsWith('      flat  flat%'));
  return header < 0 ? [] : lines.slice(header + 1).filter((line) => line !== '');
}

/** Samples of `-traces`, from the first separator on. */
const tracesOf = (text: string): string[] => trimmed(text.slice(Math.max(0, text.indexOf('-----------+'))));

/** Routines of `-list`, each with its sums and the lines that weigh something: `lines` is empty where the source is not on this machine. */
function routinesOf(text: string): { head: string; lines: string[] }[] {
  const routines: { head: string; lines: string[] }[] = [];
  for (const line of trimmed(text)) {
    if (/^(ROUTINE|No source)/.test(line)) routines.push({ head: line, lines: [] });
    else if (line.includes('(flat, cum)')) routines.at(-1)!.head += line;
    else if (/^ *\S+ +\S+ +\d+:/.test(line) && !/^ +\. +\. /.test(line)) {
      routines.at(-1)!.lines.push(line.replace(/^( *\S+ +\S+ +\d+:).*$/, '$1'));
    }
  }
  return routines;
}

/** In any order: pprof leaves the order of a weight and the same with the other sign open. */
const tagsOf = (text: string): string[] =>
  trimmed(text)
    .map((line) => line.trim().replace(/ +/g, ' '))
    .filter((line) => line !== '')
    .sort();

/** What `-raw` adds up to, of each value type. */
function rawTotals(text: string): string {
  const [, body = ''] = text.split('Samples:\n');
  const sums: bigint[] = [];
  for (const line of body.split('\nLocations')[0]!.split('\n')) {
    const values = /^ *((?:-?\d+ *)+):/.exec(line)?.[1]?.trim().split(/ +/) ?? [];
    for (const [column, value] of values.entries()) sums[column] = (sums[column] ?? 0n) + BigInt(value);
  }
  return sums.join(' ');
}

const add = (sum: bigint, weight: number): bigint => sum + BigInt(weight);

interface Cell {
  readonly name: string;
  /** Commands of pprof's prompt; the last is the report. */
  readonly ask: readonly string[];
  readonly argv: readonly string[];
  /** What is compared of what both print. */
  readonly lines: (text: string) => string[];
}

const FUNCTIONS = ['--granularity', 'functions'];
/** pprof adds threads that wait at one place up; here each is a sample. */
const THREADS = /\.thread$/;
/** None of these is inlined anywhere; see docs/parity.md. */
const SHOWN_FROM = '^(runtime.systemstack|runtime.mcall|main.main|java.*|.*::.*)$';

const withoutMarks = (text: string): string[] =>
  tableOf(text).map((line) => line.replace(/ \((partial-)?inline\)$/, ''));

/** What rows of one file add up to: pprof has a row for each first line of a function where it is known. */
function selfByName(text: string): string[] {
  const sums = new Map<string, number>();
  for (const line of withoutMarks(text)) {
    const [, self, unit, name] = /^ *([\d.]+)(\S*) +\S+ +\S+ +\S+ +\S+ +(.*)$/.exec(line)!;
    sums.set(`${name} ${unit}`, (sums.get(`${name} ${unit}`) ?? 0) + Number(self));
  }
  return [...sums]
    .filter(([, sum]) => sum !== 0)
    .map(([name, sum]) => `${name} ${sum.toFixed(1)}`)
    .sort();
}

/** Samples without the label: `<unknown>` in pprof. Ties are in the order of names, so lines are compared in any. */
const labelledLines = (text: string): string[] =>
  tableOf(text)
    .map((line) => line.replace(/\(no \w+\)$/, '<unknown>'))
    .map((line) => line.replace(/^((?: *\S+){2}) +\S+/, '$1'))
    .sort();

function cellsOf(file: string): Cell[] {
  const top = (options: readonly string[], ...ask: string[]): Omit<Cell, 'name'> => ({
    ask: [...ask, 'top'],
    argv: ['top', file, '-n', '0', ...options],
    lines: tableOf,
  });
  const traces = [
    { name: '-traces', ask: ['traces'], argv: ['traces', file, ...FUNCTIONS], lines: tracesOf },
    {
      name: '-traces, lines',
      ask: ['granularity=lines', 'traces'],
      argv: ['traces', file, '--granularity', 'lines'],
      lines: tracesOf,
    },
  ];
  return [
    ...['functions', 'filefunctions', 'lines', 'addresses'].flatMap((rows) => [
      { name: `-top, ${rows}`, ...top(['--granularity', rows], `granularity=${rows}`) },
      {
        name: `-top -cum -noinlines, ${rows}`,
        ...top(['--cum', '--noinlines', '--granularity', rows], `granularity=${rows}`, 'noinlines=true', 'cum=true'),
      },
    ]),
    { name: '-top, files', ...top(['--granularity', 'files'], 'granularity=files'), lines: selfByName },
    { name: '-top -cum', ...top(['--cum', ...FUNCTIONS], 'cum=true') },
    { name: '-top -show_from', ...top(['--show-from', SHOWN_FROM, ...FUNCTIONS], `show_from=${SHOWN_FROM}`) },
    {
      name: '-top -show',
      ...top(['--show', '^(runtime\\.|main).*[a-z]$', ...FUNCTIONS], 'show=^(runtime\\.|main).*[a-z]$'),
      lines: withoutMarks,
    },
    { name: '-peek', ask: ['peek .'], argv: ['peek', file, '.', ...FUNCTIONS], lines: tableOf },
    {
      name: '-peek, lines',
      ask: ['granularity=lines', 'peek .'],
      argv: ['peek', file, '.', '--granularity', 'lines'],
      lines: tableOf,
    },
    ...['tagfocus=[a-m]', 'tagignore=[a-m]', 'tagfocus=16:', 'tagignore=bytes=1kb:4kb', 'tagfocus=:64b'].map((tag) => ({
      name: `-top -${tag}`,
      ...top([`--${tag}`, ...FUNCTIONS], tag),
    })),
    ...(file.endsWith('.heap') ? [] : ['bytes', 'api', 'stacktrace', 'key1']).flatMap((key) =>
      ['tagroot', 'tagleaf'].map((option) => ({
        name: `-peek -${option}=${key}`,
        ask: [`${option}=${key}`, 'peek .'],
        argv: ['peek', file, '.', `--${option}`, key, ...FUNCTIONS],
        lines: labelledLines,
      })),
    ),
    ...(THREADS.test(file) ? [] : traces),
    { name: '-tags', ask: ['tags'], argv: ['tags', file], lines: tagsOf },
  ];
}

async function differences(cells: readonly Cell[], expected: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const [index, { name, argv, lines }] of cells.entries()) {
    const printed = await flamebench(...argv);
    if (NO_SUCH_LABEL.test(printed)) continue;
    const theirs = lines(expected[index]!);
    const ours = NOTHING.test(printed) ? [] : lines(printed);
    const first = theirs.findIndex((line, row) => line !== ours[row]);
    if (first >= 0) found.push(`${name}: ${theirs[first]} | ${ours[first]} | ${printed.slice(0, 100)}`);
    else if (ours.length > theirs.length) found.push(`${name}: also ${ours[theirs.length]}`);
  }
  return found;
}

const files = corpusRows('pprof').filter((row) => !row.path.endsWith('/empty.pb.gz'));

needing(goPprof, () => {
  needing(corpus, () => {
    test.each(files)('$path: every cell is that of go tool pprof', ({ path }) => compareFile(corpusPath(path)));
  });

  describe('fresh captures of a Go program', () => {
    let folder: string;
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'flamebench-fresh-'));
      profileGoProgram(folder);
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    test.each(['before.cpu', 'after.cpu', 'after.heap'])('%s: every cell', (name) =>
      compareFile(join(folder, `${name}.pb.gz`)),
    );

    test('-tagfocus and -tagroot of its own labels', async () => {
      const file = join(folder, 'after.cpu.pb.gz');
      const cells: Cell[] = [
        ...['tagfocus=endpoint=/v1/(64|256)$', 'tagignore=endpoint=4096', 'tagfocus=side,v1.64'].map((tag) => ({
          name: tag,
          ask: [tag, 'peek .'],
          argv: ['peek', file, '.', `--${tag}`, ...FUNCTIONS],
          lines: tableOf,
        })),
        ...['tagroot=endpoint', 'tagleaf=endpoint', 'tagroot=side,endpoint', 'tagleaf=side,endpoint'].map((tag) => ({
          name: tag,
          // The samples of the profiler's own goroutine have no labels.
          ask: ['tagfocus=side', tag, 'peek .'],
          argv: ['peek', file, '.', '--tagfocus', 'side', `--${tag}`, ...FUNCTIONS],
          lines: labelledLines,
        })),
      ];
      const expected = askPprof(
        [file],
        cells.map(({ ask }) => ask),
      );
      expect(await differences(cells, expected)).toEqual([]);
    });

    test.each([
      ['base', 'cpu'],
      ['diff_base', 'cpu'],
      ['base', 'heap'],
      ['diff_base', 'heap'],
    ])('-%s of %s', async (option, kind) => {
      const [base, file] = ['before', 'after'].map((side) => join(folder, `${side}.${kind}.pb.gz`)) as [string, string];
      const flags = [`--${option.replace('_', '-')}`, base, ...FUNCTIONS];
      const cells: Cell[] = [
        { name: 'top', ask: ['top'], argv: ['top', file, '-n', '0', ...flags], lines: tableOf },
        { name: 'cum', ask: ['cum=true', 'top'], argv: ['top', file, '-n', '0', '--cum', ...flags], lines: tableOf },
        { name: 'peek', ask: ['peek .'], argv: ['peek', file, '.', ...flags], lines: tableOf },
        { name: 'tags', ask: ['tags'], argv: ['tags', file, ...flags], lines: tagsOf },
      ];
      const expected = askPprof(
        [`-${option}=${base}`, file],
        cells.map(({ ask }) => ask),
      );
      expect(await differences(cells, expected)).toEqual([]);
    });
  });
});

async function compareFile(path: string): Promise<void> {
  const cells = cellsOf(path);
  const expected = askPprof([path], [...cells.map(({ ask }) => ask), ['raw'], ['list .']]);
  expect(await differences(cells, expected)).toEqual([]);
  const listed = routinesOf(await flamebench('list', path, '.'));
  for (const [row, { head, lines }] of routinesOf(expected.at(-1)!).entries()) {
    expect(listed[row]!.head).toBe(head);
    // pprof leaves out lines before the function's first and after the end of the file that is on this machine.
    expect(listed[row]!.lines.filter((line) => lines.includes(line))).toEqual(lines);
  }
  const profile = await importProfile(byteSource(readFileSync(path), path));
  const totals = profile.valueTypes.map((_, row) => sampleWeights(profile, row as ValueTypeIndex).reduce(add, 0n));
  expect(totals.join(' ')).toBe(rawTotals(expected.at(-2)!));
}
