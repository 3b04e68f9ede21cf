import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import { FunctionKind, type Profile } from '#core/model/profile.ts';
import { byteSource } from '../../support/byte-source.ts';
import { checkImport } from '../../support/check-import.ts';
import { bytes, encodePprof, varint, type PprofData } from '../../support/encode/pprof.ts';
import { parseRaw, rawSamples } from '../../support/pprof-raw.ts';
import { rollUp } from '../../support/profile-rollup.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/import/pprof');

checkImport({ path: 'pprof/everything.pb', format: 'pprof', isText: false });
checkImport({ path: 'pprof/drop-frames.pb', format: 'pprof', isText: false });

const read = (content: Uint8Array, format?: string): Promise<Profile> =>
  importProfile(byteSource(content), format === undefined ? {} : { format });
const small = (changes: Partial<PprofData> = {}): PprofData => ({
  sampleTypes: [['samples', 'count']],
  functions: [
    { id: 1, name: 'main' },
    { id: 2, name: 'work' },
  ],
  locations: [
    { id: 1, lines: [[1, 1]] },
    { id: 2, lines: [[2, 2]] },
  ],
  samples: [{ locations: [2, 1], values: [3] }],
  ...changes,
});

it('advises to name addresses only if they are in a binary', async () => {
  const at = (mapping: number): PprofData =>
    small({
      mappings: [{ id: 1, file: '/srv/app', start: 0x1000n, limit: 0x2000n }],
      locations: [{ id: 1, address: 0x1100n, ...(mapping === 0 ? {} : { mapping }) }],
      samples: [{ locations: [1], values: [3] }],
    });
  const [known] = (await read(encodePprof(at(1)))).diagnostics;
  const [unknown] = (await read(encodePprof(at(0)))).diagnostics;
  expect([known?.code, unknown?.code]).toEqual(['unresolved-frames', 'unresolved-frames']);
  expect([known?.remedy, unknown?.remedy]).toEqual([expect.stringContaining('--binary'), null]);
});

describe('own files compared with pprof -raw', () => {
  it.each(['everything.pb', 'everything-unpacked.pb', 'drop-frames.pb'])('%s: has the same samples', async (name) => {
    const profile = await read(readFileSync(join(FIXTURES, name)));
    const raw = readFileSync(join(FIXTURES, `${name}.pprof-raw.txt`), 'utf8');
    const rounded = raw.replace(' 9007199254740993 ', ' 9007199254740992 ');
    expect(rawSamples(profile)).toEqual(parseRaw(rounded));
  });

  it('reads repeated numbers one by one and packed alike', async () => {
    const packed = await read(readFileSync(join(FIXTURES, 'everything.pb')));
    const single = await read(readFileSync(join(FIXTURES, 'everything-unpacked.pb')));
    const { first: _, ...weights } = single.diagnostics.find(({ code }) => code === 'inexact-weight')!;
    expect(packed.diagnostics).toContainEqual(expect.objectContaining(weights));
    expect({ ...single, diagnostics: [] }).toEqual({ ...packed, diagnostics: [] });
  });
});

