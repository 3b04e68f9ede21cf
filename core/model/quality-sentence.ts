import { countText, formatShare } from '../units/format.ts';
import { isBeyond, isNewerFormat, shareOf, unrootedReason, type CaptureQuality } from './quality-grade.ts';

/** One sentence on how far a capture's numbers can be trusted, and what would make them better. */
export interface QualitySentence {
  readonly sentence: string;
  /** Null if there is nothing to do. */
  readonly remedy: string | null;
}

/** Below this many samples, a share of 10 % is uncertain by more than 2 percentage points (95 % of the time). */
const FEW_SAMPLES = 1000;

/** What each share means and what to do, the most misleading first. */
const FAULTS: readonly (readonly [
  Parameters<typeof isBeyond>[1],
  (share: string, reason: string) => string,
  string,
])[] = [
  [
    'impossible',
    (share) => `${share} of the samples have numbers that can’t be`,
    'Check the tool that wrote the file, or record again.',
  ],
  [
    'unrooted',
    (share, reason) => `${share} of the weight has stacks without callers${reason}, so totals are too low`,
    'Record with DWARF call graphs (--call-graph dwarf), or build with frame pointers.',
  ],
  [
    'unresolved',
    (share) => `${share} of the weight is in functions without a name`,
    'Install the debug symbols of their modules, or read the recording where the binaries are.',
  ],
  [
    'truncated',
    (share) => `${share} of the weight has stacks that were cut at the greatest depth`,
    'Raise kernel.perf_event_max_stack, or collapse recursion.',
  ],
  [
    'lost',
    (share) => `${share} of the samples are missing`,
    'Record again as the capture’s warnings say; if the tool lost them, at a lower rate.',
  ],
];

/** Describes the worst fault, else how many samples there are. `quality` is null without samples. */
export function qualitySentence(quality: CaptureQuality | null, samples: number): QualitySentence {
  if (quality === null || samples === 0)
    return { sentence: 'There are no samples.', remedy: 'Record while the program works.' };
  const fault = FAULTS.find(([share]) => isBeyond(quality, share));
  if (fault !== undefined) {
    const [share, text, remedy] = fault;
    return {
      sentence: `Quality is ${quality.grade}: ${text(formatShare(shareOf(quality, share), 1), unrootedReason(quality))}.`,
      remedy,
    };
  }
  if (isNewerFormat(quality)) {
    return {
      sentence: `Quality is ${quality.grade}: the file is in a newer version of its format than Flamebench knows.`,
      remedy: 'Compare the numbers with the tool that wrote the file, or update Flamebench.',
    };
  }
  const count = countText(samples, 'sample');
  if (samples < FEW_SAMPLES) {
    const points = (1.96 * Math.sqrt((0.1 * 0.9) / samples) * 100).toFixed(samples < 100 ? 0 : 1);
    return {
      sentence: `Quality is good, but with ${count} a share of 10 % is uncertain by ±${points} percentage points.`,
      remedy: 'Record for longer, or at a higher rate.',
    };
  }
  return { sentence: `Quality is good: ${count}, names and callers are known.`, remedy: null };
}
