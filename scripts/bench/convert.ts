import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileSource } from '#app/engine/files/file-source.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { benchRecording, largeBenchRecording } from './recording.ts';
import { absentRow, benchTable, median, memoryRow, type BenchRow } from './table.ts';
import { findCommand } from '../components.mjs';
import { measureProcess, type Measurement } from './measure-process.ts';
import { flamebench } from '../run-command.ts';

const RUNS = 5;
const MEGABYTE = 1e6;

/** The limits: one of the two must hold. */
const MAX_TIMES_INFERNO = 1.3;
const MAX_MEGABYTES = 200;
const MAX_BYTES_PER_SAMPLE = 40;
const MAX_BYTES_PER_STACK = 24;
const MAX_REOPEN_SECONDS = 0.3;

/**
 * Measures `convert` to folded text, and `top`, next to inferno. With `--large`, also measures the
 * memory for a gigabyte.
 */
export async function benchConvert(): Promise<BenchRow[]> {
  const recording = benchRecording();
  if (recording.path === null) return [absentRow('convert to folded', recording.reason)];
  const folder = mkdtempSync(join(tmpdir(), 'flamebench-bench-'));
  try {
    const rows = await compare(recording.path, folder);
    rows.push(...(await reopen(recording.path, folder)));
    if (process.argv.includes('--large')) rows.push(...(await large(recording.path, folder)));
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compare(input: string, folder: string): Promise<BenchRow[]> {
  const inferno = findCommand('inferno-collapse-perf');
  const contenders = [convertCommand(input, folder), flamebench('top', input)];
  if (inferno !== null) contenders.push([inferno, '-n1', input]);
  const [convert, top, peer] = await inTurns(contenders, join(folder, 'output'));
  const size = `${Math.round(statSync(input).size / MEGABYTE)} MB of perf script text`;
  const limit = peer === undefined ? null : peer.wallSeconds * MAX_TIMES_INFERNO;
  const name = 'inferno-collapse-perf -n1';
  return [
    timeRow('convert to folded', convert!, limit, `${size}; limit ${MAX_TIMES_INFERNO} × inferno -n1`),
    memoryRow('convert to folded, memory', convert!.peakBytes / MEGABYTE, MAX_MEGABYTES, size),
    timeRow('top', top!, convert!.wallSeconds, 'limit: convert'),
    peer === undefined ? absentRow(name, 'absent') : timeRow(name, peer, null, 'peer'),
  ];
}

/** Runs the commands alternately, so that other load on the machine affects all alike; returns the medians of each. */
async function inTurns(commands: readonly (readonly string[])[], output: string): Promise<Measurement[]> {
  // Fills the page cache and the compile cache.
  await measureProcess(commands[0]!, output);
  const runs = commands.map((): Measurement[] => []);
  for (let round = 0; round < RUNS; round++) {
    for (const [index, argv] of commands.entries()) runs[index]!.push(await measureProcess(argv, output));
  }
  return runs.map(medians);
}

function medians(list: readonly Measurement[]): Measurement {
  const of = (key: keyof Measurement): number => median(list.map((measurement) => measurement[key]));
  return { wallSeconds: of('wallSeconds'), cpuSeconds: of('cpuSeconds'), peakBytes: of('peakBytes') };
}

/** Measures reading a native file, as in the workbench's cache: reading, decoding and checking. */
async function reopen(input: string, folder: string): Promise<BenchRow[]> {
  const native = join(folder, 'capture.flamebench');
  await measureProcess(flamebench('convert', input, '--to', 'native', '-o', native), join(folder, 'output'));
  const seconds: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now();
    await importProfile(fileSource(native));
    seconds.push((performance.now() - start) / 1000);
  }
  const note = `native file of ${Math.round(statSync(native).size / MEGABYTE)} MB, median of ${RUNS}`;
  const found = { wallSeconds: median(seconds), cpuSeconds: 0, peakBytes: 0 };
  return [timeRow('reopen from cache', found, MAX_REOPEN_SECONDS, note)];
}

/** Checks that a gigabyte takes only the memory that its additional samples and stacks need. */
async function large(smallInput: string, folder: string): Promise<BenchRow[]> {
  const recording = largeBenchRecording();
  if (recording.path === null) return [absentRow('convert to folded, large', recording.reason)];
  const small = await countRows(smallInput);
  const counts = await countRows(recording.path);
  const samples = Math.max(0, counts.samples - small.samples);
  const stacks = Math.max(0, counts.stacks - small.stacks);
  const limit = MAX_MEGABYTES + (samples * MAX_BYTES_PER_SAMPLE + stacks * MAX_BYTES_PER_STACK) / MEGABYTE;
  const measured = await measureProcess(convertCommand(recording.path, folder), join(folder, 'output'));
  const size = `${Math.round(statSync(recording.path).size / MEGABYTE)} MB, ${counts.samples} samples, ${counts.stacks} stacks`;
  return [
    timeRow('convert to folded, large', measured, null, `one run; ${size}`),
    memoryRow('convert to folded, large, memory', measured.peakBytes / MEGABYTE, Math.round(limit), size),
  ];
}

async function countRows(path: string): Promise<{ samples: number; stacks: number }> {
  const { samples, stacks } = await importProfile(fileSource(path));
  return { samples: samples.length, stacks: stacks.length };
}

function convertCommand(input: string, folder: string): string[] {
  return flamebench('convert', input, '--to', 'folded', '-o', join(folder, 'folded'));
}

function timeRow(what: string, found: Measurement, limit: number | null, note: string): BenchRow {
  const cpu = found.cpuSeconds === 0 ? '' : `, CPU ${found.cpuSeconds.toFixed(2)} s`;
  const memory = found.peakBytes === 0 ? '' : `, ${Math.round(found.peakBytes / MEGABYTE)} MB`;
  return {
    what,
    found: `${found.wallSeconds.toFixed(2)} s`,
    limit: limit === null ? null : `≤ ${limit.toFixed(2)} s`,
    holds: limit === null ? null : found.wallSeconds <= limit,
    note: `${note}${cpu}${memory}`,
  };
}

if (import.meta.main) {
  process.stdout.write(`\n${benchTable(await benchConvert())}\n`);
}
