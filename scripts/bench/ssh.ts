import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSecondsOf, processesIn } from '../../tests/support/process-list.ts';
import { sshHosts, startSshHost, type SshHost } from '../../tests/support/sshd.ts';
import type { MachineProcess } from '../../tests/support/test-machine.ts';
import { absentRow, benchTable, type BenchRow } from './table.ts';
import { findCommand } from '../components.mjs';
import { flamebench } from '../run-command.ts';

const SECONDS = 30;
const RATE_HZ = 99;
/** Time in ms after which the host's server has waited for its ended processes, whose usage is then counted. */
const SETTLE_MS = 1500;

/** Seconds for which the load of a running recording is measured, after those that its start may take. */
const RUNNING_SECONDS = 20;
const STARTED_SECONDS = 12;
/** Maximum additional load on the host, in percent of one CPU. */
const MAX_MORE_PERCENT = 1.5;

/** A program that keeps one CPU busy in about 20 functions. */
const BUSY = `
static volatile unsigned sink;
__attribute__((noinline)) unsigned mix(unsigned value) {
  for (unsigned i = 0; i < 100000; i++) value = value * 1664525 + 1013904223;
  return value;
}
__attribute__((noinline)) unsigned descend(unsigned level, unsigned value) {
  return level == 0 ? mix(value) : descend(level - 1, value ^ level) + 1;
}
int main(void) { for (;;) sink = descend(16 + sink % 8, sink); }
`;

interface Cost {
  readonly bytes: number;
  readonly cpuSeconds: number;
  readonly samples: number;
}

/**
 * Measures the cost of recording a process on another machine for 30 s: bytes over the link in both directions, and
 * processor time there (including ssh server and login), compared with perf over plain ssh.
 */
