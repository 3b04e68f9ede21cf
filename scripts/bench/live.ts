import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LiveStore } from '#core/live/live-store.ts';
import type { Profile } from '#core/model/profile.ts';
import { sampleWeights } from '#core/model/weights.ts';
import { longStream } from '../../tests/support/long-stream.ts';
import { compilePhases } from '../../tests/support/phase-program.ts';
import { findCommand } from '../components.mjs';
import { flamebench } from '../run-command.ts';
import { CHANGES, changeTimeRow } from './change-time.ts';
import { HOUR, repeatedPart } from './replayed-hour.ts';
import { changeInWindowRow, liveWindowRow, replayedWindowRow } from './live-window.ts';
import { costOf, type Cost } from './recorder.ts';
import { benchRecording } from './recording.ts';
import { absentRow, benchTable, memoryRow, type BenchRow } from './table.ts';

export const RATE_HZ = 99;
export const MAX_MORE_PERCENT = 1;
/** The levels of single samples and seconds are full. */
const FULL_SECONDS = 900;
const MAX_GROWTH = 1.15;
const OVERHEAD = `CPU of a live session’s collectors, ${RATE_HZ} Hz, beyond bare perf`;
const CHANGE = 'live: from a change of behaviour to a printed update';
const MEMORY = `live: memory after an hour of ${HOUR.samplesPerSecond.toLocaleString('en')} samples/s`;

/** Measures live sessions: cost on the target, time to a change, and an hour of a stream replayed fast. */
export async function benchLive(): Promise<BenchRow[]> {
  const rows = [await hourRow()];
  const perf = findCommand('perf');
  if (perf === null) return [...rows, ...[OVERHEAD, CHANGE].map((what) => absentRow(what, 'absent: perf'))];
  const folder = mkdtempSync(join(tmpdir(), 'flamebench-live-'));
  const program = spawn(compilePhases(folder), [], { stdio: 'ignore' });
  try {
    return [
      ...rows,
      await overheadRow(perf, folder, program.pid!),
      await changeRow(folder),
      await changeInWindowRow(folder),
      await liveWindowRow(folder),
      await replayedWindowRow(folder),
    ];
  } finally {
    program.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The engine's own process is not on the target, so Node is left out. */
async function overheadRow(perf: string, folder: string, pid: number): Promise<BenchRow> {
  const scope = ['-p', String(pid)];
  const output = join(folder, 'bare');
  const bare = await costOf(
    [perf, 'record', '-q', '-F', String(RATE_HZ), '-g', ...scope, '-o', '-'],
    output,
    () => output,
  );
  const said = join(folder, 'said');
  const options = ['live', '--pid', String(pid), '--rate', String(RATE_HZ), '--json'];
  const ours = await costOf(flamebench(...options), said, () => said);
  const more = onTarget(ours) - onTarget(bare);
  const parts = [...ours.parts].map(([name, percent]) => `${name} ${percent.toFixed(2)} %`).join(', ');
  return {
    what: OVERHEAD,
    found: `${more.toFixed(2)} % of a CPU`,
    limit: `≤ ${MAX_MORE_PERCENT} %`,
    holds: more <= MAX_MORE_PERCENT,
    note: `${parts}; bare perf ${onTarget(bare).toFixed(2)} %; node is the engine, not on the target`,
  };
}

const onTarget = ({ parts }: Cost): number =>
  [...parts].reduce((sum, [name, percent]) => (name.startsWith('node') ? sum : sum + percent), 0);

/** Measures until a line names the function that a signal has started. */
async function changeRow(folder: string): Promise<BenchRow> {
  const path = compilePhases(folder);
  const found: number[] = [];
  for (let run = 0; run < CHANGES; run++) {
    const program = spawn(path, [], { stdio: 'ignore' });
    found.push(await changeSeconds({ pid: program.pid!, kill: (signal) => program.kill(signal) }));
  }
  return changeTimeRow(CHANGE, found, 'live --json, a line per second');
}

/** A program that starts another function on SIGUSR1. */
interface ChangingProgram {
  readonly pid: number;
  kill(signal: 'SIGUSR1' | 'SIGKILL'): void;
}

/** Measures once, and ends the program. `on` names its host, `env` what its ssh needs. */
export async function changeSeconds(
  program: ChangingProgram,
  on: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  const [node = '', ...words] = flamebench('live', ...on, '--pid', String(program.pid), '--json');
  const live = spawn(node, words, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
  });
  let changedAt: number | null = null;
  try {
    for await (const line of createInterface({ input: live.stdout })) {
      const { samples, functions } = JSON.parse(line) as { samples: number; functions: readonly { name: string }[] };
      if (changedAt === null && samples > 100) {
        program.kill('SIGUSR1');
        changedAt = performance.now();
      } else if (changedAt !== null && functions.some(({ name }) => name === 'storm')) {
        return (performance.now() - changedAt) / 1000;
      }
    }
    throw new Error('the live session ended early');
  } finally {
    live.kill('SIGINT');
    program.kill('SIGKILL');
  }
}

async function hourRow(): Promise<BenchRow> {
  const { path, reason } = benchRecording();
  if (path === null) return absentRow(MEMORY, reason);
  const recording = await repeatedPart(path);
  const store = new LiveStore({ format: 'perf-script', rateHz: null, tool: 'perf', toolVersion: null, hostName: null });
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = (): number => {
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return (heapUsed + arrayBuffers) / 1e6;
  };
  const start = process.cpuUsage();
  let raw = 0n;
  let at = 0;
  let full = 0;
  for (const second of longStream(recording, HOUR)) {
    raw += sumOf(second);
    store.append(second, 0n);
    at += 1;
    if (at === FULL_SECONDS) full = used();
  }
  const { user, system } = process.cpuUsage(start);
  const isExact = sumOf(store.snapshot(null).profile) === raw;
  const megabytes = used();
  return {
    ...memoryRow(MEMORY, megabytes, Math.round(full * MAX_GROWTH), ''),
    holds: isExact && megabytes <= full * MAX_GROWTH,
    note: `${full.toFixed(0)} MB after ${FULL_SECONDS / 60} min; ${store.rowCount.toLocaleString('en')} rows; sums ${isExact ? 'exact' : 'WRONG'}; ${((user + system) / 1e6).toFixed(0)} s of CPU`,
  };
}

function sumOf(profile: Profile): bigint {
  let sum = 0n;
  for (const weight of sampleWeights(profile, profile.metadata.defaultValueType)) sum += BigInt(weight);
  return sum;
}

if (import.meta.main) process.stdout.write(`${benchTable(await benchLive())}\n`);
