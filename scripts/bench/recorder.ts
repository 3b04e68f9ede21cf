import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { findCommand } from '../components.mjs';
import { flamebench } from '../run-command.ts';
import { absentRow, benchTable, median, type BenchRow } from './table.ts';

const SECONDS = 20;
const RATE_HZ = 99;
/** Number of starts of each tool, alternating. */
const STARTS = 9;
/** Seconds skipped at the beginning, which include starting and examining the first stacks. */
const SETTLED_SECONDS = 3;
/** Kernel ticks per second in /proc; the same on every Linux that Node runs on. */
const TICKS = 100;
const MAX_LATER_SECONDS = 0.5;
/** Maximum additional load, in percent of one CPU. */
const MAX_MORE_PERCENT = 1.5;
const WHOLE = `recording the whole system, ${SECONDS} s at ${RATE_HZ} Hz`;
const FIRST = 'time to the first sample, beyond bare perf';
const COST = `CPU while recording the whole system, ${RATE_HZ} Hz, beyond bare perf`;

/**
 * Measures `flamebench record perf` next to `perf record` in the same run, with two busy CPUs: CPU time of a whole
 * recording, CPU time while recording, and time from the start to the first sample.
 */
export async function benchRecorder(): Promise<BenchRow[]> {
  const perf = findCommand('perf');
  if (perf === null) return [WHOLE, FIRST, COST].map((what) => absentRow(what, 'absent: perf'));
  const folder = mkdtempSync(join(tmpdir(), 'flamebench-bench-'));
  const busy = [1, 2].map(() => spawn('sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' }));
  try {
    return [wholeRow(perf, folder), await costRow(perf, folder), await firstRow(perf, folder, busy[0]!.pid!)];
  } finally {
    for (const child of busy) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

function wholeRow(perf: string, folder: string): BenchRow {
  const record = `${perf} record -q -F ${RATE_HZ} -a -g -o - -- sleep ${SECONDS}`;
  const alone = cpuSeconds(`"$@" > ${join(folder, 'data')}`, record.split(' '));
  const options = `record perf --system --rate ${RATE_HZ} --seconds ${SECONDS} --library`.split(' ');
  const ours = cpuSeconds('"$@" > /dev/null', flamebench(...options, join(folder, 'library')));
  const note = `${(ours / alone).toFixed(0)} × perf record -a -g alone (${alone.toFixed(2)} s); from start to end`;
  return { what: WHOLE, found: `${ours.toFixed(2)} s of CPU`, limit: null, holds: null, note };
}

/** Measures the load of all processes of a running recording, in percent of one CPU. */
async function costRow(perf: string, folder: string): Promise<BenchRow> {
  const output = join(folder, 'bare');
  const bare = await costOf([perf, 'record', '-q', '-F', String(RATE_HZ), '-a', '-g', '-o', '-'], output, () => output);
  const library = join(folder, 'cost');
  const options = ['record', 'perf', '--system', '--rate', String(RATE_HZ), '--library', library];
  const ours = await costOf(flamebench(...options), join(folder, 'ours'), () => streamIn(library));
  const more = ours.all - bare.all;
  const parts = [...ours.parts].map(([name, percent]) => `${name} ${percent.toFixed(2)} %`).join(', ');
  return {
    what: COST,
    found: `${more.toFixed(2)} % of a CPU`,
    limit: `≤ ${MAX_MORE_PERCENT} %`,
    holds: more <= MAX_MORE_PERCENT,
    note: `${parts}; bare perf ${bare.all.toFixed(2)} %; ${SECONDS} s after the first ${SETTLED_SECONDS} s`,
  };
}

export interface Cost {
  /** In percent of one CPU. */
  readonly all: number;
  readonly parts: ReadonlyMap<string, number>;
}

export async function costOf(argv: readonly string[], output: string, stream: () => string | null): Promise<Cost> {
  const child = start(argv, output);
  try {
    await untilData(stream);
    await sleep(SETTLED_SECONDS * 1000);
    const before = ticksBelow(child.pid!);
    await sleep(SECONDS * 1000);
    const after = ticksBelow(child.pid!);
    const percent = (name: string): number =>
      (((after.get(name) ?? 0) - (before.get(name) ?? 0)) / TICKS / SECONDS) * 100;
    const parts = new Map([...after.keys()].map((name) => [name, percent(name)]));
    return { all: [...parts.values()].reduce((sum, part) => sum + part, 0), parts };
  } finally {
    await end(child);
  }
}

/** Returns the ticks of a process and its descendants, including children that they waited for, by program. */
function ticksBelow(pid: number): Map<string, number> {
  const rows = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readTicks(Number(name)) ?? []);
  const sums = new Map<string, number>();
  const wanted = [pid];
  for (let at = 0; at < wanted.length; at++) {
    for (const row of rows) {
      if (row.pid === wanted[at]) sums.set(row.name, (sums.get(row.name) ?? 0) + row.ticks);
      if (row.parent === wanted[at]) wanted.push(row.pid);
    }
  }
  return sums;
}

