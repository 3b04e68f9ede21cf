import { withWholeStacks } from '#core/contract/corrected-recording.ts';
import type { PerfOptions } from '#core/contract/schemas.ts';
import { joinBytes } from '../target/join-bytes.ts';
import type { RecordingFinding } from '../collector.ts';
import { judgeRecordedStacks, MIN_SAMPLES } from './data-quality.ts';
import { readText } from './read-back.ts';

/** The beginning of a recording, read while the rest is recorded: whether its stacks are cut. */
export interface StackProbe {
  /** Text of `perf script`, as it comes. */
  push(chunk: Uint8Array): void;
  /** `elapsedMs`: since perf began. Null until there is enough, where stacks are whole, and where no option helps; told once. */
  look(elapsedMs: number): Promise<RecordingFinding | null>;
}

/** Between two looks. */
export const PROBE_MS = 200;
const RESTART_LABELS = { dwarf: 'Restart with DWARF', larger: 'Restart with larger stacks' };
const FIRST_LOOK_MS = 1000;
/** More than a second at the highest rates. What has not shown by then is told at the end. */
const MAX_BYTES = 8 << 20;

export function createStackProbe(options: PerfOptions): StackProbe {
  let text: Uint8Array[] | null = [];
  let bytes = 0;
  let isLooking = false;
  return {
    push(chunk) {
      if (text === null || bytes > MAX_BYTES) return;
      text.push(chunk.slice());
      bytes += chunk.length;
    },
    async look(elapsedMs) {
      if (text === null || isLooking || elapsedMs < FIRST_LOOK_MS) return null;
      isLooking = true;
      const begun = joinBytes(text);
      const { samples, quality } = await readText(async function* () {
        yield begun;
      });
      isLooking = false;
      if (samples < MIN_SAMPLES && bytes <= MAX_BYTES) return null;
      text = null;
      const cut = judgeRecordedStacks({ kept: { quality }, samples, options });
      const better = cut === null ? null : withWholeStacks(options);
      return cut === null || better === null
        ? null
        : {
            message: cut.message,
            label: RESTART_LABELS[better.options.stackBytes === undefined ? 'dwarf' : 'larger'],
            options: better.options,
          };
    },
  };
}