describe('pprof', () => {
  it.each([
    [
      'first of two',
      [
        ['', ''],
        ['cpu', 'nanoseconds'],
      ],
      [3, 30],
      'cpu',
    ],
    [
      'last of two',
      [
        ['samples', 'count'],
        ['', ''],
      ],
      [3, 30],
      '(unnamed)',
    ],
    ['only one', [['', '']], [3], '(unnamed)'],
  ] as const)('reads an empty value type, %s', async (_, sampleTypes, values, shown) => {
    const sampled = {
      sampleTypes: sampleTypes.map(([type, unit]) => [type, unit] as const),
      samples: [{ locations: [2, 1], values: [...values] }],
    };
    const { samples, valueTypes, metadata } = await read(encodePprof(small(sampled)));
    expect(samples.weights.map(([weight]) => weight)).toEqual(values);
    expect(valueTypes[metadata.defaultValueType]!.type).toBe(shown);
  });

  it('reports what it rounded, pruned and could not name', async () => {
    const everything = await read(readFileSync(join(FIXTURES, 'everything.pb')));
    expect(everything.diagnostics.map(({ code, count }) => [code, count])).toEqual([
      ['inexact-weight', 1],
      ['inexact-label', 1],
      ['unresolved-frames', 3],
      ['negative-weights', 2],
    ]);
    const pruned = await read(readFileSync(join(FIXTURES, 'drop-frames.pb')));
    expect(pruned.diagnostics).toMatchObject([{ code: 'pruned-frames', severity: 'info' }]);
  });

  it('uses the default sample type, otherwise the last', async () => {
    const types = {
      sampleTypes: [
        ['a', 'count'],
        ['b', 'bytes'],
      ],
      samples: [{ locations: [1], values: [1, 2] }],
    } as const;
    expect((await read(encodePprof(small(types)))).metadata.defaultValueType).toBe(1);
    expect((await read(encodePprof(small({ ...types, defaultSampleType: 'a' })))).metadata.defaultValueType).toBe(0);
    expect(
      (await read(encodePprof(small({ ...types, defaultSampleType: 'none such' })))).metadata.defaultValueType,
    ).toBe(1);
  });

  it('recognises the kernel and code without a symbol', async () => {
    const profile = await read(readFileSync(join(FIXTURES, 'everything.pb')));
    const kinds = new Map(
      Array.from(profile.functions.name, (name, row) => [profile.strings[name]!, profile.functions.kind[row]]),
    );
    expect(kinds.get('do_syscall_64')).toBe(FunctionKind.kernel);
    expect(kinds.get('main')).toBe(FunctionKind.user);
    expect(kinds.get('[libstripped.so.1]')).toBe(FunctionKind.unresolved);
    expect(kinds.get('0x1234')).toBe(FunctionKind.unresolved);
  });

  it('reads a stack of 100,000 frames and a name of a megabyte', async () => {
    const long = 'n'.repeat(2 ** 20);
    const locations = Array.from({ length: 100_000 }, (_, index) => (index % 2) + 1);
    const functions = [
      { id: 1, name: long },
      { id: 2, name: 'work' },
    ];
    const profile = await read(encodePprof(small({ functions, samples: [{ locations, values: [1] }] })));
    expect(profile.stacks.length).toBe(100_000);
    expect(profile.strings).toContain(long);
  });

  it('keeps a profile without samples', async () => {
    const profile = await read(encodePprof(small({ samples: [] })));
    expect([profile.samples.length, profile.valueTypes.length]).toEqual([0, 1]);
  });

  it('uses a drop_frames that would hang a backtracking matcher', async () => {
    const functions = [
      { id: 1, name: 'main' },
      { id: 2, name: `${'a'.repeat(5000)}!` },
    ];
    const profile = await read(encodePprof(small({ functions, dropFrames: '(a+)+b|(a|aa)+c|work' })));
    expect(profile.samples.length).toBe(1);
  });

  it('demangles C++ and Rust names before it drops frames', async () => {
    const functions = [
      { id: 1, name: '_ZN4core3ptr13drop_in_place17h0123456789abcdefE' },
      { id: 2, name: '_ZN3foo3barEi' },
    ];
    const profile = await read(encodePprof(small({ functions })));
    expect([...rollUp(profile, 0).folded.keys()]).toEqual(['core::ptr::drop_in_place;foo::bar(int)']);
    const pruned = await read(encodePprof(small({ functions, dropFrames: 'foo::bar' })));
    expect([...rollUp(pruned, 0).folded.keys()]).toEqual(['core::ptr::drop_in_place']);
  });

  it('reports that it can’t use drop_frames', async () => {
    const profile = await read(encodePprof(small({ dropFrames: '(unclosed' })));
    expect(profile.diagnostics).toMatchObject([{ code: 'drop-frames-ignored' }]);
    expect(rollUp(profile, 0).self.get('work')).toBe(3);
  });
});

