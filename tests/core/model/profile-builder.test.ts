import { describe, expect, test } from 'vitest';
import { NO_STACK, type ValueTypeIndex } from '#core/model/brand.ts';
import { checkProfile } from '#core/model/check-profile.ts';
import { ProfileBuilder } from '#core/model/profile-builder.ts';
import { FunctionKind, NO_ADDRESS, type Profile } from '#core/model/profile.ts';
import { sampleWeights } from '#core/model/weights.ts';

const COUNT = { type: 'samples', unit: 'count', event: -1, column: -1 };

function finish(builder: ProfileBuilder, valueTypes = [COUNT]): Profile {
  const profile = builder.finish(valueTypes, { format: 'test' });
  checkProfile(profile);
  return profile;
}

describe('ProfileBuilder', () => {
  test('takes lines, ids and CPUs beyond their columns as unknown, never as other numbers', () => {
    const builder = new ProfileBuilder();
    const func = builder.function({ name: 'f', line: 2 ** 32 + 5 });
    const frame = builder.frame({ func, line: 2 ** 31 });
    const stack = builder.stack(NO_STACK, builder.frameAtSource(frame, 'f.c', 2 ** 40, true));
    builder.sample({ stack, thread: builder.thread(2 ** 32 + 7, 1.5, ''), cpu: 2 ** 16 + 1 });
    const { functions, frames, threads, samples } = finish(builder);
    expect([...functions.line, ...(frames.line ?? [0])]).toEqual([0, 0]);
    expect([threads.pid[0], threads.tid[0], samples.cpu]).toEqual([-1, -1, null]);
  });

  test('interns what repeats', () => {
    const builder = new ProfileBuilder();
    const func = builder.function({ name: 'f', module: 'm', kind: FunctionKind.user });
    expect(builder.function({ name: 'f', module: 'm', kind: FunctionKind.user })).toBe(func);
    expect(builder.function({ name: 'f', module: 'n', kind: FunctionKind.user })).not.toBe(func);
    const frame = builder.frame({ func, address: 1n, line: 2 });
    expect(builder.frame({ func, address: 1n, line: 2 })).toBe(frame);
    expect(builder.frame({ func, address: 1n, line: 2, inline: true })).not.toBe(frame);
    expect(builder.frameAt(func, 0, 1, false)).toBe(builder.frame({ func, address: 1n }));
    const stack = builder.stack(NO_STACK, frame);
    expect(builder.stack(NO_STACK, frame)).toBe(stack);
    expect(builder.stackOf(Int32Array.of(frame), 1)).toBe(stack);
    expect(builder.stackOf(Int32Array.of(frame), 0)).toBe(NO_STACK);
    expect(builder.thread(1, 2, 'a')).toBe(builder.thread(1, 2, 'a'));
    expect(builder.thread(1, 2, 'b')).not.toBe(builder.thread(1, 2, 'a'));
    finish(builder);
  });

  test('builds frames without an address', () => {
    const builder = new ProfileBuilder();
    const func = builder.function({ name: 'f' });
    builder.frame({ func });
    builder.frame({ func, address: 0n });
    expect([...finish(builder).frames.address!]).toEqual([NO_ADDRESS, 0n]);
  });

  test('creates optional columns with their first value', () => {
    const builder = new ProfileBuilder(1);
    const thread = builder.thread(1, 1, 'a');
    const event = builder.event('cycles');
    builder.sample({ stack: NO_STACK, thread }, 5);
    builder.sample({ stack: NO_STACK, thread, time: 7, cpu: 2, event, labelSet: undefined }, 6);
    builder.sample({ stack: NO_STACK, thread });
    const { samples } = finish(builder, [COUNT, { type: 'x', unit: 'count', event: -1, column: 0 }]);
    expect([...samples.time!]).toEqual([Number.NaN, 7, Number.NaN]);
    expect([...samples.cpu!]).toEqual([-1, 2, -1]);
    expect(samples.labelSet).toBeNull();
    expect([...samples.weights[0]!]).toEqual([5, 6, 0]);
  });

  test('leaves out weights to which no value type refers', () => {
    const builder = new ProfileBuilder(2);
    builder.sample({ stack: NO_STACK, thread: builder.thread(1, 1, 'a') }, 5, 6);
    expect(finish(builder).samples.weights).toEqual([]);
  });

  test('sets a frame’s line only if it is in its function’s file', () => {
    const builder = new ProfileBuilder();
    const frame = builder.frameAt(builder.function({ name: 'f' }), 0, 1, false);
    builder.frameAtSource(frame, 'a.c', 3, false);
    builder.frameAtSource(frame, 'macro.h', 9, true);
    const { frames, functions, strings } = finish(builder);
    expect([...frames.line!]).toEqual([0, 3, 0]);
    expect([...frames.inline]).toEqual([0, 0, 1]);
    expect(strings[functions.file[0]!]).toBe('a.c');
  });

  test('accepts at most 255 events', () => {
    const builder = new ProfileBuilder();
    for (let index = 0; index < 255; index++) builder.event(`e${index}`);
    expect(builder.event('e3')).toBe(3);
    expect(() => builder.event('one more')).toThrow(RangeError);
  });
});

describe('sampleWeights', () => {
  const builder = new ProfileBuilder(1);
  const thread = builder.thread(1, 1, 'a');
  const [first, second] = [builder.event('a'), builder.event('b')];
  builder.sample({ stack: NO_STACK, thread, event: first }, 5);
  builder.sample({ stack: NO_STACK, thread, event: second }, 7);
  const profile = finish(builder, [
    { type: 'a', unit: 'ns', event: 0, column: 0 },
    { type: 'b', unit: 'samples', event: 1, column: -1 },
    { type: 'all', unit: 'ns', event: -1, column: 0 },
    COUNT,
  ]);

  test.each([
    [0, [5, 0]],
    [1, [0, 1]],
    [2, [5, 7]],
    [3, [1, 1]],
  ])('value type %i', (valueType, expected) => {
    expect([...sampleWeights(profile, valueType as ValueTypeIndex)]).toEqual(expected);
  });

  test('refuses an unknown value type', () => {
    expect(() => sampleWeights(profile, 4 as ValueTypeIndex)).toThrow(RangeError);
  });
});
