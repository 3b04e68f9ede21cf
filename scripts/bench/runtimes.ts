import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { findCommand } from '../components.mjs';
import { flamebench } from '../run-command.ts';
import { absentRow, benchTable, median, type BenchRow } from './table.ts';

const SECONDS = 6;
/** Recordings by each, alternating with the same time without one. */
const ROUNDS = 3;
/** Time at the start and the end of a bare tool's run that does not count, in ms. */
const MARGIN_MS = 1000;
/** Minimum work under a recording of Flamebench, relative to that under the bare tool. */
const LEAST = 0.9;

/** Each program prints the time, in ms since the epoch, and the units of work that it has done. */
const PROGRAMS = {
  node: `let n = 0, sum = 0, next = 0;
function unit() { for (let i = 0; i < 20000; i++) sum = (sum + i * i) % 1000003; n++; }
function turn() { const now = Date.now(); if (now > next) { console.log(now, n); next = now + 50; }
  for (let i = 0; i < 20; i++) unit(); setImmediate(turn); }
turn();`,
  python: `import time
def unit():
    s = 0
    for i in range(5000): s = (s + i * i) % 1000003
n = 0; last = 0
while True:
    now = time.time()
    if now > last + 0.05: print(int(now * 1000), n, flush=True); last = now
    unit(); n += 1`,
  java: `class Units { static long sum = 0;
static void unit() { for (int i = 0; i < 50000; i++) sum = (sum + (long) i * i) % 1000003; }
public static void main(String[] words) { long n = 0, last = 0; while (true) { long now = System.currentTimeMillis();
if (now > last + 50) { System.out.println(now + " " + n); System.out.flush(); last = now; } unit(); n++; } } }`,
};
type Runtime = keyof typeof PROGRAMS;

interface Bare {
  readonly tool: string;
  /** Takes {@link SECONDS}. */
  readonly argv: (pid: number, folder: string) => string[];
}

const BARE: Readonly<Record<Runtime, Bare>> = {
  node: {
    tool: 'perf',
    argv: (pid, folder) => `perf record -q -F 99 -g -o ${folder}/data -p ${pid} -- sleep ${SECONDS}`.split(' '),
  },
  python: {
    tool: 'py-spy',
    argv: (pid, folder) =>
      `py-spy record --rate 100 --duration ${SECONDS} --format speedscope -o ${folder}/data --pid ${pid}`.split(' '),
  },
  java: {
    tool: 'jcmd',
    argv: (pid, folder) => [
      'sh',
      '-c',
      `jcmd ${pid} JFR.start name=bare settings=profile && sleep ${SECONDS} && jcmd ${pid} JFR.stop name=bare filename=${folder}/data.jfr`,
    ],
  },
};

const recordedSchema = z.object({
  captures: z.tuple([z.object({ startedAt: z.number(), durationMs: z.number() })]),
});

/** Measures the work that a busy process does while Flamebench records it, next to the bare tool and to none. */
export async function benchRuntimes(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const runtime of Object.keys(PROGRAMS) as Runtime[]) rows.push(await runtimeRow(runtime));
  return rows;
}