describe('broken pprof', () => {
  const good = encodePprof(small());
  const append = (...extra: number[]): Uint8Array => Uint8Array.from([...good, ...extra]);

  it.each<[string, Uint8Array, RegExp]>([
    [
      'a location that does not exist',
      encodePprof(small({ samples: [{ locations: [9], values: [1] }] })),
      /location that does not exist/,
    ],
    ['location 0', encodePprof(small({ samples: [{ locations: [0], values: [1] }] })), /location that does not exist/],
    ['too few values', encodePprof(small({ samples: [{ locations: [1], values: [] }] })), /0 values where there are 1/],
    [
      'too many values',
      encodePprof(small({ samples: [{ locations: [1], values: [1, 2] }] })),
      /2 values where there are 1/,
    ],
    [
      'two functions with one id',
      encodePprof(
        small({
          functions: [
            { id: 1, name: 'a' },
            { id: 1, name: 'b' },
          ],
        }),
      ),
      /two functions with one id/,
    ],
    ['a function without an id', encodePprof(small({ functions: [{ id: 0, name: 'a' }] })), /function without an id/],
    [
      'two locations with one id',
      encodePprof(small({ locations: [{ id: 1 }, { id: 1 }] })),
      /two locations with one id/,
    ],
    ['a mapping without an id', encodePprof(small({ mappings: [{ id: 0, file: 'x' }] })), /mapping without an id/],
    [
      'two profiles',
      Uint8Array.from([...encodePprof(small({ timeNanos: 5n })), ...varint((9 << 3) | 0), 7]),
      /two profiles/,
    ],
    ['a string that does not exist', append(...bytes(5, [8, 77, 16, 99])), /string 99 of/],
    [
      'a first string that is not empty',
      Uint8Array.from([...bytes(1, [8, 1]), ...bytes(6, [65])]),
      /first string is not empty/,
    ],
    ['a length beyond the end', append(...varint((2 << 3) | 2), 100), /ends within a field/],
    ['an endless number', append(72, ...Array.from({ length: 12 }, () => 0xff)), /more than ten bytes/],
    ['a wrong wire type', append(...varint((1 << 3) | 0), 5), /field 1 has wire type 0/],
    ['groups', append((3 << 3) | 3), /wire type 3/],
    ['field 0', append(0, 0), /no field has this number/],
  ])('%s', async (_, content, message) => {
    await expect(read(content, 'pprof')).rejects.toMatchObject({
      failure: 'malformed',
      message: expect.stringMatching(message),
      location: { byte: expect.any(Number) },
    });
  });

  it('is not recognised without any sample type, and refused if forced', async () => {
    const content = encodePprof(small({ sampleTypes: [], samples: [] }));
    await expect(read(content)).rejects.toMatchObject({ failure: 'unrecognized' });
    await expect(read(content, 'pprof')).rejects.toMatchObject({ failure: 'malformed' });
  });

  it('skips and counts fields that the format does not define', async () => {
    const profile = await read(append(...bytes(99, [1, 2, 3]), ...varint(98 << 3), 5));
    expect(profile.diagnostics).toMatchObject([{ code: 'unknown-field', count: 2 }]);
  });

  it('never hangs on flipped bytes, and throws only ImportFailures', async () => {
    const everything = readFileSync(join(FIXTURES, 'everything.pb'));
    const property = fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(everything.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
      async (changes) => {
        const damaged = Uint8Array.from(everything);
        for (const [at, value] of changes) damaged[at] = value;
        try {
          await read(damaged, 'pprof');
        } catch (error) {
          expect(error).toMatchObject({ name: 'ImportFailure' });
        }
      },
    );
    await fc.assert(property, { numRuns: 2000, seed: 2 });
  });
});
