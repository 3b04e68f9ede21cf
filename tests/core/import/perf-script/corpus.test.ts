import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import { perfScriptImporter } from '#core/import/perf-script/perf-script.ts';
import { makeHead, HEAD_BYTES } from '#core/import/detect.ts';
import { checkProfile } from '#core/model/check-profile.ts';
import { ImportFailure } from '#core/model/failure.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../../support/byte-source.ts';
import { allCorpusRows, corpusRows, readCorpus, readExpected, type CorpusRow } from '../../../support/corpus.ts';
import { differences, foldedLines, foldedText, rollupLines, selfAndTotal } from '../../../support/folded-lines.ts';
import { corpus, needing } from '../../../support/needing.ts';
import { demangled, inferno, stackcollapsePerf, type Oracle } from '../../../support/perf-script-oracles.ts';

/**
 * Tools that are wrong about an input, so that only truth.json and the other tool count (docs/parity.md). The corpus
 * README's rulings and the manifest's notes give the reasons.
 */
const WRONG: Readonly<Record<string, readonly Oracle['expectedKind'][]>> = {
  'perf-script/crlf.txt': ['stackcollapse-perf', 'inferno'],
  'perf-script/empty-line.txt': ['inferno'],
  'perf-script/weird-stack-line.txt': ['inferno'],
  'perf-script/single-line-stacks.txt': ['stackcollapse-perf', 'inferno'],
  'perf-script/simple-perf.txt.gz': ['inferno'],
  'perf-script/test.perf.gz': ['inferno'],
};

const rows = corpusRows('perf-script').filter(({ path }) => path !== 'perf-script/no-events.txt');

needing(corpus, () => {
  describe('perf script corpus', () => {
    test.each(rows)('$path: counts equal truth.json', async (row) => {
      const profile = await read(row);
      const truth = JSON.parse(readExpected(row, 'truth.json')!) as Truth;
      expect(countsOf(profile)).toEqual(truth);
    });

    test.each(rows)('$path: folded text equals the tools', async (row) => {
      const profile = await read(row);
      for (const oracle of rightOracles(row)) {
        const expected = expectedFolded(row, oracle);
        expect(differences(normalized(profile, oracle), expected ?? new Map<string, number>())).toEqual([]);
      }
    });

    test.each(rows)('$path: self and total equal the tools', async (row) => {
      const profile = await read(row);
      for (const oracle of rightOracles(row)) {
        const expected = expectedSelfAndTotal(row, oracle);
        if (expected !== null) expect(differences(selfAndTotal(normalized(profile, oracle)), expected)).toEqual([]);
      }
    });

    test.each(rows)('$path: truncated anywhere, neither fails nor has extra samples', (row) => {
      const bytes = gunzipped(readCorpus(row.path)).subarray(0, 20_000);
      const all = parse(bytes).samples.length;
      for (let cut = 1; cut < 60; cut++) {
        expect(samplesOrRefusal(bytes.subarray(0, Math.floor((bytes.length * cut) / 60)))).toBeLessThanOrEqual(all);
      }
    });

    // FlameGraph reads no event from lines without a time, so it adds up both events of the file.
    test('crlf.txt: both events together equal the file with plain line ends', async () => {
      const row = rows.find(({ path }) => path === 'perf-script/crlf.txt')!;
      const profile = await read(row);
      const expected = foldedLines(readExpected(row, 'lf-normalised.folded')!);
      const both = { ...profile, valueTypes: [{ type: 'samples', unit: 'count', event: -1, column: -1 }] };
      expect(differences(normalized(both, stackcollapsePerf), expected)).toEqual([]);
    });
  });
});

/** Returns the tools that are right about this input. */
function rightOracles({ path }: CorpusRow): Oracle[] {
  return [stackcollapsePerf, inferno].filter(({ expectedKind }) => !(WRONG[path] ?? []).includes(expectedKind));
}

/** Reads `function self total` lines of a tool's rollup. The comm counts as a frame. */
function expectedSelfAndTotal(row: CorpusRow, { rollupKind }: Oracle): Map<string, string> | null {
  const text = readExpected(row, `selftotal.${rollupKind}.tsv`);
  if (text === null) return null;
  return new Map([...rollupLines(text)].map(([name, values]) => [demangled(name), values]));
}

needing(corpus, () => {
  describe('perf script text of the perf.data corpus', () => {
    const texts = corpusRows('perf-data').filter((row) => readExpected(row, 'perf-script.txt') !== null);

    test.each(texts)('$path: every sample equals the recording', (row) => {
      const profile = parse(new TextEncoder().encode(readExpected(row, 'perf-script.txt')!));
      const recorded = readExpected(row, 'samples.tsv')!.trimEnd().split('\n').slice(1).map(recordedSample);
      expect(samplesOf(profile, recorded[0]!)).toEqual(recorded.sort());
    });

    test.each(texts)('$path: starts on the same event as the recording', async (row) => {
      const startOf = ({ valueTypes, metadata }: Profile) => valueTypes[metadata.defaultValueType]?.type;
      const text = parse(new TextEncoder().encode(readExpected(row, 'perf-script.txt')!));
      expect(startOf(text)).toBe(startOf(await importProfile(byteSource(gunzipped(readCorpus(row.path))))));
    });
  });
});

