import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exporters } from '#core/export/registry.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { NO_STACK, type ValueTypeIndex } from '#core/model/brand.ts';
import { ProfileBuilder } from '#core/model/profile-builder.ts';
import { FunctionKind, type Profile } from '#core/model/profile.ts';
import { sampleWeights } from '#core/model/weights.ts';
import { arbitraryProfile } from '../../support/arbitrary-profile.ts';
import { byteSource } from '../../support/byte-source.ts';
import { corpusRows, readCorpus, type CorpusRow } from '../../support/corpus.ts';
import { corpus, needing } from '../../support/needing.ts';
import { profileFromText } from '../../support/profile-from-text.ts';
import { rollUp } from '../../support/profile-rollup.ts';

const read = (bytes: Uint8Array, name: string): Promise<Profile> => importProfile(byteSource(bytes, name));

function write(profile: Profile, format: string, valueType = profile.metadata.defaultValueType): Uint8Array {
  const chunks: Uint8Array[] = [];
  const exporter = exporters.find(({ id }) => id === format)!;
  exporter.write(profile, { valueType }, (chunk) => void chunks.push(chunk.slice()));
  return Buffer.concat(chunks);
}

const again = (profile: Profile, format: string, valueType?: ValueTypeIndex): Promise<Profile> =>
  read(write(profile, format, valueType), `again.${format}`);

const fixture = (path: string): Promise<Profile> =>
  read(readFileSync(join(import.meta.dirname, '../../fixtures/import', path)), path);
const types = ({ valueTypes }: Profile): string[] => valueTypes.map(({ type, unit }) => `${type}/${unit}`);
const withoutZeros = (map: ReadonlyMap<string, number>): Map<string, number> =>
  new Map([...map].filter(([, weight]) => weight !== 0).sort(([a], [b]) => (a < b ? -1 : 1)));

