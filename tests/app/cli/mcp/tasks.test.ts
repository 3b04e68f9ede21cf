import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callCli } from '../../../support/call-cli.ts';
import { rowsOf, startMcp, type McpClient } from '../../../support/mcp-client.ts';

const ROOT = join(import.meta.dirname, '../../../../samples/profiles/pprof');
const RUNS = [1, 2, 3, 4, 5];
const fileOf = (side: string, run: number): string => join(ROOT, `apiserver-${side}-${run}`, 'raw.pprof');
const side = (name: string, files: string): string[] => RUNS.flatMap((run) => [`--${name}`, fileOf(files, run)]);
const SIDES = [...side('before', 'before'), ...side('after', 'after')];

let mcp: McpClient;
let before: string[] = [];
let after: string[] = [];

beforeAll(async () => {
  mcp = await startMcp(['--root', ROOT]);
  for (const run of RUNS) {
    before = [...before, await mcp.open(fileOf('before', run))];
    after = [...after, await mcp.open(fileOf('after', run))];
  }
});
afterAll(() => mcp.client.close());

interface Task {
  readonly question: string;
  readonly ask: readonly [tool: string, given: () => Record<string, unknown>];
  /** Reads the answer from the tool's output alone. */
  readonly read: (text: string) => unknown;
  /** The command whose JSON has the answer too, and how it is read there. */
  readonly command: readonly string[];
  readonly expected: (json: never) => unknown;
}

const name = (cell: string | undefined): unknown => JSON.parse(cell!) as unknown;
const first = (text: string): string[] => rowsOf(text)[0]!;
const ONE = fileOf('before', 1);

interface Named {
  readonly name: string;
}
interface Top {
  readonly functions: readonly (Named & { self: number; total: number })[];
}
interface Diff {
  readonly method: string;
  readonly whole: { delta: number; verdict: string };
  readonly functions: readonly (Named & { verdict: { self: string; total: string }; presence: string })[];
}
interface Peek {
  readonly functions: readonly { callers: readonly (Named & { weight: number })[] }[];
}

const TASKS: readonly Task[] = [
  {
    question: 'Which function has most self weight?',
    ask: ['top', () => ({ handle: before[0], limit: 1 })],
    read: (text) => name(first(text)[4]),
    command: ['top', ONE],
    expected: ({ functions }: Top) => functions[0]!.name,
  },
  {
    question: 'Which three functions have most total weight?',
    ask: ['top', () => ({ handle: before[0], sort: 'total', limit: 3 })],
    read: (text) => rowsOf(text).map((cells) => name(cells[4])),
    command: ['top', ONE, '--cum'],
    expected: ({ functions }: Top) => functions.slice(0, 3).map((row) => row.name),
  },
  {
    question: 'How much does encoding/json.Marshal cost with what it calls?',
    ask: ['search', () => ({ handle: before[0], pattern: String.raw`^encoding/json\.Marshal$` })],
    read: (text) => Number(first(text)[2]),
    command: ['top', ONE],
    expected: ({ functions }: Top) => functions.find((row) => row.name === 'encoding/json.Marshal')!.total,
  },
  {
    question: 'Who calls encoding/json.appendIndent?',
    ask: ['peek', () => ({ handle: before[0], pattern: 'appendIndent' })],
    read: (text) =>
      rowsOf(text)
        .filter(([what]) => what === 'caller')
        .map((cells) => name(cells[4])),
    command: ['peek', ONE, 'appendIndent'],
    expected: ({ functions }: Peek) => functions[0]!.callers.map((row) => row.name),
  },
  {
    question: 'Which line of encoding/json.Marshal is heaviest?',
    ask: ['annotate', () => ({ handle: before[0], function: 'encoding/json.Marshal' })],
    read: (text) => Number(rowsOf(text).toSorted((a, b) => Number(b[1]) - Number(a[1]))[0]![2]),
    command: ['annotate', ONE, 'encoding/json.Marshal'],
    expected: ({ lines }: { lines: readonly { line: number; total: number }[] }) =>
      lines.toSorted((a, b) => b.total - a.total)[0]!.line,
  },
  {
    question: 'How much is garbage collection?',
    ask: ['summary', () => ({ handle: before[0] })],
    read: (text) => Number(rowsOf(text).find((cells) => cells[3] === '"garbage collection"')![1]),
    command: ['summary', ONE],
    expected: ({ kinds }: { kinds: readonly { kind: string; weight: number }[] }) =>
      kinds.find(({ kind }) => kind === 'garbage collection')!.weight,
  },
  {
    question: 'Did the whole get cheaper, beyond noise?',
    ask: ['diff', () => ({ before, after, limit: 1 })],
    read: (text) => /^"cpu" (\w+) by/m.exec(text)![1],
    command: ['diff', ...SIDES],
    expected: ({ whole }: Diff) => whole.verdict,
  },
  {
    question: 'Which functions made it worse, if the change is reverted?',
    ask: ['diff', () => ({ before: after, after: before, sort: 'total', show: 'grew', limit: 100 })],
    read: (text) => rowsOf(text).map((cells) => name(cells[6])),
    command: ['diff', ...side('before', 'after'), ...side('after', 'before'), '--cum'],
    expected: ({ functions }: Diff) =>
      functions.filter(({ verdict }) => verdict.total === 'grew').map((row) => row.name),
  },
  {
    question: 'How many functions are new?',
    ask: ['diff', () => ({ before, after, show: 'new', limit: 1 })],
    read: (text) => Number(/^rows .+, of (\d+);/m.exec(text)![1]),
    command: ['diff', ...SIDES],
    expected: ({ functions }: Diff) => functions.filter(({ presence }) => presence === 'only-after').length,
  },
  {
    question: 'Would one run a side have been enough?',
    ask: ['diff', () => ({ before: [before[0]], after: [after[0]], limit: 1 })],
    read: (text) => text.includes('a change is called maybe at best'),
    command: ['diff', ONE, fileOf('after', 1)],
    expected: ({ method }: Diff) => method.includes('maybe at best'),
  },
];

test('ten questions are answered by one call each, as the command answers them, in the documented bytes', async () => {
  const rows: string[] = [];
  for (const { question, ask, read, command, expected } of TASKS) {
    const { text } = await mcp.call(ask[0], ask[1]());
    const json = (await callCli([...command, '--json'])).stdout;
    expect({ question, answer: read(text) }).toEqual({ question, answer: expected(JSON.parse(json) as never) });
    rows.push(`| ${question} | \`${ask[0]}\` | ${kilobytes(text)} | ${kilobytes(json)} |`);
  }
  // The figures of the documentation.
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/mcp.md'), 'utf8');
  expect(page).toContain(rows.join('\n'));
});

const kilobytes = (text: string): string => `${(Buffer.byteLength(text) / 1000).toFixed(1)} kB`;
