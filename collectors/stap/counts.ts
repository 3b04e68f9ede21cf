import { readFields } from '#core/import/recipes/recipe-rows.ts';
import { TextLines } from '#core/import/text/text-lines.ts';
import type { CaptureSink } from '../collector.ts';
import { RAW_FILE } from './plan.ts';

/** Figures that a recipe's output states in addition to its rows; null if it does not, as with a user's script. */
interface StapCounts {
  /** Name of the kernel module. */
  readonly module: string | null;
  /** Samples taken in the kernel. */
  readonly inKernel: number | null;
  /** Samples of the recipe `lua` in traces that LuaJIT had compiled. */
  readonly inJit: number | null;
  /** Samples of the recipe `lua` whose stack of Lua could not be read. */
  readonly unread: number | null;
  /** Time that all probes took, as a share of one CPU's. */
  readonly probeShare: number | null;
}

export async function readCounts(sink: Pick<CaptureSink, 'read'>): Promise<StapCounts> {
  let module: string | null = null;
  let inKernel: number | null = null;
  let inJit: number | null = null;
  let unread: number | null = null;
  let cycles: number | null = null;
  let ofProbes = 0;
  const lines = new TextLines(({ text }) => {
    if (text.startsWith('# flamebench stap ')) module ??= /^.* module=(stap_\w{1,80})$/.exec(text)?.[1] ?? null;
    const fields = text.startsWith('# flamebench total=') ? readFields(text, '# flamebench ') : null;
    if (fields !== null) {
      const read = (name: string): number | null =>
        /^\d{1,18}$/.test(fields.get(name) ?? '') ? Number(fields.get(name)) : null;
      [inKernel, inJit, unread, cycles] = [read('in_kernel'), read('in_jit'), read('unread'), read('cycles')];
    }
    // The report of `stap -t`: `…, hits: 1519, cycles: 9996min/416322avg/38028533max, …`
    const [, hits, average] = /, hits: (\d{1,15}), cycles: \d+min\/(\d{1,15})avg\//.exec(text) ?? [];
    if (hits !== undefined) ofProbes += Number(hits) * Number(average);
  });
  for await (const chunk of sink.read(RAW_FILE)) lines.push(chunk);
  lines.finish();
  return { module, inKernel, inJit, unread, probeShare: cycles === null || cycles === 0 ? null : ofProbes / cycles };
}
