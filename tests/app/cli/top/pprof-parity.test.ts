import { Command } from 'commander';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { commands } from '#app/cli/commands.ts';
import { importProfile } from '#core/import/import-profile.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { sampleWeights } from '#core/model/weights.ts';
import { byteSource } from '../../../support/byte-source.ts';
import { corpusPath, corpusRows } from '../../../support/corpus.ts';
import { encodePprof, type PprofData } from '../../../support/encode/pprof.ts';
import { askPprof, goPprof, profileGoProgram } from '../../../support/go-pprof.ts';
import { withoutFirstLines } from '../../../support/strip-pprof.ts';
import { corpus, needing } from '../../../support/needing.ts';

/** Returns the command's output without starting a process. */
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

/** Errors where pprof prints an empty report. */
const NOTHING = /^error: .*(match no samples|matches no function|no function matches)/;
/** In this case pprof adds a frame `<unknown>`, which has everything, to every stack. */
const NO_SUCH_LABEL = /^error: no sample has a label/;
const UNKNOWN_ROW = /^ *\S+ +\S+ +\S+ +\S+ +100% .* <unknown>$/;

const trimmed = (text: string): string[] => text.split('\n').map((line) => line.trimEnd());

/** Returns the lines of a table from its header on. */
function tableOf(text: string): string[] {
  const lines = trimmed(text);
  const header = lines.findIndex((line) => line.startsWith('      flat  flat%'));
  return header < 0 ? [] : lines.slice(header + 1).filter((line) => line !== '');
}

const TRACE_START = '-----------+';

/** Returns the samples of `-traces`, from the first separator on. */
const tracesOf = (text: string): string[] => trimmed(text.slice(Math.max(0, text.indexOf(TRACE_START))));

/**
 * Returns the routines of `-list` with their sums and the lines with weight; `lines` is empty if the source is not on
 * this machine.
 */
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

/** The number of a line of `-list`; NaN without a line. */
const numberOf = (line: string | undefined): number => Number(/(\d+):$/.exec(line ?? '')?.[1]);

/** Sorts neighbouring lines of equal weight but for its sign, because pprof leaves their order undefined. */
function withSortedTies(lines: string[], weightOf: (line: string) => string): string[] {
  for (let first = 0; first < lines.length;) {
    let end = first + 1;
    while (end < lines.length && weightOf(lines[first]!) !== '' && weightOf(lines[end]!) === weightOf(lines[first]!))
      end++;
    lines.splice(first, end - first, ...lines.slice(first, end).sort());
    first = end;
  }
  return lines;
}

const tagsOf = (text: string): string[] =>
  withSortedTies(
    trimmed(text.trimEnd()),
    (line) => /^ *(\S+(?: \([^)]*\))?):/.exec(line)?.[1]?.replace(/^-/, '') ?? '',
  );

const edgeWeight = (line: string): string => /^ {20,}-?(\S+) +\S+ \|/.exec(line)?.[1] ?? '';

/** Returns the table of `-peek` between captures, where weights may be negative. */
const differingEdgesOf = (text: string): string[] => withSortedTies(tableOf(text), edgeWeight);

/** Returns the sum of `-raw` for each value type. */
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
  /** Commands for pprof's prompt; the last one prints the report. */
  readonly ask: readonly string[];
  readonly argv: readonly string[];
  /** Extracts the lines to compare from either output. */
  readonly lines: (text: string) => string[];
  /** Changes our lines by a documented difference. */
  readonly adjust?: (ours: readonly string[], theirs: readonly string[]) => string[];
}

const FUNCTIONS = ['--granularity', 'functions'];
/** pprof sums threads that wait at one place; Flamebench lists each as a sample. */
const THREADS = /\.thread$/;
/** None of these functions is inlined anywhere; see docs/parity.md. */
const SHOWN_FROM = '^(runtime.systemstack|runtime.mcall|main.main|java.*|.*::.*)$';

const INLINE_MARK = / \((partial-)?inline\)$/;

/** pprof's `-show` removes `(inline)` marks of functions whose caller is not shown; see docs/parity.md. */
const withPprofMarks = (ours: readonly string[], theirs: readonly string[]): string[] =>
  ours.map((line, row) => {
    const other = theirs[row] ?? '';
    const isSame = line.replace(INLINE_MARK, '') === other.replace(INLINE_MARK, '');
    return isSame && INLINE_MARK.test(line) ? other : line;
  });

/** Rows of `-peek` are blocks: callers, the function, callees. */
const BLOCK_END = /^-+\+-+$/;
const OF_FUNCTION = /^ *(\S+ +\S+) +(\S+) +\S+ +\S+ +\| /;

/**
 * Returns the table of `-peek` with rows of equal weight in the order of their text. pprof sorts those by name, and
 * samples without the label are named `<unknown>` there. Sums are compared after the last of equal rows.
 */