async function runtimeRow(runtime: Runtime): Promise<BenchRow> {
  const { tool, argv } = BARE[runtime];
  const what = `work of a busy ${runtime} process while recorded, compared with bare ${tool}`;
  const missing = [runtime === 'python' ? 'python3' : runtime, tool].filter((name) => findCommand(name) === null);
  if (missing.length > 0) return absentRow(what, `absent: ${missing.join(', ')}`);
  const folder = mkdtempSync(join(tmpdir(), 'flamebench-bench-'));
  const program = startProgram(runtime, folder);
  try {
    const readings = readingsOf(program);
    await sleep(3000);
    const found = { none: [] as number[], bare: [] as number[], ours: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      found.none.push(await rateDuring(readings, () => sleep(SECONDS * 1000)));
      found.bare.push(await rateDuring(readings, () => run(argv(program.pid!, folder))));
      found.ours.push(await ourRate(readings, runtime, program.pid!, folder));
    }
    const [none, bare, ours] = [median(found.none), median(found.bare), median(found.ours)];
    const share = (rate: number): string => `${((rate / none) * 100).toFixed(1)} %`;
    // perf at 99 Hz, without names of functions, is no peer of samples every millisecond.
    const limit = runtime === 'node' ? null : LEAST;
    return {
      what,
      found: `${(ours / bare).toFixed(3)} ×`,
      limit: limit === null ? null : `≥ ${limit} ×`,
      holds: limit === null ? null : ours / bare >= limit,
      note: `${share(ours)} of the work without a recording, ${tool} ${share(bare)}; ${ROUNDS} × ${SECONDS} s each`,
    };
  } finally {
    program.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

function startProgram(runtime: Runtime, folder: string): ChildProcess {
  const file = join(folder, runtime === 'java' ? 'Units.java' : 'program');
  writeFileSync(file, PROGRAMS[runtime]);
  const words = { node: [process.execPath, file], python: ['python3', file], java: ['java', file] }[runtime];
  return spawn(words[0]!, words.slice(1), { stdio: ['ignore', 'pipe', 'ignore'] });
}

/** `waitedMs`: time for which the program waited for a CPU that others used. */
type Reading = readonly [ms: number, units: number, waitedMs: number];

/** Returns the time of the busiest thread in the run queue, in ms; sched-stats.rst of the kernel describes the file. */
function waitedMs(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`).map((tid) =>
      readFileSync(`/proc/${pid}/task/${tid}/schedstat`, 'latin1').split(' ').map(Number),
    );
    const [busiest] = threads.toSorted(([a = 0], [b = 0]) => b - a);
    return (busiest?.[1] ?? Number.NaN) / 1e6;
  } catch {
    // The process, or a thread, has ended.
    return Number.NaN;
  }
}

/** Returns what the program has printed, which grows. */
function readingsOf({ stdout, pid = 0 }: ChildProcess): Reading[] {
  const readings: Reading[] = [];
  let rest = '';
  stdout?.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    const waited = waitedMs(pid);
    for (const line of lines) {
      const [ms, units] = line.split(' ').map(Number);
      readings.push([ms!, units!, waited]);
    }
  });
  return readings;
}

/** Returns units of work per ms that the program did not wait for a CPU: other load on the machine counts little. */
function rateIn(readings: readonly Reading[], from: number, to: number): number {
  const within = readings.filter(([ms, , waited]) => ms >= from && ms <= to && !Number.isNaN(waited));
  const [first, last] = [within[0]!, within.at(-1)!];
  return (last[1] - first[1]) / (last[0] - first[0] - (last[2] - first[2]));
}

async function rateDuring(readings: readonly Reading[], action: () => Promise<unknown>): Promise<number> {
  const start = Date.now();
  await action();
  return rateIn(readings, start + MARGIN_MS, Math.min(Date.now(), start + SECONDS * 1000));
}

async function ourRate(readings: readonly Reading[], runtime: Runtime, pid: number, folder: string): Promise<number> {
  const options = ['--pid', String(pid), '--seconds', String(SECONDS), '--library', join(folder, 'library'), '--json'];
  const printed = await run(flamebench('record', runtime, ...options));
  const [{ startedAt, durationMs }] = recordedSchema.parse(JSON.parse(printed)).captures;
  return rateIn(readings, startedAt + MARGIN_MS, startedAt + Math.min(durationMs, SECONDS * 1000));
}

/** Returns what a command prints. Rejects if it fails. */
async function run([program = '', ...words]: readonly string[]): Promise<string> {
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`${program} ended with ${String(code)}: ${stderr.slice(-500)}`);
  return stdout;
}

if (import.meta.main) process.stdout.write(`${benchTable(await benchRuntimes())}\n`);
