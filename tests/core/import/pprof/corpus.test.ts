import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../../support/byte-source.ts';
import { corpusRows, readCorpus, readExpected, type CorpusRow } from '../../../support/corpus.ts';
import { corpus, needing } from '../../../support/needing.ts';
import { parseRaw, rawSamples } from '../../../support/pprof-raw.ts';
import { rollUp } from '../../../support/profile-rollup.ts';

/** Result of github.com/google/pprof/profile for a file. */
interface Oracle {
  comments: string[] | null;
  defaultSampleType: string;
  durationNanos: number;
  labels: Record<string, number>;
  period: number;
  periodType: string;
  samples: number;
  sampleTypes: {
    type: string;
    unit: string;
    sum: number;
    functions: { name: string; self: number; total: number }[];
    folded: Record<string, number>;
  }[];
}

/** pprof counts threads that wait at the same place as one sample; our importer makes a sample per thread. */
const THREADS = 'pprof/cppbench.thread';
const rows = corpusRows('pprof').filter((row) => !row.path.endsWith('/empty.pb.gz'));

needing(corpus, () => {
  it('has all rows', () => expect(rows).toHaveLength(25));
});

function importRow(row: CorpusRow): Promise<Profile> {
  return importProfile(byteSource(readCorpus(row.path), row.path));
}

describe.each(rows)('pprof corpus: $path', (row) => {
  it('equals pprof exactly, for every sample type', async () => {
    const profile = await importRow(row);
    const oracle = JSON.parse(readExpected(row, 'pprof.json')!) as Oracle;
    expect(profile.samples.length).toBe(row.path === THREADS ? 4 : oracle.samples);
    expect(profile.valueTypes.map(({ type, unit }) => ({ type, unit }))).toEqual(
      oracle.sampleTypes.map(({ type, unit }) => ({ type, unit })),
    );
    oracle.sampleTypes.forEach((sampleType, index) => {
      const rollup = rollUp(profile, index);
      expect(rollup.sum).toBe(sampleType.sum);
      const self = new Map(sampleType.functions.map((stats) => [stats.name, stats.self]));
      expect(withoutZeros(rollup.self)).toEqual(withoutZeros(self));
      const total = new Map(sampleType.functions.map((stats) => [stats.name, stats.total]));
      expect(withoutZeros(rollup.total)).toEqual(withoutZeros(total));
      expect(withoutZeros(rollup.folded)).toEqual(withoutZeros(new Map(Object.entries(sampleType.folded))));
    });
  });

  it('has the flat and cum of pprof -top -cum, to the printed digits', async () => {
    const profile = await importRow(row);
    for (const [index, { type, unit }] of profile.valueTypes.entries()) {
      const text = readExpected(row, `pprof-top-cum.${index}-${type}.txt`);
      if (text === null) continue;
      const { self, total } = rollUp(profile, index, printedName);
      const lines = text.slice(text.indexOf('cum%')).split('\n').slice(1, -1);
      expect(lines.length).toBeGreaterThanOrEqual(withoutZeros(total).size);
      for (const line of lines) {
        const [, flat = '', cum = '', name = ''] =
          /^ *(\S+) +\S+ +\S+ +(\S+) +\S+ {2}(.*?)(?: \((?:partial-)?inline\))?$/.exec(line)!;
        expect(offBy(self.get(name) ?? 0, unit, flat), `flat of ${line}`).toBeLessThan(ROUNDING);
        expect(offBy(total.get(name) ?? 0, unit, cum), `cum of ${line}`).toBeLessThan(ROUNDING);
      }
    }
  });

  it('keeps period, duration and labels', async () => {
    const profile = await importRow(row);
    const oracle = JSON.parse(readExpected(row, 'pprof.json')!) as Oracle;
    expect(profile.metadata.durationNs ?? 0).toBe(oracle.durationNanos);
    expect(profile.metadata.period?.value ?? 0).toBe(oracle.period);
    if (profile.metadata.period !== null) {
      expect(`${profile.metadata.period.type}/${profile.metadata.period.unit}`).toBe(oracle.periodType);
    }
    expect(profile.metadata.comments).toEqual(oracle.comments ?? []);
    expect(labelCounts(profile)).toEqual(new Map(Object.entries(oracle.labels)));
  });

  it('has the stacks, addresses and lines of pprof -raw', async () => {
    const profile = await importRow(row);
    const raw = readExpected(row, 'pprof-raw.txt')!;
    const expected = parseRaw(raw);
    if (row.path === THREADS) expected.splice(2, 1, ...Array<string>(2).fill(expected[2]!.replace('2', '1')));
    expect(rawSamples(profile)).toEqual(expected);
  });
});

/** Returns the name in `pprof -top`, which merges code that has neither a name nor a binary. */
function printedName(name: string): string {
  return /^0x[0-9a-f]+$/.test(name) ? '<unknown>' : name;
}

/** Returns how far `weight` is from the printed value, in the printed unit. */
function offBy(weight: number, unit: string, text: string): number {
  const shown = /[a-zA-Z]*$/.exec(text)![0];
  const scale = shown === '' ? 1 : SCALES.get(`${unit} ${shown}`)!;
  return Math.abs(weight / scale - Number.parseFloat(text));
}

/** pprof prints two decimals. */
const ROUNDING = 0.005001;

const SCALES = new Map([
  ['microseconds us', 1],
  ['microseconds ms', 1e3],
  ['nanoseconds us', 1e3],
  ['nanoseconds ms', 1e6],
  ['nanoseconds s', 1e9],
  ['bytes kB', 2 ** 10],
  ['bytes MB', 2 ** 20],
]);

function withoutZeros(map: ReadonlyMap<string, number>): Map<string, number> {
  return new Map([...map].filter(([, weight]) => weight !== 0));
}

/** Counts samples per label key. The oracle marks number labels with #. */
function labelCounts(profile: Profile): Map<string, number> {
  const counts = new Map<string, number>();
  profile.samples.labelSet?.forEach((row) => {
    if (row < 0) return;
    const keys = profile.samples.labelSets[row]!.map((label) => ('text' in label ? label.key : `${label.key}#`));
    for (const key of new Set(keys)) counts.set(key, (counts.get(key) ?? 0) + 1);
  });
  return counts;
}
