import type { ValueTypeIndex } from '../model/brand.ts';
import type { Label, Profile } from '../model/profile.ts';
import { sampleWeights } from '../model/weights.ts';
import { lossesOf, type ExportedFact } from './losses.ts';
import { PprofLocations, type PprofLocation } from './pprof-locations.ts';
import { WireMessage } from '../wire/protobuf-writer.ts';

/** Fields of profile.proto (https://github.com/google/pprof/blob/main/proto/profile.proto). */
const PROFILE = {
  sampleType: 1,
  sample: 2,
  mapping: 3,
  location: 4,
  function: 5,
  string: 6,
  timeNanos: 9,
  durationNanos: 10,
  periodType: 11,
  period: 12,
  comment: 13,
  defaultSampleType: 14,
} as const;

/** Names of thread labels, as in perf_data_converter. */
const THREAD_LABELS = { name: 'thread', pid: 'pid', tid: 'tid' } as const;

/**
 * Writes the profile as uncompressed profile.proto: all value types, with samples of the same stack, thread and labels
 * merged. Weights become integers: see {@link pprofLosses}.
 */
export function writePprof(profile: Profile, valueType: ValueTypeIndex, write: (chunk: Uint8Array) => void): void {
  new PprofWriter(profile, write).write(valueType);
}

const CARRIED: readonly ExportedFact[] = [
  'valueTypes',
  'typeNames',
  'labels',
  'threadIds',
  'modules',
  'files',
  'functionLines',
  'frameLines',
  'addresses',
  'inlining',
];

/** Returns the facts of this profile that profile.proto can't store. */
export function pprofLosses(profile: Profile): string[] {
  const fractions = profile.valueTypes.filter((_, type) =>
    sampleWeights(profile, type as ValueTypeIndex).some((weight) => !Number.isInteger(weight)),
  );
  const names = fractions.map(({ type, unit }) => `${type}/${unit}`).join(', ');
  return [
    ...lossesOf(profile, CARRIED),
    ...(names === '' ? [] : [`fractions of weights (of ${names}, by stack)`]),
    ...(hasZeroLabels(profile) ? ['ids and labels that are 0'] : []),
  ];
}

/** In proto3, a label of 0 without a unit is the same as none. */
function hasZeroLabels({ threads, samples }: Profile): boolean {
  const labels = samples.labelSets.flat();
  return (
    threads.pid.includes(0) ||
    threads.tid.includes(0) ||
    labels.some((label) => 'number' in label && label.number === 0 && label.unit === '')
  );
}

/**
 * pprof rejects files with two sample types of the same name, so all but the first (the chosen one takes precedence)
 * are named `name_unit`.
 */
function typeNames({ valueTypes }: Profile, chosen: ValueTypeIndex): string[] {
  const taken = new Set([valueTypes[chosen]?.type]);
  return valueTypes.map(({ type, unit }, row) => {
    if (row === chosen) return type;
    let name = type;
    for (let count = 1; taken.has(name); count++) name = count === 1 ? `${type}_${unit}` : `${type}_${unit}_${count}`;
    taken.add(name);
    return name;
  });
}

class PprofWriter {
  readonly #profile: Profile;
  readonly #write: (chunk: Uint8Array) => void;
  readonly #strings = new Map<string, number>([['', 0]]);
  readonly #message = new WireMessage();
  readonly #inner = new WireMessage();
  readonly #scratch = new WireMessage();

  constructor(profile: Profile, write: (chunk: Uint8Array) => void) {
    this.#profile = profile;
    this.#write = write;
  }