function labelledRows(text: string): string[] {
  const blocks: { flat: string; sum: string; lines: string[] }[] = [{ flat: '', sum: '', lines: [] }];
  for (const line of tableOf(text).map((one) => one.replace(/\(no \w+\)/, '<unknown>'))) {
    const block = blocks.at(-1)!;
    const [, flat, sum] = OF_FUNCTION.exec(line) ?? [];
    if (BLOCK_END.test(line)) blocks.push({ flat: '', sum: '', lines: [] });
    else if (flat === undefined) block.lines.push(line);
    else Object.assign(block, { flat, sum: sum! }).lines.push(line.replace(/^((?: *\S+){2}) +\S+/, '$1'));
  }
  const rows: string[] = [];
  for (let first = 0; first < blocks.length;) {
    let end = first + 1;
    while (end < blocks.length && blocks[end]!.flat === blocks[first]!.flat) end++;
    const equal = blocks.slice(first, end);
    rows.push(...equal.map(({ lines }) => withSortedTies(lines, edgeWeight).join('\n')).sort());
    rows.push(`sum ${equal.at(-1)!.sum}`);
    first = end;
  }
  return rows;
}

/** Sums samples of one stack, as pprof does with threads that wait at one place. */
function tracesOfThreads(text: string): string[] {
  const sums = new Map<string, number>();
  for (const sample of text.slice(Math.max(0, text.indexOf(TRACE_START))).split(/^-+\+-+\n/m)) {
    const [, weight, stack] = /^ *(\d+) {3}([^]*)$/.exec(sample) ?? [];
    if (weight !== undefined) sums.set(stack!, (sums.get(stack!) ?? 0) + Number(weight));
  }
  return [...sums].map(([stack, weight]) => `${weight} ${stack}`);
}

function cellsOf(file: string): Cell[] {
  const top = (options: readonly string[], ...ask: string[]): Omit<Cell, 'name'> => ({
    ask: [...ask, 'top'],
    argv: ['top', file, '-n', '0', ...options],
    lines: tableOf,
  });
  const samplesOf = THREADS.test(file) ? tracesOfThreads : tracesOf;
  const traces = [
    { name: '-traces', ask: ['traces'], argv: ['traces', file, ...FUNCTIONS], lines: samplesOf },
    {
      name: '-traces, lines',
      ask: ['granularity=lines', 'traces'],
      argv: ['traces', file, '--granularity', 'lines'],
      lines: samplesOf,
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
    { name: '-top -cum', ...top(['--cum', ...FUNCTIONS], 'cum=true') },
    { name: '-top -show_from', ...top(['--show-from', SHOWN_FROM, ...FUNCTIONS], `show_from=${SHOWN_FROM}`) },
    {
      name: '-top -show',
      ...top(['--show', '^(runtime\\.|main).*[a-z]$', ...FUNCTIONS], 'show=^(runtime\\.|main).*[a-z]$'),
      adjust: withPprofMarks,
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
        lines: labelledRows,
      })),
    ),
    ...traces,
    { name: '-tags', ask: ['tags'], argv: ['tags', file], lines: tagsOf },
  ];
}

/** pprof has a row for each known first line of a function, so it reads `file` without these. */
function filesCells(file: string): Cell[] {
  const argv = ['--granularity', 'files'];
  const ask = 'granularity=files';
  return [
    { name: '-top, files', ask: [ask, 'top'], argv: ['top', file, '-n', '0', ...argv], lines: tableOf },
    {
      name: '-top -cum, files',
      ask: [ask, 'cum=true', 'top'],
      argv: ['top', file, '-n', '0', '--cum', ...argv],
      lines: tableOf,
    },
    { name: '-peek, files', ask: [ask, 'peek .'], argv: ['peek', file, '.', ...argv], lines: tableOf },
  ];
}

