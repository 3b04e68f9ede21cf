import type { NamedFunctions } from '#core/analyze/function-ref.ts';
import { labelKeysOf } from '#core/analyze/reading/labels.ts';
import { captureQuality } from '#core/model/capture-quality.ts';
import type { Profile } from '#core/model/profile.ts';
import type { FunctionNames, OpenedProfile } from './protocol.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import { receiptOf } from '#core/model/receipt.ts';
import { samplesPerRow } from '#core/model/sample-counts.ts';
import { sampleWeights } from '#core/model/weights.ts';

/** Returns the parts of a profile that the window keeps: names, threads and facts, but no samples. */
export function describeProfile(profile: Profile): OpenedProfile {
  const { threads, samples } = profile;
  const perThread = new Float64Array(threads.length);
  const perRow = samplesPerRow(profile);
  samples.thread.forEach((thread, row) => (perThread[thread]! += perRow?.[row] ?? 1));
  return {
    metadata: profile.metadata,
    valueTypes: profile.valueTypes.map(({ type, unit }) => ({ type, unit })),
    threads: Array.from({ length: threads.length }, (_, row) => ({
      pid: threads.pid[row]!,
      tid: threads.tid[row]!,
      name: profile.strings[threads.name[row]!]!,
      samples: perThread[row]!,
    })),
    functions: functionNamesOf(profile),
    heaviest: heaviestFunctions(profile),
    diagnostics: profile.diagnostics,
    quality: captureQuality(profile),
    receipt: receiptOf(profile),
    sampleCount: perThread.reduce((sum, samples) => sum + samples, 0),
    hasTime: samples.time !== null,
    labelKeys: labelKeysOf(profile),
  };
}

export const functionNamesOf = (table: NamedFunctions): FunctionNames => functionsFrom(table, 0, 0);

/** Returns the functions that transforms appended to the profile's own; null if there are none. */
export function madeFunctions(profile: Profile, viewed: NamedFunctions): FunctionNames | null {
  if (viewed.functions === profile.functions) return null;
  return functionsFrom(viewed, profile.functions.length, profile.strings.length);
}

/** Copies the columns, because transferring a view would send its whole buffer: for a native file, all of the file. */
function functionsFrom({ strings, functions }: NamedFunctions, first: number, firstString: number): FunctionNames {
  const from = <C extends Int32Array | Uint8Array>(column: C): C => column.slice(first) as C;
  return {
    length: functions.length - first,
    strings: firstString === 0 ? strings : strings.slice(firstString),
    name: from(functions.name),
    module: from(functions.module),
    file: from(functions.file),
    line: from(functions.line),
    kind: from(functions.kind),
  };
}

const MAX_FUNCTIONS = 500;

/** Number of samples examined in larger profiles, chosen at equal intervals of weight. */
const MAX_STACKS = 2000;
/** Limit on the frames examined in total; with stacks of 100,000 frames, only the first stacks are counted. */
const MAX_FRAMES = 4_000_000;

/**
 * Returns the functions with the greatest totals in the profile's default value type, heaviest first. In profiles of
 * more than 2,000 samples, totals are estimates that are off by a few thousandths of the whole.
 */
export function heaviestFunctions(profile: Profile): FunctionIndex[] {
  const { samples, stacks, frames, functions, metadata } = profile;
  const weights = sampleWeights(profile, metadata.defaultValueType);
  const total = new Float64Array(functions.length);
  /** By function: the last sample that contained it, counted from 1. */
  const seenIn = new Int32Array(functions.length);
  let frameCount = 0;
  forEachOfWeight(weights, (sample, weight) => {
    if (frameCount > MAX_FRAMES) return;
    for (let row = samples.stack[sample]!; row >= 0; row = stacks.parent[row]!) {
      frameCount += 1;
      const func = frames.func[stacks.frame[row]!]!;
      if (seenIn[func] === sample + 1) continue;
      seenIn[func] = sample + 1;
      total[func]! += weight;
    }
  });
  const heavy: FunctionIndex[] = [];
  for (let func = 0; func < total.length; func++) if (total[func]! > 0) heavy.push(func as FunctionIndex);
  return heavy.sort((a, b) => total[b]! - total[a]! || a - b).slice(0, MAX_FUNCTIONS);
}

/**
 * Visits samples with the weight that each represents. With many samples, it visits those at equal intervals of weight,
 * which never misses a heavy one.
 */
function forEachOfWeight(weights: Float64Array, visit: (sample: number, weight: number) => void): void {
  let whole = 0;
  for (const weight of weights) whole += Math.abs(weight);
  const distance = weights.length <= MAX_STACKS ? 0 : whole / MAX_STACKS;
  let passed = 0;
  let next = distance / 2;
  for (let sample = 0; sample < weights.length; sample++) {
    const weight = Math.abs(weights[sample]!);
    if (distance === 0) {
      visit(sample, weight);
      continue;
    }
    passed += weight;
    if (passed < next) continue;
    const points = Math.floor((passed - next) / distance) + 1;
    next += points * distance;
    visit(sample, points * distance);
  }
}