  write(valueType: ValueTypeIndex): void {
    const { valueTypes, metadata } = this.#profile;
    const names = typeNames(this.#profile, valueType);
    valueTypes.forEach(({ unit }, row) => this.#put(PROFILE.sampleType, this.#pair(names[row]!, unit)));
    const locations = new PprofLocations(this.#profile);
    this.#samples(locations);
    this.#code(locations.all);
    const facts = new WireMessage()
      .number(PROFILE.timeNanos, metadata.startTime ?? 0n)
      .number(PROFILE.durationNanos, Math.round(metadata.durationNs ?? 0));
    if (metadata.period !== null) {
      const { type, unit, value } = metadata.period;
      facts.message(PROFILE.periodType, this.#pair(type, unit).bytes).number(PROFILE.period, Math.round(value));
    }
    for (const comment of metadata.comments) facts.number(PROFILE.comment, this.#text(comment));
    facts.number(PROFILE.defaultSampleType, this.#text(names[valueType] ?? ''));
    this.#write(facts.bytes);
    for (const text of this.#strings.keys()) this.#write(this.#message.clear().text(PROFILE.string, text).bytes);
  }

  #put(field: number, { bytes }: WireMessage): void {
    this.#write(this.#message.clear().message(field, bytes).bytes);
  }

  #text(text: string): number {
    const known = this.#strings.get(text);
    if (known !== undefined) return known;
    this.#strings.set(text, this.#strings.size);
    return this.#strings.size - 1;
  }

  #pair(type: string, unit: string): WireMessage {
    return this.#inner.clear().number(1, this.#text(type)).number(2, this.#text(unit));
  }

  #samples(locations: PprofLocations): void {
    const { valueTypes, samples } = this.#profile;
    const columns = valueTypes.map((_, type) => sampleWeights(this.#profile, type as ValueTypeIndex));
    const sums = new Map<string, { readonly row: number; readonly weights: number[] }>();
    for (let row = 0; row < samples.length; row++) {
      const key = `${samples.stack[row]} ${samples.thread[row]} ${samples.labelSet?.[row] ?? -1}`;
      const known = sums.get(key) ?? { row, weights: columns.map(() => 0) };
      if (known.row === row) sums.set(key, known);
      columns.forEach((weights, type) => void (known.weights[type]! += weights[row]!));
    }
    for (const { row, weights } of sums.values()) {
      const sample = this.#inner.clear();
      sample.packed(1, locations.of(samples.stack[row]!), this.#scratch);
      sample.packed(2, weights.map(Math.round), this.#scratch);
      for (const label of this.#labels(row)) sample.message(3, this.#label(label));
      this.#put(PROFILE.sample, sample);
    }
  }

  #labels(row: number): Label[] {
    const { samples, threads, strings } = this.#profile;
    const set = samples.labelSet?.[row] ?? -1;
    const labels = set < 0 ? [] : [...samples.labelSets[set]!];
    const thread = samples.thread[row]!;
    const name = strings[threads.name[thread]!]!;
    if (name !== '') labels.push({ key: THREAD_LABELS.name, text: name });
    for (const key of ['pid', 'tid'] as const) {
      const id = threads[key][thread]!;
      if (id >= 0) labels.push({ key: THREAD_LABELS[key], number: id, unit: '' });
    }
    return labels;
  }

  #label(label: Label): Uint8Array {
    const message = this.#scratch.clear().number(1, this.#text(label.key));
    if ('text' in label) return message.number(2, this.#text(label.text)).bytes;
    return message.number(3, Math.round(label.number)).number(4, this.#text(label.unit)).bytes;
  }

  #code(locations: readonly PprofLocation[]): void {
    const { frames, functions, strings } = this.#profile;
    const modules = new Map<number, number>();
    const used = new Map<number, number>();
    locations.forEach(({ frames: lines, address, module }, place) => {
      if (module !== 0 && !modules.has(module)) modules.set(module, modules.size + 1);
      const location = this.#inner
        .clear()
        .number(1, place + 1)
        .number(2, modules.get(module) ?? 0)
        .number(3, BigInt.asIntN(64, address));
      for (const frame of lines) {
        const func = frames.func[frame]!;
        if (!used.has(func)) used.set(func, used.size + 1);
        location.message(
          4,
          this.#scratch
            .clear()
            .number(1, used.get(func)!)
            .number(2, frames.line?.[frame] ?? 0).bytes,
        );
      }
      this.#put(PROFILE.location, location);
    });
    for (const [module, id] of modules) {
      // has_functions, so that tools do not look for the binary.
      this.#put(
        PROFILE.mapping,
        this.#inner.clear().number(1, id).number(5, this.#text(strings[module]!)).number(7, 1),
      );
    }
    for (const [func, id] of used) {
      const name = this.#text(strings[functions.name[func]!]!);
      const file = this.#text(strings[functions.file[func]!]!);
      const message = this.#inner.clear().number(1, id).number(2, name).number(3, name).number(4, file);
      this.#put(PROFILE.function, message.number(5, functions.line[func]!));
    }
  }
}
