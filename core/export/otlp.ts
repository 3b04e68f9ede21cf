import type { ValueTypeIndex } from '../model/brand.ts';
import { FunctionKind, type Label, type Profile } from '../model/profile.ts';
import { sampleWeights } from '../model/weights.ts';
import { nameOfUnresolved } from '../symbols/perf-modules.ts';
import { WireMessage } from '../wire/protobuf-writer.ts';
import { lossesOf, type ExportedFact } from './losses.ts';
import { PprofLocations, type PprofLocation } from './pprof-locations.ts';

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

/** Returns the facts of this profile that OTLP can't store. */
export function otlpLosses(profile: Profile): string[] {
  const { samples, functions, metadata } = profile;
  const { kernel, arch, cpuCount, command, tool, toolVersion } = metadata;
  const fractions = profile.valueTypes.filter((_, type) => !isWhole(profile, type));
  const names = fractions.map(({ type, unit }) => `${type}/${unit}`).join(', ');
  const isTimed = samples.time !== null;
  return [
    ...lossesOf(profile, [...CARRIED, 'times', 'kinds', 'capture']),
    ...(isTimed && metadata.startTime === null ? ['times of samples, because the start is unknown'] : []),
    ...(isTimed && metadata.startTime !== null && names !== '' ? [`times of samples (of ${names})`] : []),
    ...(names === '' ? [] : [`fractions of weights (of ${names}, by stack)`]),
    ...(metadata.defaultValueType === 0 ? [] : ['the default value type']),
    ...(functions.kind.some((kind) => kind !== 0 && FRAME_TYPES.get(kind) === undefined)
      ? ['kinds of code but user and kernel']
      : []),
    ...([kernel, arch, cpuCount, command, tool, toolVersion].some((known) => known !== null)
      ? ['kernel, command and tool']
      : []),
  ];
}

const isWhole = (profile: Profile, type: number): boolean =>
  sampleWeights(profile, type as ValueTypeIndex).every(Number.isInteger);

/** Values of the attribute `profile.frame.type`; other kinds have several, by runtime. */
const FRAME_TYPES: ReadonlyMap<number, string> = new Map([
  [FunctionKind.user, 'native'],
  [FunctionKind.kernel, 'kernel'],
]);

/**
 * Writes the profile as `ProfilesData` of opentelemetry-proto 1.10: an OTLP profile for each value type, with samples
 * of one stack, thread and labels together. Whole weights keep their times if the start is known; see {@link
 * otlpLosses}.
 */
export function writeOtlp(profile: Profile, write: (chunk: Uint8Array) => void): void {
  const writer = new OtlpWriter(profile);
  // The dictionary is complete only after the resource, by which readers recognize a file.
  write(new WireMessage().message(1, writer.resource().bytes).bytes);
  write(new WireMessage().message(2, writer.dictionary().bytes).bytes);
}

/** Numbers of the dictionary's tables, of which row 0 is empty and means none. */
const TABLE = { mapping: 1, location: 2, function: 3, link: 4, string: 5, attribute: 6, stack: 7 } as const;

class OtlpWriter {
  readonly #profile: Profile;
  readonly #locations: PprofLocations;
  readonly #strings = new Map<string, number>([['', 0]]);
  /** Tables that grow while samples are written. */
  readonly #tables = new WireMessage();
  readonly #attributeRows = new Map<string, number>();
  readonly #stackRows = new Map<number, number>();
  readonly #scratch = new WireMessage();

  constructor(profile: Profile) {
    this.#profile = profile;
    this.#locations = new PprofLocations(profile, nameOfUnresolved);
    for (const table of Object.values(TABLE)) if (table !== TABLE.string) this.#tables.text(table, '');
  }

