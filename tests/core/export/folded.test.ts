import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldedLosses, writeFolded } from '#core/export/folded.ts';
import { NO_STACK, type ValueTypeIndex } from '#core/model/brand.ts';
import { ProfileBuilder } from '#core/model/profile-builder.ts';
import type { Profile } from '#core/model/profile.ts';
import { foldedLinesOf } from '../../support/perf-script-text.ts';
import { profileFromText } from '../../support/profile-from-text.ts';

/** Makes a profile of lines `thread|root;leaf weight`, one sample each. */
function profileOf(...lines: string[]): Profile {
  const builder = new ProfileBuilder(1);
  for (const line of lines) {
    const [, name = '', stack = '', weight = ''] = /^(.*)\|(.*) (\S+)$/s.exec(line)!;
    const frames = stack === '' ? [] : stack.split('/');
    const leaf = frames.reduce(
      (parent, frame) => builder.stack(parent, builder.frame({ func: builder.function({ name: frame }) })),
      NO_STACK,
    );
    builder.sample({ stack: leaf, thread: builder.thread(-1, -1, name) }, Number(weight));
  }
  return builder.finish([{ type: 't', unit: 'count', event: -1, column: 0 }], { format: 'test' });
}

describe('folded export', () => {
  test('has the thread as root, one line for equal stacks, and ordered lines', () => {
    expect(foldedLinesOf(profileOf('b|x/y 1', 'a|x 2', 'b|x 3', 'b|x/y 4', 'b|w 5', 'a b| 6'))).toEqual([
      'a;x 2',
      'a_b 6',
      'b;w 5',
      'b;x 3',
      'b;x;y 5',
    ]);
  });

  test('has no root without thread names', () => {
    expect(foldedLinesOf(profileOf('|x/y 1', '|x 2', '| 3'))).toEqual(['(no stack) 3', 'x 2', 'x;y 1']);
  });

  test('escapes names that would break the format', () => {
    expect(foldedLinesOf(profileOf('a;b|x;y\nz 1', '|q\r 2'))).toEqual(['q  2', 'a:b;x:y z 1']);
  });

  test.each([
    ['# x', '#_x'],
    ['#\tx', '#_x'],
    ['#\rx', '#_x'],
    ['#', '#_'],
    ['// x', '//_x'],
    ['//', '//_'],
    ['#private', '#private'],
    ['//host', '//host'],
  ])('writes the name %j so that its lines are read as stacks', (name, written) => {
    const profile = profileOf('|ROOT/ROOT 1', '|ROOT 2', 'ROOT| 3');
    const strings = profile.strings.map((text) => (text === 'ROOT' ? name : text));
    const lines = foldedLinesOf({ ...profile, strings });
    expect(lines).toEqual([`${written} 2`, `${written};${written} 1`, `${written} 3`]);
    expect(foldedLinesOf(profileFromText(lines.join('\n')))).toEqual([`${written} 5`, `${written};${written} 1`]);
    const loss = 'names that begin like comments (# or //), which get a _';
    expect(foldedLosses({ ...profile, strings }, 0 as ValueTypeIndex).includes(loss)).toBe(name !== written);
  });

  test('merges frames with the same text', () => {
    const builder = new ProfileBuilder();
    const thread = builder.thread(1, 1, '');
    for (const [module, address] of [
      ['m', 1n],
      ['n', 2n],
    ] as const) {
      const root = builder.stack(NO_STACK, builder.frame({ func: builder.function({ name: 'r', module }), address }));
      builder.sample({ stack: builder.stack(root, builder.frame({ func: builder.function({ name: 'l' }) })), thread });
    }
    const profile = builder.finish([{ type: 't', unit: 'count', event: -1, column: -1 }], { format: 'test' });
    expect(foldedLinesOf(profile)).toEqual(['r;l 2']);
  });

  test.each<[number, string]>([
    [0.5, '0.5'],
    [1e21, '1000000000000000000000'],
    [1e-7, '0.0000001'],
    [-3, '-3'],
    [2 ** 53, '9007199254740992'],
  ])('the weight %d', (weight, text) => {
    expect(foldedLinesOf(profileOf(`a|x ${weight}`))).toEqual([`a;x ${text}`]);
  });

  test('sums exactly beyond 2^53', () => {
    const lines = [`a|x ${2 ** 53 - 1}`, 'a|x 2', 'a|x 3', 'a|y 1', 'a|z 1', 'a|z -1'];
    expect(foldedLinesOf(profileOf(...lines))).toEqual(['a;x 9007199254740996', 'a;y 1']);
  });

  test('leaves out weights of 0', () => {
    expect(foldedLinesOf(profileOf('a|x 0', 'a|y 1'))).toEqual(['a;y 1']);
    expect(foldedLinesOf(profileOf('a|x 0'))).toEqual([]);
  });

  test('can use another value type', () => {
    const profile = profileOf('a|x 5');
    const types = [...profile.valueTypes, { type: 'n', unit: 'count', event: -1, column: -1 }];
    expect(foldedLinesOf({ ...profile, valueTypes: types }, { valueType: 1 as ValueTypeIndex })).toEqual(['a;x 1']);
  });

  test('is unchanged when read and written again', () => {
    const names = fc.string({ unit: fc.constantFrom('a', 'b', ' ', 'é', '_'), minLength: 1, maxLength: 3 });
    const stack = fc.array(names, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(stack, fc.integer({ min: 1, max: 9 })), { minLength: 1, maxLength: 30 }),
        (samples) => {
          const profile = profileOf(...samples.map(([frames, weight]) => `|${frames.join('/')} ${weight}`));
          const expected = new Map<string, number>();
          for (const [frames, weight] of samples) {
            expected.set(frames.join(';'), (expected.get(frames.join(';')) ?? 0) + weight);
          }
          const lines = foldedLinesOf(profile);
          expect(new Map(lines.map((line) => [line.replace(/ \d+$/, ''), Number(/\d+$/.exec(line)![0])]))).toEqual(
            expected,
          );
        },
      ),
    );
  });

  test('is unchanged when read again', () => {
    const text = ['a 1', 'a;b 2.5', 'a;b;c -3', 'b;c 4'];
    expect(foldedLinesOf(profileFromText(text.join('\n')))).toEqual(text);
  });

  test('writes bounded chunks, even with lines longer than a chunk', () => {
    const long = 'x'.repeat(700_000);
    const sizes: number[] = [];
    let text = '';
    const decoder = new TextDecoder();
    const profile = profileOf(`a|${long}/${long}1 1`, `a|${long}/${long}2 2`, 'a|y 3');
    writeFolded(profile, {}, (chunk) => {
      sizes.push(chunk.length);
      text += decoder.decode(chunk, { stream: true });
    });
    expect(text).toBe(`a;${long};${long}1 1\na;${long};${long}2 2\na;y 3\n`);
    expect(Math.max(...sizes)).toBeLessThan(3_000_000);
  });
});
