import type { ValueTypeIndex } from '../model/brand.ts';
import type { Profile } from '../model/profile.ts';
import { sampleWeights } from '../model/weights.ts';
import { JsonText } from './json-text.ts';
import { lossesOf } from './losses.ts';
import { samplesByThread } from './samples-by-thread.ts';

/** Our units that the format supports, with its names. */
const UNITS = new Map([
  ['count', 'none'],
  ['samples', 'none'],
  ['nanoseconds', 'nanoseconds'],
  ['microseconds', 'microseconds'],
  ['milliseconds', 'milliseconds'],
  ['seconds', 'seconds'],
  ['bytes', 'bytes'],
]);

/**
 * Writes one value type in speedscope's file format: one profile per thread that has weight.
 * https://github.com/jlfwong/speedscope/blob/main/src/lib/file-format-spec.ts
 */
export function writeSpeedscope(profile: Profile, valueType: ValueTypeIndex, write: (chunk: Uint8Array) => void): void {
  const { strings, functions, metadata } = profile;
  const out = new JsonText(write);
  out.put('{"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"Flamebench"');
  if (metadata.fileName !== null) out.put(`,"name":${JSON.stringify(metadata.fileName)}`);
  out.put(',\n"activeProfileIndex":0,\n"shared":{"frames":');
  out.array(functions.name, (name, func) => {
    const file = strings[functions.file[func]!]! || strings[functions.module[func]!]!;
    const line = functions.line[func]!;
    return JSON.stringify({
      name: strings[name]!,
      ...(file === '' ? {} : { file }),
      ...(line === 0 ? {} : { line }),
    });
  });
  out.put('},\n"profiles":[');
  let separator = '\n';
  const weights = sampleWeights(profile, valueType);
  for (const [thread, rows] of samplesByThread(profile, (row) => weights[row] !== 0)) {
    out.put(separator);
    separator = ',\n';
    writeSampled(out, profile, valueType, { thread, rows, weights });
  }
  out.put(']}\n');
  out.flush();
}

/** Returns the facts of this profile that the format can't store. */
export function speedscopeLosses(profile: Profile, valueType: ValueTypeIndex): string[] {
  const { module, file } = profile.functions;
  // If a function has both, its file is written.
  const hasBoth = module.some((row, func) => row !== 0 && file[func] !== 0);
  const losses = lossesOf(profile, ['files', 'functionLines', ...(hasBoth ? [] : (['modules'] as const))]);
  const { unit } = profile.valueTypes[valueType]!;
  const isNegative = sampleWeights(profile, valueType).some((weight) => weight < 0);
  return [
    ...losses,
    ...(UNITS.has(unit) ? [] : [`the unit ${unit}`]),
    ...(isNegative ? ['negative weights for speedscope, which rejects the file'] : []),
  ];
}

function writeSampled(
  out: JsonText,
  profile: Profile,
  type: ValueTypeIndex,
  { thread, rows, weights }: { thread: number; rows: readonly number[]; weights: Float64Array },
): void {
  const { valueTypes, samples, stacks, frames } = profile;
  const { type: name, unit } = valueTypes[type]!;
  const title = [threadTitle(profile, thread), name].filter((text) => text !== '');
  const total = rows.reduce((sum, row) => sum + weights[row]!, 0);
  out.put(`{"type":"sampled","name":${JSON.stringify(title.join(' · '))},"unit":"${UNITS.get(unit) ?? 'none'}"`);
  // JSON has no representation of infinite sums.
  out.put(`,"startValue":0,"endValue":${Number.isFinite(total) ? total : Number.MAX_VALUE},\n"samples":`);
  out.array(rows, (row) => {
    const path: number[] = [];
    for (let stack = samples.stack[row]!; stack >= 0; stack = stacks.parent[stack]!) {
      path.push(frames.func[stacks.frame[stack]!]!);
    }
    return `[${path.reverse().join(',')}]`;
  });
  out.put(',\n"weights":');
  out.array(rows, (row) => String(weights[row]!));
  out.put('}');
}

function threadTitle({ threads, strings }: Profile, thread: number): string {
  const name = strings[threads.name[thread]!]!;
  const tid = threads.tid[thread]!;
  if (tid < 0) return name;
  return name === '' ? `thread ${tid}` : `${name} (${tid})`;
}
