import fc from 'fast-check';
import type { FunctionRef } from '#core/analyze/function-ref.ts';
import { functionLabel } from '#core/analyze/function-label.ts';
import { functionFacts } from '#core/model/function-facts.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { patternsHere, resolveTransforms } from '#core/analyze/transforms/resolve-transforms.ts';
import type { StackView } from '#core/analyze/view/stack-view.ts';
import { buildStackView, wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import { NO_STACK } from '#core/model/brand.ts';
import { checkProfile } from '#core/model/check-profile.ts';
import { ProfileBuilder } from '#core/model/profile-builder.ts';
import type { Profile } from '#core/model/profile.ts';

/** A sample whose frames have modules: `module!name`, root first. */
export interface FramedSample {
  readonly stack: readonly string[];
  readonly weight: number;
}

export function splitFrame(frame: string): { name: string; module: string } {
  const cut = frame.indexOf('!');
  return { module: frame.slice(0, cut), name: frame.slice(cut + 1) };
}

/** Makes a profile whose value type 0 is the weight. */
export function profileOfFrames(samples: readonly FramedSample[]): Profile {
  const builder = new ProfileBuilder(1);
  const thread = builder.thread(1, 1, 't');
  samples.forEach(({ stack, weight }, time) => {
    let row = NO_STACK;
    for (const frame of stack) row = builder.stack(row, builder.frame({ func: builder.function(splitFrame(frame)) }));
    builder.sample({ stack: row, thread, time }, weight);
  });
  const profile = builder.finish([{ type: 'weight', unit: 'bytes', event: -1, column: 0 }], { format: 'frames' });
  checkProfile(profile);
  return profile;
}

/** Returns the path `a!f;b!g` of each row of a view. */
export function framedPaths({ profile, length, parent, func }: StackView): string[] {
  const paths: string[] = [];
  for (let row = 0; row < length; row++) {
    const frame = `${functionFacts(profile, func[row]!).module}!${functionLabel(profile, func[row]!)}`;
    paths.push(parent[row]! < 0 ? frame : `${paths[parent[row]!]};${frame}`);
  }
  return paths;
}

/** Returns weights by path, without zeros. Throws if two rows have the same path. */
export function framedWeights(view: StackView): Map<string, number> {
  const paths = framedPaths(view);
  if (new Set(paths).size !== paths.length) throw new Error('two rows of a view are one path');
  const weights = new Map<string, number>();
  if (view.withoutStack !== 0) weights.set('', view.withoutStack);
  paths.forEach((path, row) => {
    if (view.self[row] !== 0) weights.set(path, view.self[row]!);
  });
  return weights;
}

/** Parses lines such as `a!f;b!g 3`. A line with only a weight has no stack. */
export function framedSamples(...lines: string[]): FramedSample[] {
  return lines.map((line) => {
    const cut = line.lastIndexOf(' ');
    return { stack: line.slice(0, Math.max(cut, 0)).split(';').filter(Boolean), weight: Number(line.slice(cut + 1)) };
  });
}

/** A few modules and names, so that stacks share prefixes and recur. One name occurs in two modules. */
export const frames = ['x!a', 'x!b', 'x!ab', '/lib/y.so!a', '/lib/y.so!c', '!d', '__proto__!__proto__'] as const;

export const framedStack = fc.array(fc.constantFrom(...frames), { maxLength: 9 });

export const framedSketches: fc.Arbitrary<FramedSample[]> = fc.array(
  fc.record({ stack: framedStack, weight: fc.integer({ min: 0, max: 1000 }) }),
  { minLength: 1, maxLength: 25 },
);

export const ref = (frame: string): FunctionRef => ({ ...splitFrame(frame), file: '', line: 0 });
export const byFunction = (frame: string) => ({ by: 'function', func: ref(frame) }) as const;
export const byPath = <From extends 'root' | 'leaf'>(from: From, ...path: string[]) =>
  ({ by: 'path', from, path: path.map(ref) }) as const;

/** Builds the view of the samples by the profile's only value type, after these transforms. */
export async function viewOf(samples: readonly FramedSample[], ...transforms: NamedTransform[]) {
  const profile = profileOfFrames(samples);
  return buildStackView(profile, wholeProfile(profile), await resolveTransforms(profile, transforms, patternsHere));
}