export async function benchSsh(): Promise<BenchRow[]> {
  if (!sshHosts.present()) return [absentRow('recording over ssh', `absent: ${sshHosts.name}`)];
  if (findCommand('cc') === null) return [absentRow('recording over ssh', 'absent: a C compiler')];
  const host = await startSshHost({ link: true });
  const folder = mkdtempSync(path.join(tmpdir(), 'flamebench-bench-'));
  try {
    const busy = await startBusy(host, folder);
    const { pid } = busy;
    const perfRecord = `perf record -q -F ${RATE_HZ} -g -e cpu-clock:u -p ${pid} -o -`;
    const record = `${perfRecord} -- sleep ${SECONDS}`;
    const where = ['--target', host.destination, '--library', path.join(folder, 'library')];
    const ours = flamebench('record', 'perf', ...where, '--pid', `${pid}`, '--json');
    const limits = ['--rate', `${RATE_HZ}`, '--seconds', `${SECONDS}`];
    const ssh = ['ssh', '-F', host.clientConfigFile, host.destination];
    const asText = (output: string): number => output.match(/^\S.*: *$/gm)?.length ?? 0;
    return [
      await runningRow(host, folder, busy.outerPid, [...ssh, perfRecord], ours),
      row('flamebench record perf --target', await costOf(host, folder, [...ours, ...limits], countKept)),
      row(
        'flamebench record perf --target --keep-perf-data',
        await costOf(host, folder, [...ours, ...limits, '--keep-perf-data'], countKept),
      ),
      row(
        'ssh host perf record -o -',
        await costOf(host, folder, [...ssh, record], () => asText(scriptOf(outputFile(folder)))),
      ),
      row(
        "ssh host 'perf record -o - | perf script'",
        await costOf(host, folder, [...ssh, `${record} | perf script --no-inline -i -`], asText),
      ),
    ];
  } finally {
    await host.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}

const outputFile = (folder: string): string => path.join(folder, 'output');

/** Compiles the recorded program into the home folder and starts it. */
export async function startBusy(host: SshHost, folder: string): Promise<MachineProcess> {
  const source = path.join(folder, 'busy.c');
  const program = path.join(path.dirname(host.keyFile), 'busy');
  writeFileSync(source, BUSY);
  const { status, stderr } = spawnSync('cc', ['-O1', '-g', '-fno-omit-frame-pointer', '-o', program, source]);
  if (status !== 0) throw new Error(`cc failed: ${String(stderr)}`);
  return host.start(['/run/machine/busy'], { user: true });
}

/** Compares the load of a recording with that of perf over plain ssh. */
async function runningRow(
  host: SshHost,
  folder: string,
  busyPid: number,
  bare: readonly string[],
  ours: readonly string[],
): Promise<BenchRow> {
  const alone = await loadOnHost(host, folder, busyPid, bare);
  const load = await loadOnHost(host, folder, busyPid, ours);
  const more = load.all - alone.all;
  return {
    what: `CPU on the host while recording over ssh, ${RATE_HZ} Hz, beyond bare perf`,
    found: `${more.toFixed(2)} % of a CPU`,
    limit: `≤ ${MAX_MORE_PERCENT} %`,
    holds: more <= MAX_MORE_PERCENT,
    note: `${load.note}; bare perf over ssh ${alone.all.toFixed(2)} %; ${RUNNING_SECONDS} s after the first ${STARTED_SECONDS} s`,
  };
}

/** In percent of one CPU; `note` has the parts. */
interface HostLoad {
  readonly all: number;
  readonly note: string;
}

/** Measures the load of all processes on the host, its ssh server included, while a client that uses perf there runs. */
export async function loadOnHost(
  host: SshHost,
  folder: string,
  busyPid: number,
  argv: readonly string[],
): Promise<HostLoad> {
  const abort = new AbortController();
  const env = { FLAMEBENCH_SSH_CONFIG: host.clientConfigFile };
  const ended = runClient(argv, outputFile(folder), env, abort.signal).catch(() => undefined);
  while (!host.processes().some((line) => /perf record/.test(line))) await sleep(100);
  await sleep(STARTED_SECONDS * 1000);
  const before = secondsByName(busyPid);
  await sleep(RUNNING_SECONDS * 1000);
  const after = secondsByName(busyPid);
  abort.abort();
  await ended;
  while (host.processes().length > 0) await sleep(100);
  // What ended meanwhile is counted by the process that waited for it.
  const shares = [...new Set([...before.keys(), ...after.keys()])].map(
    (name) => [name, (((after.get(name) ?? 0) - (before.get(name) ?? 0)) / RUNNING_SECONDS) * 100] as const,
  );
  return {
    all: shares.reduce((all, [, share]) => all + share, 0),
    note: shares.flatMap(([name, share]) => (share === 0 ? [] : [`${name} ${share.toFixed(2)} %`])).join(', '),
  };
}

/** Returns the CPU seconds of the processes that share the file systems of `pid`, without it, by what they run. */
function secondsByName(pid: number): Map<string, number> {
  const sums = new Map<string, number>();
  for (const row of processesIn(pid)) {
    if (row.pid === pid) continue;
    const name = /perf (?:record|script)/.exec(row.command)?.[0] ?? row.name;
    try {
      sums.set(name, (sums.get(name) ?? 0) + cpuSecondsOf(row.pid));
    } catch {
      // It ended just now.
    }
  }
  return sums;
}

/** Runs a client to its end. `count` returns the number of samples in its output. */
async function costOf(
  host: SshHost,
  folder: string,
  argv: readonly string[],
  count: (output: string) => number,
): Promise<Cost> {
  const before = { bytes: await host.linkBytes(), cpuSeconds: host.cpuSeconds() };
  await runClient(argv, outputFile(folder), { FLAMEBENCH_SSH_CONFIG: host.clientConfigFile });
  while (host.processes().length > 0) await sleep(100);
  await sleep(SETTLE_MS);
  return {
    bytes: (await host.linkBytes()) - before.bytes,
    cpuSeconds: host.cpuSeconds() - before.cpuSeconds,
    samples: count(readFileSync(outputFile(folder), 'latin1')),
  };
}

function runClient(
  [program = '', ...args]: readonly string[],
  output: string,
  env: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<void> {
  const file = openSync(output, 'w');
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['ignore', file, 'pipe'],
      env: { ...process.env, ...env },
      signal,
      killSignal: 'SIGINT',
    });
    let stderr = '';
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => {
      closeSync(file);
      if (code === 0) resolve();
      else reject(new Error(`${program} ended with ${code}: ${stderr.trim()}`));
    });
  });
}

/** Returns the text of a recording that perf wrote. */
function scriptOf(file: string): string {
  const { stdout } = spawnSync('perf', ['script', '-i', file, '--no-inline'], { encoding: 'latin1', maxBuffer: 1e9 });
  return stdout;
}

function countKept(output: string): number {
  const { captures } = JSON.parse(output) as { captures: readonly { samples: number }[] };
  return captures.reduce((sum, { samples }) => sum + samples, 0);
}

function row(what: string, { bytes, cpuSeconds, samples }: Cost): BenchRow {
  return {
    what,
    found: `${(bytes / 1000).toFixed(0)} kB, ${cpuSeconds.toFixed(2)} s of CPU`,
    limit: null,
    holds: null,
    note: `${SECONDS} s at ${RATE_HZ} Hz, ${samples} samples; link both ways, processor time on the host with its sshd`,
  };
}

if (process.argv[1] === import.meta.filename) process.stdout.write(`${benchTable(await benchSsh())}\n`);
