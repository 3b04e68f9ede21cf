import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { findCommand } from '../components.mjs';
import { flamebench, root } from '../run-command.ts';
import { measureProcess } from './measure-process.ts';
import { benchCacheFolder, unfinished } from './recording.ts';
import { absentRow, benchTable, median, type BenchRow } from './table.ts';

const RUNS = 5;

type Argv = readonly string[];

/** A format, how a large input of it is made, and the fastest other tool that reads it. */
interface Peer {
  readonly format: string;
  readonly fileName: string;
  readonly make: (path: string) => Argv;
  readonly name: string;
  /** Null if it is not installed. */
  readonly theirs: (path: string) => Argv | null;
}

const PYTHON = fileURLToPath(new URL('import-peers.py', import.meta.url));
const python = (...args: Argv): Argv => ['python3', PYTHON, ...args];
const fixture = (path: string): string => join(root, 'tests/fixtures/import', path);
const withCommand = (command: string, ...args: Argv): Argv | null =>
  findCommand(command) === null ? null : [command, ...args];

const HEAP = `const kept = [];
for (let row = 0; row < 300_000; row++) kept.push({ row, name: 'name ' + row, of: kept[row >> 1], list: [row, row + 1] });
require('node:v8').writeHeapSnapshot(process.argv[1]); kept.length = 0;`;
const MEMLAB = `require(process.env.NODE_PATH + '/@memlab/core/dist/lib/HeapParser.js').default.parse(process.argv[1]).then((heap) => console.log(heap.nodes.length))`;

const PEERS: readonly Peer[] = [
  {
    format: 'otlp',
    fileName: 'peers.otlp',
    make: (path) => python('make', 'otlp', path),
    name: 'opentelemetry-proto (protobuf in C)',
    theirs: (path) => python('read', 'otlp', path),
  },
  {
    format: 'pstats',
    fileName: 'peers.pstats',
    make: (path) => python('make', 'pstats', path),
    name: 'pstats of Python',
    theirs: (path) => python('read', 'pstats', path),
  },
  {
    format: 'flamebearer',
    fileName: 'peers.flamebearer.json',
    make: (path) => python('make', 'flamebearer', path),
    name: 'none; jq, which only parses it',
    theirs: (path) => withCommand('jq', '.flamebearer.numTicks', path),
  },
  {
    format: 'thread-dump (jstack)',
    fileName: 'peers.jstack.txt',
    make: (path) => python('make', 'repeated', path, fixture('thread-dump/jstack-twice.txt')),
    name: 'stackcollapse-jstack.pl',
    theirs: (path) => withCommand('stackcollapse-jstack.pl', path),
  },
  {
    format: 'thread-dump (gdb)',
    fileName: 'peers.gdb.txt',
    make: (path) => python('make', 'repeated', path, fixture('thread-dump/gdb.txt')),
    name: 'stackcollapse-gdb.pl',
    theirs: (path) => withCommand('stackcollapse-gdb.pl', path),
  },
  {
    format: 'heapsnapshot',
    fileName: 'peers.heapsnapshot',
    make: (path) => [process.execPath, '-e', HEAP, path],
    name: '@memlab/core (in NODE_PATH)',
    theirs: (path) => (process.env['NODE_PATH'] === undefined ? null : [process.execPath, '-e', MEMLAB, path]),
  },
  {
    format: 'async-profiler-html',
    fileName: 'peers.async.html',
    make: (path) => [
      'sh',
      '-c',
      `python3 "$0" make collapsed "$1.collapsed" && jfrconv "$1.collapsed" "$1"`,
      PYTHON,
      path,
    ],
    name: 'jfrconv (to collapsed stacks)',
    theirs: (path) => withCommand('jfrconv', path, join(benchCacheFolder(), 'peers.async.collapsed')),
  },
];

/** Formats that no other installed program reads into stacks. */
const ALONE = ['perf-report', 'perf-json', 'pyinstrument', 'memray-html', 'bpftrace (-f json)'];

/**
 * Reads a large input of each format that has a peer as whole processes, alternating, judged by processor time: `node
 * scripts/bench/import-peers.ts`. Perfetto's peer, trace_processor, is measured if it is on the path.
 */
async function benchPeers(): Promise<BenchRow[]> {
  mkdirSync(benchCacheFolder(), { recursive: true });
  const rows: BenchRow[] = [];
  for (const peer of PEERS) {
    rows.push(await row(peer).catch((error: unknown) => absentRow(`import ${peer.format}`, String(error))));
  }
  return [...rows, ...ALONE.map((format) => absentRow(`import ${format}`, 'no other program reads it into stacks'))];
}

async function row({ format, fileName, make, name, theirs }: Peer): Promise<BenchRow> {
  const path = join(benchCacheFolder(), fileName);
  const output = join(benchCacheFolder(), 'peers.output');
  if (!existsSync(path)) {
    const made = unfinished(path);
    await measureProcess(make(made), output);
    renameSync(made, path);
  }
  const argv = theirs(path);
  const [ours, peers]: [number[], number[]] = [[], []];
  for (let run = 0; run < RUNS; run++) {
    ours.push((await measureProcess(flamebench('top', path), output)).cpuSeconds);
    if (argv !== null) peers.push((await measureProcess(argv, output)).cpuSeconds);
  }
  rmSync(output);
  const [own, other] = [median(ours), median(peers)];
  const size = `${(statSync(path).size / 1e6).toFixed(1)} MB, CPU time of whole processes, median of ${RUNS}`;
  if (argv === null) return absentRow(`import ${format}`, `${own.toFixed(2)} s; ${name} is not installed; ${size}`);
  const limit = `≤ ${other.toFixed(2)} s`;
  return { what: `top ${format}`, found: `${own.toFixed(2)} s`, limit, holds: own <= other, note: `${name}; ${size}` };
}

process.stdout.write(`${benchTable(await benchPeers())}\n`);