  resource(): WireMessage {
    const { valueTypes, metadata } = this.#profile;
    const scope = new WireMessage();
    valueTypes.forEach((_, type) => scope.message(2, this.#ofType(type as ValueTypeIndex).bytes));
    const written = new WireMessage();
    if (metadata.hostName !== null) {
      const host = new WireMessage().text(1, 'host.name').message(2, textValue(metadata.hostName).bytes);
      written.message(1, new WireMessage().message(1, host.bytes).bytes);
    }
    return written.message(2, scope.bytes);
  }

  dictionary(): WireMessage {
    this.#code(this.#locations.all);
    for (const text of this.#strings.keys()) this.#tables.text(TABLE.string, text);
    return this.#tables;
  }

  #text(text: string): number {
    return rowOf(this.#strings, text, this.#strings.size, () => undefined);
  }

  #pair(type: string, unit: string): WireMessage {
    return new WireMessage().number(1, this.#text(type || 'samples')).number(2, this.#text(unit));
  }

  #ofType(type: ValueTypeIndex): WireMessage {
    const { valueTypes, metadata, samples } = this.#profile;
    const { type: name, unit } = valueTypes[type]!;
    const { startTime, durationNs, period } = metadata;
    const written = new WireMessage().message(1, this.#pair(name, unit).bytes);
    const weights = sampleWeights(this.#profile, type);
    const times = startTime !== null && weights.every(Number.isInteger) ? samples.time : null;
    const together = new Map<string, number[]>();
    for (let row = 0; row < samples.length; row++) {
      if (weights[row] === 0) continue;
      const isTimed = times !== null && !Number.isNaN(times[row]);
      const key = `${samples.stack[row]} ${samples.thread[row]} ${samples.labelSet?.[row] ?? -1} ${isTimed}`;
      const known = together.get(key);
      if (known === undefined) together.set(key, [row]);
      else known.push(row);
    }
    const sample = new WireMessage();
    for (const rows of together.values()) {
      const [first] = rows as [number];
      sample.clear().number(1, this.#stack(samples.stack[first]!));
      sample.packed(2, this.#attributesOf(first), this.#scratch);
      if (times !== null && startTime !== null && !Number.isNaN(times[first])) {
        const values = rows.map((row) => weights[row]!);
        const at = BigUint64Array.from(rows, (row) => startTime + BigInt(Math.round(times[row]!)));
        sample.packed(4, values, this.#scratch).message(5, littleEndian(at));
      } else {
        const sum = rows.reduce((whole, row) => whole + weights[row]!, 0);
        sample.packed(4, [Math.round(sum)], this.#scratch);
      }
      written.message(2, sample.bytes);
    }
    if (startTime !== null) written.fixed64(3, littleEndian(BigUint64Array.of(startTime)));
    written.number(4, Math.round(durationNs ?? 0));
    if (period !== null)
      written.message(5, this.#pair(period.type, period.unit).bytes).number(6, Math.round(period.value));
    return written;
  }

  /** Returns the rows of a sample's thread and labels in the table of attributes. */
  #attributesOf(row: number): number[] {
    const { samples, threads, strings } = this.#profile;
    const set = samples.labelSet?.[row] ?? -1;
    const thread = samples.thread[row]!;
    const name = strings[threads.name[thread]!]!;
    const own: Label[] = name === '' ? [] : [{ key: 'thread.name', text: name }];
    for (const [key, id] of [
      ['process.pid', threads.pid[thread]!],
      ['thread.id', threads.tid[thread]!],
    ] as const)
      if (id >= 0) own.push({ key, number: id, unit: '' });
    // Of two attributes with one key, readers take the last.
    return [...(samples.labelSets[set] ?? []), ...own].map((label) => this.#attribute(label));
  }

  #attribute(label: Label): number {
    const value = 'text' in label ? textValue(label.text) : numberValue(label.number);
    const unit = 'text' in label ? '' : label.unit;
    return rowOf(this.#attributeRows, JSON.stringify(label), this.#attributeRows.size + 1, () => {
      const written = new WireMessage().number(1, this.#text(label.key)).message(2, value.bytes);
      this.#tables.message(TABLE.attribute, written.number(3, this.#text(unit)).bytes);
    });
  }

  #stack(stack: number): number {
    if (stack < 0) return 0;
    return rowOf(this.#stackRows, stack, this.#stackRows.size + 1, () => {
      const written = new WireMessage().packed(1, this.#locations.of(stack), this.#scratch);
      this.#tables.message(TABLE.stack, written.bytes);
    });
  }

  #code(locations: readonly PprofLocation[]): void {
    const { frames, functions, strings } = this.#profile;
    const modules = new Map<number, number>([[0, 0]]);
    const used = new Map<number, number>();
    for (const { frames: lines, address, module } of locations) {
      const mapping = rowOf(modules, module, modules.size, () => {
        this.#tables.message(TABLE.mapping, new WireMessage().number(4, this.#text(strings[module]!)).bytes);
      });
      const location = new WireMessage().number(1, mapping).number(2, BigInt.asIntN(64, address));
      for (const frame of lines) {
        const func = frames.func[frame]!;
        const row = rowOf(used, func, used.size + 1, () => {
          const name = this.#text(strings[functions.name[func]!]!);
          const file = this.#text(strings[functions.file[func]!]!);
          const written = new WireMessage().number(1, name).number(2, name).number(3, file);
          this.#tables.message(TABLE.function, written.number(4, functions.line[func]!).bytes);
        });
        const line = new WireMessage().number(1, row).number(2, frames.line?.[frame] ?? 0);
        location.message(3, line.bytes);
      }
      const outermost = lines.at(-1);
      const type = outermost === undefined ? undefined : FRAME_TYPES.get(functions.kind[frames.func[outermost]!]!);
      if (type !== undefined)
        location.packed(4, [this.#attribute({ key: 'profile.frame.type', text: type })], this.#scratch);
      this.#tables.message(TABLE.location, location.bytes);
    }
  }
}

/** Returns the row of a key; `add` writes that of a new one, which is `next`. */
function rowOf<Key>(rows: Map<Key, number>, key: Key, next: number, add: () => void): number {
  const known = rows.get(key);
  if (known !== undefined) return known;
  rows.set(key, next);
  add();
  return next;
}

/** The column's bytes; the processors that run Flamebench are little-endian. */
const littleEndian = ({ buffer }: BigUint64Array | Float64Array): Uint8Array => new Uint8Array(buffer);

const textValue = (text: string): WireMessage => new WireMessage().text(1, text);

const numberValue = (number: number): WireMessage =>
  Number.isSafeInteger(number)
    ? new WireMessage().present(3, number)
    : new WireMessage().fixed64(4, littleEndian(Float64Array.of(number)));
