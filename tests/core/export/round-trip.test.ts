import { expect, it } from 'vitest';
import { exporters } from '#core/export/registry.ts';
import { importProfile } from '#core/import/import-profile.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { NO_ADDRESS, type Profile } from '#core/model/profile.ts';
import { sampleWeights } from '#core/model/weights.ts';
import { byteSource } from '../../support/byte-source.ts';
import { allCorpusRows, readCorpus } from '../../support/corpus.ts';
import { readCorpusProfile } from '../../support/corpus-profile.ts';
import { foldedLines, foldedText } from '../../support/folded-lines.ts';
import { corpus, needing } from '../../support/needing.ts';

/** Larger inputs take long and test nothing else. */
const MAX_INPUT_BYTES = 150_000;
/** Relative error from sums in another order. */
const RELATIVE_ERROR = 1e-9;

function write(profile: Profile, format: string): Uint8Array {
  const chunks: Uint8Array[] = [];
  const valueType = profile.metadata.defaultValueType;
  exporters.find(({ id }) => id === format)!.write(profile, { valueType }, (chunk) => void chunks.push(chunk.slice()));
  return Buffer.concat(chunks);
}

const again = (profile: Profile, format: string): Promise<Profile> =>
  importProfile(byteSource(write(profile, format), `again.${format}`));

/** The properties of samples and frames that the test compares. */
interface Kept {
  readonly name?: (name: string) => string;
  readonly kept: readonly ('module' | 'file' | 'firstLine' | 'address' | 'line' | 'inline')[];
  /** Returns what distinguishes samples besides their stack. */
  readonly sample: (profile: Profile, row: number) => string;
}

/** Sums the weight by all compared properties of a sample. */
function weightsBy(profile: Profile, type: number, { name = (text) => text, kept, sample }: Kept): Map<string, number> {
  const { strings, functions, frames, stacks, samples } = profile;
  const weights = sampleWeights(profile, type as ValueTypeIndex);
  const ofFrame = Array.from({ length: frames.length }, (_, row) => {
    const of = frames.func[row]!;
    // In pprof, an inlined function has the address of its caller, and address 0 means none. A location has one module,
    // so a function without a module is not inlined into one that has one.
    const inlined = frames.inline[row] === 1;
    const module = strings[functions.module[of]!]!;
    const facts = {
      name: name(strings[functions.name[of]!]!),
      module,
      file: strings[functions.file[of]!]!,
      firstLine: functions.line[of]!,
      address: String((inlined ? 0n : frames.address?.[row]) || NO_ADDRESS),
      line: frames.line?.[row] ?? 0,
      inline: inlined && module !== '' ? 1 : 0,
    };
    return JSON.stringify(['name' as const, ...kept].map((fact) => facts[fact]));
  });
  const sums = new Map<string, number>();
  const texts = new Map<number, string>();
  const textOf = (stack: number): string => {
    const known = texts.get(stack);
    if (known !== undefined) return known;
    const path: string[] = [];
    for (let at = stack; at >= 0; at = stacks.parent[at]!) path.push(ofFrame[stacks.frame[at]!]!);
    const text = path.join('\n');
    texts.set(stack, text);
    return text;
  };
  for (let row = 0; row < samples.length; row++) {
    const key = `${sample(profile, row)}\n${textOf(samples.stack[row]!)}`;
    sums.set(key, (sums.get(key) ?? 0) + weights[row]!);
  }
  return new Map([...sums].filter(([, weight]) => weight !== 0));
}

function expectSame(found: ReadonlyMap<string, number>, expected: ReadonlyMap<string, number>, scale = 1): void {
  const missing = [...expected].filter(([key, weight]) => !isNear((found.get(key) ?? 0) * scale, weight));
  const extra = [...found].filter(([key]) => !expected.has(key));
  const few = (lines: readonly [string, number][]): string =>
    lines
      .slice(0, 2)
      .map(([key, weight]) => `${weight} ${key}`)
      .join('\n\n');
  if (missing.length + extra.length > 0) throw new Error(`missing: ${few(missing)}\nmore: ${few(extra)}`);
}

const isNear = (a: number, b: number): boolean =>
  Math.abs(a - b) <= RELATIVE_ERROR * Math.max(Math.abs(a), Math.abs(b));

/** Returns the labels of a sample, including those that the exporter creates. */
function labelsOf({ samples, threads, strings }: Profile, row: number): string {
  const set = samples.labelSet?.[row] ?? -1;
  const labels = (set < 0 ? [] : samples.labelSets[set]!).map((label) =>
    'text' in label ? `${label.key}=${label.text}` : `${label.key}=${label.number} ${label.unit}`,
  );
  const thread = samples.thread[row]!;
  const name = strings[threads.name[thread]!]!;
  if (name !== '') labels.push(`thread=${name}`);
  for (const key of ['pid', 'tid'] as const)
    if (threads[key][thread]! >= 0) labels.push(`${key}=${threads[key][thread]!} `);
  // pprof cannot represent a label with the number 0 and no unit.
  return labels
    .filter((label) => !label.endsWith('=0 '))
    .sort()
    .join(' ');
}