needing(corpus, () => {
  describe('sniffing the whole corpus', () => {
    const isOurs = ({ path, format }: CorpusRow): boolean =>
      format === 'perf-script' && !path.endsWith('no-events.txt');

    test.each(allCorpusRows())('$path: yes if it is perf script text, otherwise no', (row) => {
      const bytes = gunzipped(readCorpus(row.path));
      const head = makeHead(bytes.subarray(0, HEAD_BYTES), bytes.length <= HEAD_BYTES);
      expect(perfScriptImporter.sniff(head)).toBe(isOurs(row) ? 'yes' : 'no');
    });
  });
});

function parse(bytes: Uint8Array): Profile {
  const session = perfScriptImporter.start();
  session.push(bytes);
  return session.finish();
}

/** Returns the number of samples; 0 if the text is refused because it is cut within its first event line. */
function samplesOrRefusal(bytes: Uint8Array): number {
  try {
    return parse(bytes).samples.length;
  } catch (error) {
    expect(error).toBeInstanceOf(ImportFailure);
    return 0;
  }
}

function gunzipped(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
}

/**
 * Writes `event pid/tid µs period`. Comms are omitted, because perf and the reference follow renames differently. Facts
 * that the reference does not know are also omitted: periods that are not stored (`-`) and events without ids (`?`).
 */
function samplesOf({ samples, events, threads, metadata }: Profile, like: string): string[] {
  const hasEvents = !like.startsWith('?');
  const hasPeriods = !like.endsWith('-');
  return Array.from(samples.stack, (_, row) => {
    const thread = samples.thread[row]!;
    const time = metadata.timeOrigin! + BigInt(samples.time![row]!);
    const ids = `${threads.pid[thread]}/${threads.tid[thread]}`;
    const period = hasPeriods ? samples.weights[0]![row]! : '-';
    return [hasEvents ? events[samples.event![row]!] : '?', ids, time / 1000n, period].join('\t');
  }).sort();
}

function recordedSample(line: string): string {
  const [event, , ids, time, period] = line.split('\t');
  return [event, ids, BigInt(time!) / 1000n, period].join('\t');
}

interface Truth {
  readonly samples: number;
  readonly by_event: Record<string, number>;
  readonly period_by_event: Record<string, number>;
  readonly by_comm: Record<string, number>;
}

async function read(row: CorpusRow): Promise<Profile> {
  const profile = await importProfile(byteSource(readCorpus(row.path), row.path));
  checkProfile(profile);
  return profile;
}

function countsOf({ samples, events, threads, strings, valueTypes }: Profile): Truth {
  const by_event: Record<string, number> = {};
  const period_by_event: Record<string, number> = {};
  const by_comm: Record<string, number> = {};
  for (let row = 0; row < samples.length; row++) {
    const event = samples.event![row]!;
    const name = events[event]!;
    const comm = strings[threads.name[samples.thread[row]!]!]!;
    const period = valueTypes.find((type) => type.event === event && type.column >= 0);
    by_event[name] = (by_event[name] ?? 0) + 1;
    period_by_event[name] = (period_by_event[name] ?? 0) + (period ? samples.weights[period.column]![row]! : 0);
    by_comm[comm] = (by_comm[comm] ?? 0) + 1;
  }
  return { samples: samples.length, by_event, period_by_event, by_comm };
}

function expectedFolded(row: CorpusRow, { expectedKind }: Oracle): Map<string, number> | null {
  const text =
    readExpected(row, `${expectedKind}.plus-blank-line.folded`) ?? readExpected(row, `${expectedKind}.folded`);
  if (text === null) return null;
  return new Map([...foldedLines(text)].map(([stack, weight]) => [stack.split(';').map(demangled).join(';'), weight]));
}

/** Returns our folded text of the first sample's event, which the tools show, with the tool's names. */
function normalized(profile: Profile, oracle: Oracle): Map<string, number> {
  const lines = new Map<string, number>();
  const first = { ...profile, metadata: { ...profile.metadata, defaultValueType: 0 as ValueTypeIndex } };
  for (const [stack, weight] of foldedLines(foldedText(first))) {
    const [comm = '', ...names] = stack.split(';');
    const kept = names.map((name) => oracle.rename(name, comm)).filter((name) => name !== null);
    if (kept.length === 0 && !oracle.keepsEmptyStacks) continue;
    const renamed = [oracle.renameComm(comm), ...kept].join(';');
    lines.set(renamed, (lines.get(renamed) ?? 0) + weight);
  }
  return lines;
}
