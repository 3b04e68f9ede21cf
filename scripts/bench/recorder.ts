import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { findCommand } from '../components.mjs';
import { root } from '../run-command.ts';
import { absentRow, benchTable, type BenchRow } from './table.ts';

const SECONDS = 20;
const WHAT = `recording the whole system, ${SECONDS} s at 99 Hz`;

/**
 * Measures the CPU time of `flamebench record perf` from its start to its end, with perf, `perf script` and the reading
 * back of the capture, after that of `perf record` alone.
 */
export function benchRecorder(): BenchRow[] {
  const perf = findCommand('perf');
  if (perf === null) return [absentRow(WHAT, 'absent: perf')];
  const folder = mkdtempSync(join(tmpdir(), 'flamebench-bench-'));
  try {
    const record = `${perf} record -q -F 99 -a -g -o - -- sleep ${SECONDS}`;
    const alone = cpuSeconds(`"$@" > ${join(folder, 'data')}`, record.split(' '));
    const launcher = join(root, 'app/cli/flamebench.mjs');
    const options = `record perf --system --rate 99 --seconds ${SECONDS} --library`.split(' ');
    const ours = cpuSeconds('"$@" > /dev/null', [process.execPath, launcher, ...options, join(folder, 'library')]);
    const found = `${ours.toFixed(2)} s of CPU`;
    const note = `${(ours / alone).toFixed(0)} × perf record -a -g alone (${alone.toFixed(2)} s)`;
    return [{ what: WHAT, found, limit: null, holds: null, note }];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns user and system time of a command and of all that it waited for, in seconds, as the shell's `times` says. */
function cpuSeconds(script: string, argv: readonly string[]): number {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', `${script} && times`, 'sh', ...argv], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${argv[0]} ended with ${String(status)}: ${stderr.trim()}`);
  const [user = '', system = ''] = stdout.trim().split('\n').at(-1)!.split(/\s+/);
  return [user, system].reduce((sum, time) => {
    const [, minutes, seconds] = /^(\d+)m([\d.]+)s$/.exec(time)!;
    return sum + Number(minutes) * 60 + Number(seconds);
  }, 0);
}

if (import.meta.main) process.stdout.write(`\n${benchTable(benchRecorder())}\n`);
