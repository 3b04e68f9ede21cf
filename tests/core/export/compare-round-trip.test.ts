import { expect, test } from 'vitest';
import { exporters } from '#core/export/registry.ts';
import { compareRoundTrip } from '#core/export/round-trip.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { NO_STACK, type StackIndex, type ValueTypeIndex } from '#core/model/brand.ts';
import { ProfileBuilder } from '#core/model/profile-builder.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../support/byte-source.ts';

/**
 * Two value types, two named threads and one without a name, recursion, a function named as a thread, no stack, a
 * function that is inlined into one of another module.
 */
function hardProfile(): Profile {
  const builder = new ProfileBuilder(2);
  const stack = (...names: string[]): StackIndex =>
    names.reduce((caller, name) => {
      const func = builder.function({ name, module: name === 'sum' ? 'libm.so' : 'app' });
      return builder.stack(caller, builder.frame({ func, inline: name === 'sum' }));
    }, NO_STACK);
  const [web, worker, other] = [
    builder.thread(1, 1, 'web'),
    builder.thread(1, 2, 'a worker'),
    builder.thread(1, 3, ''),
  ];
  builder.sample({ stack: stack('main', 'web', 'sum'), thread: web }, 3, 3_000_001);
  builder.sample({ stack: stack('main', 'fib', 'fib', 'fib'), thread: worker }, 2, 2_000_000);
  builder.sample({ stack: stack('web', 'a;b'), thread: worker }, 1, 999_999);
  builder.sample({ stack: NO_STACK, thread: web }, 1, 1_000_000);
  builder.sample({ stack: NO_STACK, thread: other }, 4, 4_000_000);
  return builder.finish(
    [
      { type: 'samples', unit: 'count', event: -1, column: 0 },
      { type: 'cpu', unit: 'nanoseconds', event: -1, column: 1 },
    ],
    { format: 'folded', defaultValueType: 1 as ValueTypeIndex },
  );
}

/** A file with one sample in each function. */
const speedscope = (...names: readonly string[]): object => ({
  $schema: 'https://www.speedscope.app/file-format-schema.json',
  shared: { frames: names.map((name) => ({ name })) },
  profiles: [
    {
      type: 'sampled',
      name: 'main',
      unit: 'none',
      startValue: 0,
      endValue: names.length,
      samples: names.map((_, frame) => [frame]),
      weights: names.map(() => 1),
    },
  ],
});

for (const { id, extension, oneValueType, stores, write } of exporters) {
  if (stores === null) continue;
  test(`${id} keeps names apart that differ in a lone surrogate`, async () => {
    const profile = await importProfile(byteSource(JSON.stringify(speedscope('\ud800', '\ud801', 'x\udc00', '😀'))));
    const names = expect.arrayContaining(['\\ud800', '\\ud801', 'x\\udc00', '😀']);
    expect(profile.strings).toEqual(names);
    const chunks: Uint8Array[] = [];
    write(profile, {}, (chunk) => void chunks.push(chunk.slice()));
    const read = await importProfile(byteSource(Buffer.concat(chunks), `x.${extension}`));
    expect(read.strings).toEqual(names);
    const { differences } = compareRoundTrip(profile, read, { oneValueType, stores }, 0 as ValueTypeIndex);
    expect(differences).toEqual([]);
  });

  test(`${id} keeps self and total of every function, and a changed weight is found`, async () => {
    const profile = hardProfile();
    const chunks: Uint8Array[] = [];
    write(profile, { valueType: 1 as ValueTypeIndex }, (chunk) => void chunks.push(chunk.slice()));
    const read = await importProfile(byteSource(Buffer.concat(chunks), `x.${extension}`));
    const format = { oneValueType, stores };
    expect(compareRoundTrip(profile, read, format, 1 as ValueTypeIndex)).toMatchObject({
      valueTypes: oneValueType ? 1 : 2,
      differences: [],
    });
    profile.samples.weights[1]![1]! += 1000;
    const { differences } = compareRoundTrip(profile, read, format, 1 as ValueTypeIndex);
    expect(differences.find(({ name, measure }) => name === 'fib' && measure === 'self')?.written).toBe(2_001_000);
    expect(differences.find(({ name, measure }) => name === 'main' && measure === 'total')?.written).toBe(5_001_001);
    expect(differences.find(({ name, measure }) => name === null && measure === 'total')?.written).toBe(11_001_000);
  });
}