describe('pprof', () => {
  it('keeps lines, addresses, inlining, modules, labels and threads', async () => {
    const before = await fixture('pprof/everything.pb');
    const after = await again(before, 'pprof');
    expect({ ...after.metadata, fileName: null }).toEqual({ ...before.metadata, fileName: null });
    expect(types(after)).toEqual(types(before));
    expect(after.samples.labelSets).toEqual(before.samples.labelSets);
    for (const type of before.valueTypes.keys()) {
      expect(withoutZeros(rollUp(after, type).folded)).toEqual(withoutZeros(rollUp(before, type).folded));
    }
    const frames = ({ frames: { func, line, address, inline, length } }: Profile): string[] =>
      Array.from({ length }, (_, row) => [func[row], line?.[row], address?.[row], inline[row]].join(' ')).sort();
    expect(after.frames.length).toBe(before.frames.length);
    expect(
      frames(after)
        .map((text) => text.split(' ').slice(1).join(' '))
        .sort(),
    ).toEqual(
      frames(before)
        .map((text) => text.split(' ').slice(1).join(' '))
        .sort(),
    );
  });

  it('makes names of value types unique, because pprof rejects duplicates', async () => {
    const perf = await read(
      Buffer.from('a 1/1 [000] 1.000000: 250000 cpu-clock: \n\t    1000 f+0x0 (/bin/a)\n\n'),
      'a.perf-script.txt',
    );
    expect(types(perf)).toEqual(['cpu-clock/nanoseconds', 'cpu-clock/samples']);
    const after = await again(perf, 'pprof');
    expect(types(after)).toEqual(['cpu-clock/nanoseconds', 'cpu-clock_samples/samples']);
    expect(after.metadata.defaultValueType).toBe(perf.metadata.defaultValueType);
  });

  it.each(['pprof', 'otlp'])('writes weights at the ends of 64 bits with their sign (%s)', async (format) => {
    const after = await again(profileFromText(`main;most ${2 ** 63}\nmain;least ${-(2 ** 63)}`), format);
    expect(Object.fromEntries(rollUp(after, 0).self)).toEqual({ most: 2 ** 63, least: -(2 ** 63) });
  });

  it('writes threads as labels', async () => {
    const { samples } = await again(await fixture('gecko/processed.profile.json'), 'pprof');
    expect(samples.labelSets[0]).toEqual([
      { key: 'thread', text: 'server' },
      { key: 'pid', number: 812, unit: '' },
      { key: 'tid', number: 812, unit: '' },
    ]);
  });

  it('restores any profile with the same weights, rounded by stack', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryProfile, async (profile) => {
        const after = await again(profile, 'pprof');
        expect(after.valueTypes.map(({ unit }) => unit)).toEqual(profile.valueTypes.map(({ unit }) => unit || 'count'));
        expect(new Set(after.valueTypes.map(({ type }) => type)).size).toBe(after.valueTypes.length);
        for (const type of profile.valueTypes.keys()) {
          const weights = sampleWeights(profile, type as ValueTypeIndex);
          const isWhole = weights.every(Number.isSafeInteger);
          if (isWhole) expect(rollUp(after, type).sum).toBe(rollUp(profile, type).sum);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe.each(['otlp', 'otlp-json'])('%s', (format) => {
  it('keeps all that it reads, also from a request of two profiles', async () => {
    const before = await fixture('otlp/two-profiles.otlp');
    const after = await again(before, format);
    expect({ ...after.metadata, fileName: null }).toEqual({ ...before.metadata, fileName: null });
    expect(types(after)).toEqual(types(before));
    for (const type of before.valueTypes.keys()) {
      expect(withoutZeros(rollUp(after, type).folded)).toEqual(withoutZeros(rollUp(before, type).folded));
    }
    // Samples of one stack are together.
    const timesOf = ({ samples }: Profile): number[] => Array.from(samples.time!).sort((a, b) => a - b);
    expect(timesOf(after)).toEqual(timesOf(before));
  });

  it('keeps host, start, duration, period, threads 0, numbers of labels and kinds of code', async () => {
    const builder = new ProfileBuilder(1);
    const frame = (name: string, kind: FunctionKind) =>
      builder.frame({ func: builder.function({ name, module: '/bin/a', kind }) });
    const stack = builder.stack(builder.stack(NO_STACK, frame('main', FunctionKind.user)), frame('io', 2));
    const labelSet = builder.labelSet([
      { key: '__proto__', text: '' },
      { key: 'load', number: 0.5, unit: 'bytes' },
      { key: 'zero', number: 0, unit: '' },
    ]);
    builder.sample({ stack, thread: builder.thread(0, 0, 'swapper'), labelSet, time: 5 }, 7);
    builder.sample({ stack: NO_STACK, thread: builder.thread(-1, -1, '') }, 2);
    const profile = builder.finish([{ type: 'cpu', unit: 'nanoseconds', event: -1, column: 0 }], {
      format: 'folded',
      defaultValueType: 0 as ValueTypeIndex,
      startTime: 1_700_000_000_000_000_000n,
      timeOrigin: 4n,
      durationNs: 2e9,
      hostName: 'web-1',
      period: { type: 'cpu', unit: 'nanoseconds', value: 10 },
    });
    const after = await again(profile, format);
    expect(after.samples.labelSets).toEqual(profile.samples.labelSets);
    expect(after.samples.time).toEqual(profile.samples.time);
    expect(after.samples.weights).toEqual(profile.samples.weights);
    expect([...after.threads.pid, ...after.threads.tid]).toEqual([...profile.threads.pid, ...profile.threads.tid]);
    expect(new Set(after.functions.kind)).toEqual(new Set(profile.functions.kind));
    const { hostName, startTime, durationNs, period } = profile.metadata;
    expect(after.metadata).toMatchObject({ hostName, startTime, durationNs, period });
  });

  it('restores any profile with the same weights, rounded by stack', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryProfile, async (profile) => {
        const after = await again(profile, format);
        for (const type of profile.valueTypes.keys()) {
          const weights = sampleWeights(profile, type as ValueTypeIndex);
          if (weights.every(Number.isSafeInteger)) expect(rollUp(after, type).sum).toBe(rollUp(profile, type).sum);
        }
      }),
      { numRuns: 60 },
    );
  });
});

it('otlp-json has 64-bit integers as texts, and rows of tables as numbers', () => {
  const builder = new ProfileBuilder(1);
  const func = builder.function({ name: 'io', module: '/bin/a' });
  const stack = builder.stack(NO_STACK, builder.frame({ func, address: 2n ** 64n - 16n }));
  const labelSet = builder.labelSet([{ key: 'load', number: 0.5, unit: '' }]);
  builder.sample({ stack, thread: builder.thread(-1, -1, ''), labelSet }, -7);
  const types = [{ type: 'cpu', unit: 'nanoseconds', event: -1, column: 0 }];
  const text = write(builder.finish(types, { format: 'folded' }), 'otlp-json').toString();
  expect(JSON.parse(text)).toMatchObject({
    resourceProfiles: [{ scopeProfiles: [{ profiles: [{ samples: [{ stackIndex: 1, values: ['-7'] }] }] }] }],
    dictionary: {
      locationTable: [{}, { address: '18446744073709551600', lines: [{ functionIndex: 1 }] }],
      linkTable: [{}],
      attributeTable: [{}, { value: { doubleValue: 0.5 } }],
    },
  });
});

describe.each(['speedscope', 'firefox'])('%s', (format) => {
  it('restores any profile with the same weight', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryProfile, async (profile) => {
        const valueType = profile.metadata.defaultValueType;
        const after = await again(profile, format);
        expect(after.samples.length).toBeLessThanOrEqual(profile.samples.length * profile.valueTypes.length);
        const [expected, found] = [rollUp(profile, valueType).sum, rollUp(after, 0).sum];
        expect(Math.abs(found - expected)).toBeLessThanOrEqual(Math.abs(expected) * 1e-9 + 1e-9);
      }),
      { numRuns: 60 },
    );
  });
});