function threadOf({ samples, threads, strings }: Profile, row: number): string {
  const thread = samples.thread[row]!;
  return `${strings[threads.name[thread]!]! || 'thread'} ${threads.pid[thread]!} ${threads.tid[thread]!}`;
}

const MILLISECONDS = new Map([
  ['nanoseconds', 1e6],
  ['microseconds', 1e3],
  ['milliseconds', 1],
  ['seconds', 1e-3],
]);

async function expectNative(profile: Profile): Promise<void> {
  const found = await again(profile, 'native');
  expect({ ...found, metadata: { ...found.metadata, fileName: profile.metadata.fileName } }).toEqual(profile);
}

async function expectFolded(profile: Profile): Promise<void> {
  const lines = foldedLines(foldedText(profile));
  // Text without lines is not folded text.
  if (lines.size > 0) expectSame(foldedLines(foldedText(await again(profile, 'folded'))), lines);
}

const IN_PPROF: Kept = { kept: ['module', 'file', 'firstLine', 'address', 'line', 'inline'], sample: labelsOf };

async function expectPprof(profile: Profile): Promise<void> {
  const found = await again(profile, 'pprof');
  expect(found.valueTypes.map(({ unit }) => unit)).toEqual(profile.valueTypes.map(({ unit }) => unit));
  for (const type of profile.valueTypes.keys()) {
    const isWhole = sampleWeights(profile, type as ValueTypeIndex).every(Number.isInteger);
    if (isWhole) expectSame(weightsBy(found, type, IN_PPROF), weightsBy(profile, type, IN_PPROF));
  }
}

const IN_OTLP: Kept = {
  kept: ['module', 'file', 'firstLine', 'address', 'line', 'inline'],
  sample: ({ samples, threads, strings }, row) => {
    const set = samples.labelSets[samples.labelSet?.[row] ?? -1] ?? [];
    const thread = samples.thread[row]!;
    return JSON.stringify([strings[threads.name[thread]!], threads.pid[thread], threads.tid[thread], set]);
  },
};

async function expectOtlp(profile: Profile): Promise<void> {
  const found = await again(profile, 'otlp');
  expect(found.valueTypes.map(({ type, unit }) => `${type}/${unit}`)).toEqual(
    profile.valueTypes.map(({ type, unit }) => `${type}/${unit}`),
  );
  for (const type of profile.valueTypes.keys()) {
    const isWhole = sampleWeights(profile, type as ValueTypeIndex).every(Number.isInteger);
    if (isWhole) expectSame(weightsBy(found, type, IN_OTLP), weightsBy(profile, type, IN_OTLP));
  }
}

const IN_SPEEDSCOPE: Kept = { kept: ['firstLine'], sample: () => '' };

async function expectSpeedscope(profile: Profile): Promise<void> {
  const expected = weightsBy(profile, profile.metadata.defaultValueType, IN_SPEEDSCOPE);
  expectSame(weightsBy(await again(profile, 'speedscope'), 0, IN_SPEEDSCOPE), expected);
}

async function expectFirefox(profile: Profile): Promise<void> {
  const type = profile.metadata.defaultValueType;
  const timeOf = ({ samples }: Profile, row: number): string =>
    profile.samples.time === null ? '' : String(Math.round(samples.time?.[row] || 0));
  const kept: Kept = {
    name: (name) => name || '(unnamed)',
    kept: ['module', 'file', 'firstLine', 'line', 'inline'],
    sample: (each, row) => `${threadOf(each, row)} ${timeOf(each, row)}`,
  };
  const scale = MILLISECONDS.get(profile.valueTypes[type]!.unit) ?? 1;
  expectSame(weightsBy(await again(profile, 'firefox'), 0, kept), weightsBy(profile, type, kept), scale);
}

needing(corpus, () => {
  const rows = allCorpusRows().filter(({ path }) => readCorpus(path).length <= MAX_INPUT_BYTES);

  it.each(rows)('$path is unchanged after writing and reading in each format', async ({ path }) => {
    const profile = await readCorpusProfile(path);
    if (profile === null) return;
    await expectNative(profile);
    await expectFolded(profile);
    await expectPprof(profile);
    await expectOtlp(profile);
    await expectSpeedscope(profile);
    await expectFirefox(profile);
  });
});
