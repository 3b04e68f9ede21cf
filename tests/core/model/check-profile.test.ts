import { describe, expect, it } from 'vitest';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { checkProfile } from '#core/model/check-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { profileFromText } from '../../support/profile-from-text.ts';

const good = profileFromText('a;b;c 3\na;b 2\nd 1');
const withTable = <K extends 'functions' | 'frames' | 'stacks' | 'threads' | 'samples'>(
  table: K,
  change: Partial<Profile[K]>,
): Profile => ({
  ...good,
  [table]: { ...good[table], ...change },
});

describe('checkProfile', () => {
  it('accepts a sound profile', () => expect(() => checkProfile(good)).not.toThrow());

  it.each<[string, Profile]>([
    ['strings[0] is not empty', { ...good, strings: ['x', ...good.strings.slice(1)] }],
    ['functions.name[1] = 99', withTable('functions', { name: Int32Array.of(1, 99, 1, 1) })],
    ['functions.module has 1 rows, its table 4', withTable('functions', { module: Int32Array.of(0) })],
    ['functions.line[0] = -1', withTable('functions', { line: Int32Array.of(-1, 0, 0, 0) })],
    ['functions.kind[3] = 7', withTable('functions', { kind: Uint8Array.of(0, 0, 0, 7) })],
    ['frames.func[0] = 4', withTable('frames', { func: Int32Array.of(4, 0, 0, 0) })],
    ['frames.inline[0] = 2', withTable('frames', { inline: Uint8Array.of(2, 0, 0, 0) })],
    ['frames.address has 1 rows', withTable('frames', { address: BigUint64Array.of(1n) })],
    ['frames.line[2] = -5', withTable('frames', { line: Int32Array.of(0, 0, -5, 0) })],
    ['stacks.parent[1] = 1', withTable('stacks', { parent: Int32Array.of(-1, 1, 1, -1) })],
    ['stacks.parent[0] = -2', withTable('stacks', { parent: Int32Array.of(-2, 0, 1, -1) })],
    [
      'stacks[3] has the parent and the frame of stacks[0]',
      withTable('stacks', { parent: Int32Array.of(-1, 0, 1, -1), frame: Int32Array.of(0, 1, 2, 0) }),
    ],
    ['stacks.frame[0] = 77', withTable('stacks', { frame: Int32Array.of(77, 1, 2, 3) })],
    ['threads.tid has 0 rows', withTable('threads', { tid: new Int32Array(0) })],
    ['threads.name[0] = -1', withTable('threads', { name: Int32Array.of(-1) })],
    ['samples.stack[0] = 4', withTable('samples', { stack: Int32Array.of(4, 0, 0) })],
    ['samples.thread[2] = 1', withTable('samples', { thread: Int32Array.of(0, 0, 1) })],
    ['samples.event[0] = 0', withTable('samples', { event: new Uint8Array(3) })],
    ['samples.labelSet[0] = 0', withTable('samples', { labelSet: new Int32Array(3) })],
    ['samples.time[1] = Infinity', withTable('samples', { time: Float64Array.of(0, Infinity, Number.NaN) })],
    ['samples.duration has 1 rows', withTable('samples', { duration: Float64Array.of(1) })],
    ['samples.duration[1] = -1', withTable('samples', { duration: Float64Array.of(0, -1, 1) })],
    ['samples.duration[2] = NaN', withTable('samples', { duration: Float64Array.of(0, 0, Number.NaN) })],
    ['samples.cpu has 1 rows', withTable('samples', { cpu: Int16Array.of(1) })],
    ['samples.weights[0][1] = NaN', withTable('samples', { weights: [Float64Array.of(1, Number.NaN, 1)] })],
    ['samples.weights[0] has 1 rows', withTable('samples', { weights: [Float64Array.of(1)] })],
    ['no value type', { ...good, valueTypes: [] }],
    [
      'metadata.defaultValueType = 1',
      { ...good, metadata: { ...good.metadata, defaultValueType: 1 as ValueTypeIndex } },
    ],
    ['value type x: event 0', { ...good, valueTypes: [{ type: 'x', unit: 'count', event: 0, column: 0 }] }],
    ['value type x: column 1', { ...good, valueTypes: [{ type: 'x', unit: 'count', event: -1, column: 1 }] }],
  ])('names the broken invariant: %s', (what, profile) => {
    expect(() => checkProfile(profile)).toThrow(`profile invariant broken: ${what}`);
  });
});
