import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ImportFailure } from '#core/model/failure.ts';
import { readNative } from '#core/model/native/read.ts';
import { writeNative } from '#core/model/native/write.ts';
import type { Profile } from '#core/model/profile.ts';
import { captureSteps, codeColumns } from '#core/import/report/columns/columns.ts';
import { packBytes } from '#core/import/report/embed.ts';
import { finish } from '#core/steps.ts';
import { profileFromText } from '../../support/profile-from-text.ts';

const nativeOf = (profile: Profile): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.concat(writeNative(profile)));
const readBack = (coded: Uint8Array): Uint8Array => finish(captureSteps(coded));

/** Returns a profile with the given times and addresses; 0 for the rest. */
function profileWith(times: readonly number[], addresses: readonly bigint[]): Profile {
  const profile = profileFromText('main;a;b 3\nmain;a;c 2\nmain;a;b;main;a 1\nother 4');
  const { samples, frames } = profile;
  return {
    ...profile,
    frames: { ...frames, address: BigUint64Array.from({ length: frames.length }, (_, row) => addresses[row] ?? 0n) },
    samples: { ...samples, time: Float64Array.from({ length: samples.length }, (_, row) => times[row] ?? 0) },
  };
}

describe('the columns of a capture in a report', () => {
  it('are read back unchanged, whatever the times and addresses', () => {
    const time = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(0, -0, 2 ** 51, -(2 ** 51), 2 ** 52, Number.NaN));
    const address = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    fc.assert(
      fc.property(fc.array(time, { maxLength: 4 }), fc.array(address, { maxLength: 6 }), (times, addresses) => {
        const native = nativeOf(profileWith(times, addresses));
        expect(readBack(codeColumns(native))).toEqual(native);
      }),
    );
  });

  it('are read back unchanged if a frame calls more others than the coder remembers', () => {
    const lines = Array.from({ length: 300 }, (_, call) => `main;f${(call * 7) % 150};g${call} 1`);
    const native = nativeOf(profileFromText(lines.join('\n')));
    expect(readBack(codeColumns(native))).toEqual(native);
  });

  it('are read in pieces of at most 32,768 rows, or 8,192 stacks', () => {
    const lines = Array.from({ length: 20_000 }, (_, call) => `main;f${call} 1`);
    const steps = captureSteps(codeColumns(nativeOf(profileFromText(lines.join('\n')))));
    let pieces = 0;
    while (steps.next().done !== true) pieces += 1;
    // Functions' names and modules, frames' functions, stacks' parents, samples' stacks and threads; stacks' frames.
    expect(pieces).toBeGreaterThanOrEqual(6 + Math.floor(20_000 / 8192));
  });

  it('are refused with an ImportFailure if they are damaged', () => {
    const native = nativeOf(profileWith([1, 2, 3], [7n, 9n]));
    const coded = codeColumns(native);
    fc.assert(
      fc.property(fc.nat(coded.length - 1), fc.integer({ min: 1, max: 255 }), fc.boolean(), (at, change, isCut) => {
        const bytes = isCut ? coded.slice(0, at) : coded.slice();
        if (!isCut) bytes[at]! ^= change;
        // What the columns' reader accepts is either the same profile or refused by its checksum.
        const read = (): void => {
          const back = readBack(bytes);
          if (Buffer.compare(back, native) === 0) return;
          readNative(back);
          throw new Error('a damaged profile was read');
        };
        try {
          read();
        } catch (error) {
          expect(error).toBeInstanceOf(ImportFailure);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('are read as they are in an older report, in which they are not coded', () => {
    const native = nativeOf(profileFromText('main 1'));
    expect(readBack(native)).toEqual(native);
  });

  it('take less than two thirds of the compressed bytes', () => {
    const lines = Array.from({ length: 5000 }, (_, call) => `main;f${call % 70};g${call % 900};h${call} 1`);
    const native = nativeOf(profileFromText(lines.join('\n')));
    const packed = (bytes: Uint8Array): number => packBytes(bytes).length;
    expect(packed(codeColumns(native))).toBeLessThan((packed(native) * 2) / 3);
  });
});
