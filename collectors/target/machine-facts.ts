import { cpus, machine, release } from 'node:os';
import { printedBy } from './run-to-end.ts';
import type { Target } from './target.ts';
import { parseCount, parseKernelRelease } from './target-words.ts';

/** Facts about the machine on which a capture was made; null if unknown. */
export interface MachineFacts {
  /** `6.1.0-18-amd64` */
  readonly kernel: string | null;
  /** `x86_64` */
  readonly arch: string | null;
  /** Number of CPUs online. */
  readonly cpuCount: number | null;
}

export const UNKNOWN_MACHINE: MachineFacts = { kernel: null, arch: null, cpuCount: null };

/** Reads the facts. Never rejects: unreadable ones are null. */
export async function readMachineFacts(target: Target): Promise<MachineFacts> {
  if (target.kind === 'local') return { kernel: release(), arch: machine(), cpuCount: cpus().length || null };
  const [kernel, arch, online] = await Promise.all([
    firstLine(target, ['uname', '-r']),
    firstLine(target, ['uname', '-m']),
    firstLine(target, ['getconf', '_NPROCESSORS_ONLN']),
  ]);
  return { kernel: parseKernelRelease(kernel ?? ''), arch, cpuCount: parseCount(online ?? '') || null };
}

async function firstLine(target: Target, argv: readonly string[]): Promise<string | null> {
  const [line = ''] = (await printedBy(target, argv, { timeoutMs: 5000 })).split('\n');
  return line.trim() || null;
}
