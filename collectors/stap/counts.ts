import { TextLines } from '#core/import/text/text-lines.ts';
import type { CaptureSink } from '../collector.ts';
import { RAW_FILE } from './plan.ts';

/** Figures that a recipe's output states in addition to its rows; null if it does not, as with a user's script. */
interface StapCounts {
  /** Name of the kernel module. */
  readonly module: string | null;
  /** Samples taken in the kernel. */
  readonly inKernel: number | null;
  /** Time that all probes took, as a share of one CPU's. */
  readonly probeShare: number | null;
}

export async function readCounts(sink: Pick<CaptureSink, 'read'>): Promise<StapCounts> {
  let module: string | null = null;
  let inKernel: number | null = null;
  let cycles: number | null = null;
  let ofProbes = 0;
  const lines = new TextLines(({ text }) => {
    if (text.startsWith('# flamebench stap ')) module ??= /^.* module=(stap_\w{1,80})$/.exec(text)?.[1] ?? null;
    const [, kernel, elapsed] = /^# flamebench total=\d+ in_kernel=(\d{1,15}) cycles=(\d{1,18}) /.exec(text) ?? [];
    if (kernel !== undefined) [inKernel, cycles] = [Number(kernel), Number(elapsed)];
    // The report of `stap -t`: `…, hits: 1519, cycles: 9996min/416322avg/38028533max, …`
    const [, hits, average] = /, hits: (\d{1,15}), cycles: \d+min\/(\d{1,15})avg\//.exec(text) ?? [];
    if (hits !== undefined) ofProbes += Number(hits) * Number(average);
  });
  for await (const chunk of sink.read(RAW_FILE)) lines.push(chunk);
  lines.finish();
  return { module, inKernel, probeShare: cycles === null || cycles === 0 ? null : ofProbes / cycles };
}