function readTicks(pid: number): { pid: number; name: string; parent: number; ticks: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [, program = '', first = ''] =
      /^([^\0]*)\0([^\0]*)/.exec(readFileSync(`/proc/${pid}/cmdline`, 'latin1')) ?? [];
    const name = `${program.split('/').at(-1)}${program.endsWith('perf') ? ` ${first}` : ''}`;
    const ticks = fields.slice(11, 15).reduce((sum, value) => sum + Number(value), 0);
    return { pid, name, parent: Number(fields[1]), ticks };
  } catch {
    return null;
  }
}

/**
 * Measures from the start of a recording's process to its first sample, on perf's clock, which is that of /proc/uptime.
 */
async function firstRow(perf: string, folder: string, pid: number): Promise<BenchRow> {
  const bare: number[] = [];
  const ours: number[] = [];
  const record = [perf, 'record', '-q', '-F', String(RATE_HZ), '-g', '-o', '-', '-p', String(pid)];
  const options = ['record', 'perf', '--pid', String(pid), '--rate', String(RATE_HZ), '--library'];
  for (let run = 0; run < STARTS; run++) {
    const output = join(folder, `bare-${run}`);
    const library = join(folder, `first-${run}`);
    bare.push(await firstSample(perf, record, output, () => output));
    ours.push(await firstSample(perf, flamebench(...options, library), join(folder, 'said'), () => streamIn(library)));
  }
  const later = median(ours) - median(bare);
  return {
    what: FIRST,
    found: `${later.toFixed(2)} s`,
    limit: `≤ ${MAX_LATER_SECONDS.toFixed(2)} s`,
    holds: later <= MAX_LATER_SECONDS,
    note: `medians of ${STARTS}: ${median(ours).toFixed(2)} s, bare perf ${median(bare).toFixed(2)} s; a host known since its boot`,
  };
}

async function firstSample(
  perf: string,
  argv: readonly string[],
  output: string,
  stream: () => string | null,
): Promise<number> {
  const startedAt = Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0]);
  const child = start(argv, output);
  await untilData(stream);
  await sleep(SETTLED_SECONDS * 1000);
  await end(child);
  const script = spawnSync(perf, ['script', '-i', '-', '-F', 'time'], {
    input: readFileSync(stream()!),
    encoding: 'latin1',
    maxBuffer: 1e9,
  });
  const first = /^\s*(\d+\.\d+):/m.exec(script.stdout)?.[1];
  if (first === undefined) throw new Error(`${argv.join(' ')} recorded nothing`);
  return Number(first) - startedAt;
}

/** Returns the path of perf's stream in the only capture of a library; null until it exists. */
function streamIn(library: string): string | null {
  const [name] = existsSync(library) ? readdirSync(library).filter((entry) => !entry.startsWith('.')) : [];
  return name === undefined ? null : join(library, name, 'raw.perf.data');
}

async function untilData(stream: () => string | null): Promise<void> {
  const arrived = (path: string | null): boolean => path !== null && existsSync(path) && statSync(path).size > 0;
  while (!arrived(stream())) await sleep(50);
}

function start([program = '', ...args]: readonly string[], output: string): ChildProcess {
  const file = openSync(output, 'w');
  try {
    return spawn(program, args, { stdio: ['ignore', file, 'ignore'] });
  } finally {
    closeSync(file);
  }
}

async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGINT');
  await ended;
}

/** Returns the user and system time of a command and its children in seconds, from the shell's `times`. */
function cpuSeconds(script: string, argv: readonly string[]): number {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', `${script} && times`, 'sh', ...argv], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${argv[0]} ended with ${String(status)}: ${stderr.trim()}`);
  const [user = '', system = ''] = stdout.trim().split('\n').at(-1)!.split(/\s+/);
  return [user, system].reduce((sum, time) => {
    const [, minutes, seconds] = /^(\d+)m([\d.]+)s$/.exec(time)!;
    return sum + Number(minutes) * 60 + Number(seconds);
  }, 0);
}

if (import.meta.main) process.stdout.write(`\n${benchTable(await benchRecorder())}\n`);