async function compareFiles(path: string): Promise<string[]> {
  const cells = filesCells(path);
  const content = readFileSync(path);
  const plain = path.endsWith('.gz') ? gunzipSync(content) : content;
  const stripped = path.includes('.pb') ? withoutFirstLines(plain) : null;
  const folder = mkdtempSync(join(tmpdir(), 'flamebench-files-'));
  const theirs = join(folder, 'stripped.pb');
  try {
    if (stripped !== null) writeFileSync(theirs, stripped);
    const expected = askPprof(
      [stripped === null ? path : theirs],
      cells.map(({ ask }) => ask),
    );
    return await differences(cells, expected);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function differences(cells: readonly Cell[], expected: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const [index, { name, argv, lines, adjust }] of cells.entries()) {
    const printed = await flamebench(...argv);
    if (NO_SUCH_LABEL.test(printed)) {
      if (!trimmed(expected[index]!).some((line) => UNKNOWN_ROW.test(line))) found.push(`${name}: ${printed}`);
      continue;
    }
    const theirs = lines(expected[index]!);
    const read = NOTHING.test(printed) ? [] : lines(printed);
    const ours = adjust === undefined ? read : adjust(read, theirs);
    const first = theirs.findIndex((line, row) => line !== ours[row]);
    if (first >= 0) found.push(`${name}: ${theirs[first]} | ${ours[first]} | ${printed.slice(0, 100)}`);
    else if (ours.length > theirs.length) found.push(`${name}: also ${ours[theirs.length]}`);
  }
  return found;
}

const files = corpusRows('pprof').filter((row) => !row.path.endsWith('/empty.pb.gz'));

needing(goPprof, () => {
  needing(corpus, () => {
    test.each(files)('$path: every cell equals go tool pprof', ({ path }) => compareFile(corpusPath(path)));
  });

  describe('fresh captures of a Go program', () => {
    let folder: string;
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'flamebench-fresh-'));
      profileGoProgram(folder);
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    test.each(['before.cpu', 'after.cpu', 'after.heap'])('%s: every cell equals pprof', (name) =>
      compareFile(join(folder, `${name}.pb.gz`)),
    );

    test('-tagfocus and -tagroot of the program’s own labels', async () => {
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
          lines: labelledRows,
        })),
      ];
      const expected = askPprof(
        [file],
        cells.map(({ ask }) => ask),
      );
      expect((await differences(cells, expected)).join('\n')).toBe('');
    });

    test.each([
      ['base', 'cpu'],
      ['diff_base', 'cpu'],
      ['base', 'heap'],
      ['diff_base', 'heap'],
    ])('-%s of %s', async (option, kind) => {
      await compareWithBase(option, join(folder, `before.${kind}.pb.gz`), join(folder, `after.${kind}.pb.gz`));
    });

    test.each(['base', 'diff_base'])('-%s with the same memory in use, so that there are no shares', async (option) => {
      const [base, file] = (
        [
          [5, 3],
          [3, 5],
        ] as const
      ).map((weights, side) => {
        const path = join(folder, `same-in-use-${side}.pb`);
        writeFileSync(path, encodePprof(labelled(weights)));
        return path;
      }) as [string, string];
      await compareWithBase(option, base, file);
    });
  });
});

/** Two samples with a label each, which differ between captures in what was allocated only. */
const labelled = (weights: readonly [number, number]): PprofData => ({
  sampleTypes: [
    ['alloc_space', 'bytes'],
    ['inuse_space', 'bytes'],
  ],
  samples: weights.map((weight, index) => ({
    locations: [index + 1],
    values: [weight * 1024, 4096],
    labels: [{ key: 'side', text: 'ab'[index]! }],
  })),
  locations: [1, 2].map((id) => ({ id, lines: [[id, 1]] })),
  functions: [1, 2].map((id) => ({ id, name: `work${id}` })),
});

async function compareWithBase(option: string, base: string, file: string): Promise<void> {
  const flags = [`--${option.replace('_', '-')}`, base, ...FUNCTIONS];
  const cells: Cell[] = [
    { name: 'top', ask: ['top'], argv: ['top', file, '-n', '0', ...flags], lines: tableOf },
    { name: 'cum', ask: ['cum=true', 'top'], argv: ['top', file, '-n', '0', '--cum', ...flags], lines: tableOf },
    { name: 'peek', ask: ['peek .'], argv: ['peek', file, '.', ...flags], lines: differingEdgesOf },
    { name: 'tags', ask: ['tags'], argv: ['tags', file, ...flags], lines: tagsOf },
  ];
  const expected = askPprof(
    [`-${option}=${base}`, file],
    cells.map(({ ask }) => ask),
  );
  expect((await differences(cells, expected)).join('\n')).toBe('');
}

async function compareFile(path: string): Promise<void> {
  const cells = cellsOf(path);
  const expected = askPprof([path], [...cells.map(({ ask }) => ask), ['raw'], ['list .']]);
  expect([...(await differences(cells, expected)), ...(await compareFiles(path))].join('\n')).toBe('');
  const listed = routinesOf(await flamebench('list', path, '.'));
  for (const [row, { head, lines }] of routinesOf(expected.at(-1)!).entries()) {
    expect(listed[row]!.head).toBe(head);
    // pprof omits lines before the function's first line and after the end of the file on this machine.
    expect(listed[row]!.lines.filter((line) => lines.includes(line))).toEqual(lines);
    const [first, last] = [numberOf(lines[0]), numberOf(lines.at(-1))];
    const inside = listed[row]!.lines.filter((line) => numberOf(line) >= first && numberOf(line) <= last);
    expect(inside).toEqual(lines);
  }
  const profile = await importProfile(byteSource(readFileSync(path), path));
  const totals = profile.valueTypes.map((_, row) => sampleWeights(profile, row as ValueTypeIndex).reduce(add, 0n));
  expect(totals.join(' ')).toBe(rawTotals(expected.at(-2)!));
}
