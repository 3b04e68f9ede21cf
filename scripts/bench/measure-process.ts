import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';

/** Interval in ms at which /proc is read; usage after the last reading is missed. */
const INTERVAL_MS = 10;
/** Linux counts CPU time in hundredths of a second (USER_HZ), independent of the kernel's tick. */
const TICKS_PER_SECOND = 100;

export interface Measurement {
  readonly wallSeconds: number;
  /** User and system time of all threads; 0 without /proc. */
  readonly cpuSeconds: number;
  /** Maximum resident memory; 0 without /proc. */
  readonly peakBytes: number;
}

/** Runs a command to its end with stdout in a file. Rejects if it fails. */
export async function measureProcess(argv: readonly string[], outputPath: string): Promise<Measurement> {
  const [command = '', ...args] = argv;
  const output = openSync(outputPath, 'w');
  const start = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', output, 'pipe'] });
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-500)));
  const used = { ticks: 0, peakBytes: 0 };
  const timer = setInterval(() => look(child.pid ?? 0, used), INTERVAL_MS);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', resolve);
    });
    const wallSeconds = (performance.now() - start) / 1000;
    if (code !== 0) throw new Error(`${command} ended with ${String(code)}: ${complaint.trim()}`);
    return { wallSeconds, cpuSeconds: used.ticks / TICKS_PER_SECOND, peakBytes: used.peakBytes };
  } finally {
    clearInterval(timer);
    closeSync(output);
  }
}

function look(pid: number, used: { ticks: number; peakBytes: number }): void {
  try {
    const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    used.peakBytes = Math.max(used.peakBytes, Number(peak ?? 0) * 1024);
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Fields after the name, which is in parentheses and may contain spaces; utime and stime are fields 14 and 15
    // (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    used.ticks = Math.max(used.ticks, Number(fields[11]) + Number(fields[12]));
  } catch {
    // the process has ended
  }
}
