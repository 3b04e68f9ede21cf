import { withWholeStacks } from '#core/contract/corrected-recording.ts';
import type { PerfOptions } from '#core/contract/schemas.ts';
import type { RecordingFinding } from '../collector.ts';
import { chunksOf } from '../live/chunks-of.ts';
import { judgeRecordedStacks, MIN_SAMPLES } from './data-quality.ts';
import type { FirstText } from './first-text.ts';
import { readText } from './read-back.ts';

/** Examines the first samples of a recording in progress for truncated stacks. */
interface StackProbe {
  /**
   * `elapsedMs` counts from perf's start. Null until there is enough text, if stacks are complete, or if no option
   * helps; reported once.
   */
  look(elapsedMs: number): Promise<RecordingFinding | null>;
}

/** Milliseconds between two examinations. */
export const PROBE_MS = 200;
const RESTART_LABELS = { dwarf: 'Restart with DWARF', larger: 'Restart with larger stacks' };
const FIRST_LOOK_MS = 1000;

export function createStackProbe(options: PerfOptions, text: FirstText): StackProbe {
  let isOver = false;
  let isLooking = false;

  async function judge(): Promise<RecordingFinding | null> {
    const begun = await text.read();
    if (begun === null) return null;
    const { samples, quality } = await readText(() => chunksOf([begun]));
    if (samples < MIN_SAMPLES && !text.isFull) return null;
    isOver = true;
    text.drop();
    const cut = judgeRecordedStacks({ kept: { quality }, samples, options, keepsStream: true });
    const better = cut === null ? null : withWholeStacks(options);
    return cut === null || better === null
      ? null
      : {
          message: cut.message,
          label: RESTART_LABELS[better.options.stackBytes === undefined ? 'dwarf' : 'larger'],
          options: better.options,
        };
  }

  return {
    async look(elapsedMs) {
      if (isOver || isLooking || elapsedMs < FIRST_LOOK_MS) return null;
      isLooking = true;
      return judge().finally(() => (isLooking = false));
    },
  };
}
