import fc from 'fast-check';
import type { FrameIndex, FunctionIndex, StackIndex, ValueTypeIndex } from '#core/model/brand.ts';
import { ProfileBuilder } from '#core/model/profile-builder.ts';
import { FunctionKind, type Profile } from '#core/model/profile.ts';

/** Names that break things: prototypes, markup, control characters, empty and blank names, folded-text separators. */
const hostileName = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  '</script><img src=x onerror=alert(1)>',
  'a;b',
  'a b 3',
  '',
  ' ',
  '\0',
  '\u001b[31m',
  '\r\n',
  '\u2028',
  '\ufeff',
  '😀',
  'größe',
  'x'.repeat(5000),
);
const name = fc.oneof(fc.string({ unit: 'binary' }), hostileName);
/** Importers refuse what adds up to more than 10^24 (core/import/judge-numbers.ts). */
const MOST = 1e18;
const weight = fc.oneof(
  fc.nat(1000),
  fc.double({ noNaN: true, min: -MOST, max: MOST }),
  fc.constantFrom(2 ** 53, -1, 0.1, -0),
);

const sample = fc.record({
  path: fc.array(fc.nat(30), { maxLength: 12 }),
  thread: fc.nat(3),
  event: fc.option(fc.nat(2), { nil: undefined }),
  time: fc.option(fc.double({ noNaN: true, min: -MOST, max: MOST }), { nil: undefined }),
  cpu: fc.option(fc.nat(300), { nil: undefined }),
  labels: fc.array(
    fc.oneof(fc.record({ key: name, text: name }), fc.record({ key: name, number: fc.integer(), unit: name })),
    { maxLength: 2 },
  ),
  weights: fc.array(weight, { minLength: 3, maxLength: 3 }),
});

const shape = fc.record({
  functions: fc.array(
    fc.record({
      name,
      module: name,
      file: name,
      line: fc.nat(),
      kind: fc.constantFrom(...Object.values(FunctionKind)),
    }),
    { minLength: 1, maxLength: 20 },
  ),
  addresses: fc.option(fc.array(fc.bigInt({ min: 0n, max: 2n ** 64n - 2n }), { minLength: 1, maxLength: 5 }), {
    nil: undefined,
  }),
  threads: fc.array(fc.tuple(fc.integer({ min: -1, max: 2 ** 22 }), name), { minLength: 1, maxLength: 4 }),
  events: fc.boolean(),
  columns: fc.integer({ min: 0, max: 3 }),
  samples: fc.array(sample, { maxLength: 40 }),
  startTime: fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n })),
  comments: fc.array(name, { maxLength: 3 }),
});

/** Sound profiles of every shape: with and without each optional column, labels, addresses, several value types. */
export const arbitraryProfile: fc.Arbitrary<Profile> = shape.map((input) => {
  const builder = new ProfileBuilder(input.columns);
  if (input.events) for (const event of ['cycles', 'instructions', 'cpu-clock:u']) builder.event(event);
  const functions = input.functions.map((key) => builder.function(key));
  const threads = input.threads.map(([pid, text]) => builder.thread(pid, pid, text));
  for (const { path, thread, event, time, cpu, labels, weights } of input.samples) {
    let stack = -1 as StackIndex;
    for (const step of path) stack = builder.stack(stack, frameOf(builder, functions, input.addresses, step));
    builder.sample(
      {
        stack,
        thread: threads[thread % threads.length]!,
        ...(event === undefined || !input.events ? {} : { event: event as never }),
        ...(time === undefined ? {} : { time }),
        ...(cpu === undefined ? {} : { cpu }),
        ...(labels.length === 0 ? {} : { labelSet: builder.labelSet(labels) }),
      },
      ...weights,
    );
  }
  builder.diagnostics.add('skipped-line', 'Some lines.', { first: { line: 3 }, remedy: 'None.' });
  const valueTypes = [
    { type: 'samples', unit: 'count', event: -1, column: -1 },
    ...Array.from({ length: input.columns }, (_, column) => ({
      type: `w${column}`,
      unit: 'bytes',
      event: input.events ? 1 : -1,
      column,
    })),
  ];
  return builder.finish(valueTypes, {
    format: 'test',
    defaultValueType: (valueTypes.length - 1) as ValueTypeIndex,
    startTime: input.startTime,
    timeOrigin: input.startTime,
    period: { type: 'cpu', unit: 'nanoseconds', value: 1.5 },
    comments: input.comments,
  });
});

function frameOf(
  builder: ProfileBuilder,
  functions: readonly FunctionIndex[],
  addresses: readonly bigint[] | undefined,
  step: number,
): FrameIndex {
  const func = functions[step % functions.length]!;
  const address = addresses === undefined ? {} : { address: addresses[step % addresses.length]! };
  return builder.frame({ func, line: step % 3, inline: step % 2 === 1, ...address });
}