describe('speedscope', () => {
  it('keeps threads, stacks and weights of each value type', async () => {
    const before = await fixture('speedscope/everything.speedscope.json');
    for (const type of before.valueTypes.keys()) {
      const after = await again(before, 'speedscope', type as ValueTypeIndex);
      expect(types(after)).toEqual([types(before)[type]]);
      expect(withoutZeros(rollUp(after, 0).folded)).toEqual(withoutZeros(rollUp(before, type).folded));
    }
  });
});

describe('firefox', () => {
  it('keeps threads, times, kinds, modules, files, lines and inlining', async () => {
    const before = await fixture('gecko/processed.profile.json');
    const after = await again(before, 'firefox');
    expect(after.samples.time).toEqual(before.samples.time);
    expect(after.samples.weights[0]).toEqual(before.samples.weights[0]);
    expect([...after.threads.tid]).toEqual([...before.threads.tid]);
    expect(after.stacks.length).toBe(before.stacks.length);
    expect(withoutZeros(rollUp(after, 0).folded)).toEqual(withoutZeros(rollUp(before, 0).folded));
    const facts = ({ functions, strings }: Profile): string[] =>
      Array.from({ length: functions.length }, (_, row) =>
        [functions.name, functions.module, functions.file].map((column) => strings[column[row]!]!).join('|'),
      ).sort();
    expect(facts(after)).toEqual(facts(before));
    expect([...after.functions.kind].filter((kind) => kind === FunctionKind.kernel)).toHaveLength(1);
    expect([...after.frames.inline].filter((inline) => inline === 1)).toHaveLength(1);
  });
});

describe('losses of a format', () => {
  const losses = (profile: Profile, format: string): readonly string[] =>
    exporters.find(({ id }) => id === format)!.losses!(profile, profile.metadata.defaultValueType);

  it('name the facts of this profile', async () => {
    const profile = await fixture('gecko/processed.profile.json');
    const ofOne = ['all value types but one', 'the name of the value type'];
    const ofAll = ['kinds of code', 'host, command and tool'];
    expect(losses(profile, 'pprof')).toEqual(['times of samples', ...ofAll]);
    expect(losses(profile, 'speedscope')).toContain('which frames were inlined');
    expect(losses(profile, 'firefox')).toEqual([...ofOne, ...ofAll]);
    expect(losses(profile, 'folded')).toEqual([
      ...ofOne,
      'times of samples',
      'ids of threads',
      'modules',
      'files',
      'lines of functions',
      'lines within functions',
      'addresses',
      'which frames were inlined',
      ...ofAll,
    ]);
    expect(
      losses({ ...profile, metadata: { ...profile.metadata, defaultValueType: 1 as ValueTypeIndex } }, 'otlp'),
    ).toContain('the default value type');
    const fractions = await fixture('speedscope/everything.speedscope.json');
    expect(losses(fractions, 'pprof').at(-1)).toBe('fractions of weights (of time/milliseconds, by stack)');
  });

  it('name negative weights and the tools that do not read them', () => {
    const folded = 'negative weights for flamegraph.pl and inferno, which skip their lines';
    const speedscope = 'negative weights for speedscope, which rejects the file';
    const profile = profileFromText('a;b -1\na;b 2\na 3');
    expect(losses(profile, 'folded')).toEqual([]);
    expect(losses(profile, 'speedscope')).toEqual([speedscope]);
    expect(losses(profileFromText('a;b -1\na 3'), 'folded')).toEqual([folded]);
    expect(losses(profileFromText('a;b 1\na 3'), 'speedscope')).toEqual([]);
  });

  it('name zeros without a unit, which pprof takes for none', async () => {
    const builder = new ProfileBuilder();
    builder.sample({ stack: NO_STACK, thread: builder.thread(0, 0, 'swapper') });
    const profile = builder.finish([{ type: 'samples', unit: 'count', event: -1, column: -1 }], { format: 'folded' });
    expect(losses(profile, 'pprof')).toEqual(['ids and labels that are 0']);
    expect(losses(profile, 'firefox')).toContain('that samples have no timestamps (they follow one another)');
  });
});

needing(corpus, () => {
  const rows = corpusRows('pprof').filter(({ path }) => path.endsWith('.gz') && !path.endsWith('/empty.pb.gz'));
  it.each(rows)('pprof, speedscope and firefox of $path have its weight', async (row: CorpusRow) => {
    const before = await read(readCorpus(row.path), row.path);
    const pprof = await again(before, 'pprof');
    for (const type of before.valueTypes.keys()) {
      expect(withoutZeros(rollUp(pprof, type).folded)).toEqual(withoutZeros(rollUp(before, type).folded));
    }
    const type = before.metadata.defaultValueType;
    for (const format of ['speedscope', 'firefox']) {
      const { sum, folded } = rollUp(await again(before, format), 0);
      const own = rollUp(before, type);
      const scale = format === 'firefox' && before.valueTypes[type]!.unit === 'nanoseconds' ? 1e6 : 1;
      expect(Math.abs(sum * scale - own.sum)).toBeLessThanOrEqual(own.sum * 1e-12);
      expect(withoutZeros(folded).size).toBe(withoutZeros(own.folded).size);
    }
  });
});
