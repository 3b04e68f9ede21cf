import fc from 'fast-check';
import type { SetKind } from '#core/analyze/view/move-rows.ts';
import type { ResolvedTransforms } from '#core/analyze/view/transforms.ts';
import { NO_STACK, type FunctionIndex } from '#core/model/brand.ts';
import { checkProfile } from '#core/model/check-profile.ts';
import { ProfileBuilder } from '#core/model/profile-builder.ts';
import type { Profile } from '#core/model/profile.ts';

/** A sample in a test's notation: function names, root first. */
export interface SampleSketch {
  readonly stack: readonly string[];
  readonly weight: number;
  readonly tid?: number;
  readonly time?: number | null | undefined;
  readonly event?: string;
  /** Line of each frame. Frames of one function with different lines are different frames. */
  readonly line?: number;
}

/**
 * Makes a profile. Value type 0 counts samples and 1 is the weight; if the sketch has events, 2, 3, … are their
 * weights.
 */
export function profileFromSketch(samples: readonly SampleSketch[]): Profile {
  const builder = new ProfileBuilder(1);
  const events = new Set<string>();
  for (const sketch of samples) {
    let stack = NO_STACK;
    for (const name of sketch.stack) {
      const func = builder.function({ name });
      stack = builder.stack(stack, builder.frame({ func, line: sketch.line ?? 0 }));
    }
    if (sketch.event !== undefined) events.add(sketch.event);
    builder.sample(
      {
        stack,
        thread: builder.thread(1, sketch.tid ?? 1, `thread ${sketch.tid ?? 1}`),
        ...(sketch.event === undefined ? {} : { event: builder.event(sketch.event) }),
        ...(sketch.time === undefined || sketch.time === null ? {} : { time: sketch.time }),
      },
      sketch.weight,
    );
  }
  const valueTypes = [
    { type: 'samples', unit: 'count', event: -1, column: -1 },
    { type: 'weight', unit: 'bytes', event: -1, column: 0 },
    ...[...events].map((name) => ({ type: name, unit: 'nanoseconds', event: builder.event(name), column: 0 })),
  ];
  const profile = builder.finish(valueTypes, { format: 'sketch' });
  checkProfile(profile);
  return profile;
}

export function functionNamed(profile: Profile, name: string): FunctionIndex {
  const string = profile.strings.indexOf(name);
  const func = profile.functions.name.indexOf(string);
  if (func < 0) throw new Error(`no function ${name}`);
  return func as FunctionIndex;
}

/** A transform of one function of a profile. */
export interface FunctionTransform {
  readonly kind: SetKind;
  readonly func: FunctionIndex;
}

/** Resolves transforms by function as `resolveTransforms` would. */
export function resolved(
  { strings, functions }: Profile,
  transforms: readonly FunctionTransform[],
): ResolvedTransforms {
  const steps = transforms.map(({ kind, func }) => {
    const chosen = new Uint8Array(functions.length);
    chosen[func] = 1;
    return { kind, chosen };
  });
  return { base: functions, strings, functions, steps, found: steps.map(() => 1) };
}

/** Sketches with few names, so that stacks share prefixes and recur. */
export const sketches: fc.Arbitrary<SampleSketch[]> = fc.array(
  fc.record({
    stack: fc.array(fc.constantFrom('a', 'b', 'c', 'd', '__proto__'), { maxLength: 8 }),
    weight: fc.integer({ min: 0, max: 1000 }),
    tid: fc.integer({ min: 1, max: 3 }),
    time: fc.option(fc.integer({ min: 0, max: 100 })),
    line: fc.integer({ min: 0, max: 2 }),
  }),
  { maxLength: 30 },
);
