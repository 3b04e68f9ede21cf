import type { FrameIndex, StackIndex, ThreadIndex, ValueTypeIndex } from '../../model/brand.ts';
import { doubled } from '../../model/intern/byte-table.ts';
import { demangle } from '../../symbols/demangle/demangle.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import { FunctionKind, type Label, type Profile, type ProfileMetadata } from '../../model/profile.ts';
import { FrameBudget } from '../stacks/frame-budget.ts';
import { nameOfAddress, nameOfUnresolved } from '../../symbols/perf-modules.ts';
import { numberField, type NumberField } from './records.ts';
import { countPruned, planPruning, type Pruning } from './prune.ts';
import type { PprofTables } from './tables.ts';
import type { linearRegex } from '../text/linear-regex.ts';
import { BYTES, malformedMessage, WireReader } from '../../wire/protobuf-reader.ts';

/**
 * Builds the profile of a decoded file: resolves references, prunes frames, and converts leaf-first locations to
 * root-first stacks. `compile` is needed if the file drops frames.
 */
export function buildPprofProfile(tables: PprofTables, compile: typeof linearRegex | null): Profile {
  const { sampleTypes } = tables;
  if (sampleTypes.length === 0) throw malformedMessage('there is no sample type', 0);
  const builder = new ProfileBuilder(sampleTypes.length);
  const frames = new LocationFrames(tables, builder, compile);
  new SampleReader(tables, builder, frames, sampleTypes.length).readAll();
  frames.report();
  if (tables.unknownFields > 0) {
    builder.diagnostics.add('unknown-field', 'Fields that profile.proto does not define were skipped.', {
      severity: 'info',
      count: tables.unknownFields,
    });
  }
  const valueTypes = sampleTypes.map(({ type, unit }) => ({ type: type || '(unnamed)', unit: unit || 'count' }));
  return builder.finish(valueTypes, metadataOf(tables));
}

function metadataOf(tables: PprofTables): Partial<ProfileMetadata> & Pick<ProfileMetadata, 'format'> {
  const { sampleTypes, periodType, period } = tables;
  // Chooses like pprof (profile/index.go, SampleIndexByName): the default if a sample type has that name, otherwise the
  // last.
  const wanted = tables.defaultSampleType;
  const named = wanted === '' ? -1 : sampleTypes.findIndex(({ type }) => type === wanted);
  // profile.proto: "mapping[0] will be the main binary".
  const [main] = tables.mappings;
  const executable = main === undefined ? '' : tables.string(main.file);
  const executableBuildId = main === undefined ? '' : tables.string(main.buildId);
  return {
    format: 'pprof',
    ...(executable === '' || executable.startsWith('[') ? {} : { executable }),
    ...(executableBuildId === '' ? {} : { executableBuildId }),
    defaultValueType: (named >= 0 ? named : sampleTypes.length - 1) as ValueTypeIndex,
    startTime: tables.timeNanos === 0n ? null : tables.timeNanos,
    durationNs: tables.durationNanos === 0 ? null : tables.durationNanos,
    period: periodType === null || period === 0 ? null : { ...periodType, value: period },
    comments: tables.comments,
  };
}

/** The frames of each location that a sample uses, created on first use. */
class LocationFrames {
  readonly pruning: Pruning | null;
  readonly #tables: PprofTables;
  readonly #builder: ProfileBuilder;
  readonly #lineStart: Int32Array;
  /** → tables.functions; −1 if the line has no reference. */
  readonly #functionOfLine: Int32Array;
  /** By function. C++ and Rust names are demangled before drop_frames applies, in the same order as in pprof. */
  readonly #names: (string | undefined)[] = [];
  /** Root first. */
  readonly #frames: (readonly FrameIndex[] | undefined)[] = [];
  #unresolved = 0;
  /** Any unresolved address is in a binary, which may name it. */
  #isInBinary = false;

  constructor(tables: PprofTables, builder: ProfileBuilder, compile: typeof linearRegex | null) {
    this.#tables = tables;
    this.#builder = builder;
    const { locations, functionIds } = tables;
    this.#lineStart = Int32Array.from({ length: tables.locationCount + 1 }, (_, row) => locations.lineStart.get(row));
    this.#functionOfLine = Int32Array.from({ length: locations.line.length }, (_, row) =>
      functionIds.row(locations.functionLow.get(row) >>> 0, locations.functionHigh.get(row) >>> 0),
    );
    this.pruning = compile === null ? null : this.#plan(compile);
  }

  of(location: number): readonly FrameIndex[] {
    return (this.#frames[location] ??= this.#make(location));
  }

  report(): void {
    if (this.#unresolved === 0) return;
    const [message, remedy] = this.#isInBinary
      ? [
          'Addresses have no function name: the profile is not symbolised.',
          'Name them on a machine with the binary: flamebench convert FILE --binary BINARY --to native, and open the result.',
        ]
      : ['Addresses have no function name: they are in no binary.', null];
    this.#builder.diagnostics.add('unresolved-frames', message, { count: this.#unresolved, remedy });
  }

  #plan(compile: typeof linearRegex): Pruning | null {
    const { dropFrames, keepFrames } = this.#tables;
    try {
      return planPruning(dropFrames, keepFrames, this.#lineStart, (line) => this.#nameOfLine(line), compile);
    } catch (error) {
      if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
      this.#builder.diagnostics.add(
        'drop-frames-ignored',
        `The profile's drop_frames can't be used: ${error.message}.`,
      );
      return null;
    }
  }

  #nameOfLine(line: number): string {
    const row = this.#functionOfLine[line]!;
    if (row < 0) return '';
    const known = this.#names[row];
    if (known !== undefined) return known;
    const name = this.#tables.string(this.#tables.functions[row]!.name);
    return (this.#names[row] = demangle(name) ?? name);
  }

  #make(location: number): readonly FrameIndex[] {
    const { locations, mappings, mappingIds } = this.#tables;
    const mapping = mappingIds.row(locations.mappingLow.get(location) >>> 0, locations.mappingHigh.get(location) >>> 0);
    const module = mapping < 0 ? '' : this.#tables.string(mappings[mapping]!.file);
    const number = locations.address.get(location);
    const address = number === 0n ? null : number;
    const first = this.#lineStart[location]! + (this.pruning?.cutLines[location] ?? 0);
    const last = this.#lineStart[location + 1]! - 1;
    if (last < first) return [this.#builder.frame({ func: this.#unnamed(module, number), address })];
    const frames: FrameIndex[] = [];
    for (let line = last; line >= first; line--) {
      const func = this.#nameOfLine(line) === '' ? this.#unnamed(module, number) : this.#named(line, module);
      frames.push(this.#builder.frame({ func, line: locations.line.get(line), inline: line < last, address }));
    }
    return frames;
  }

  #named(line: number, module: string): ReturnType<ProfileBuilder['function']> {
    const { file, startLine } = this.#tables.functions[this.#functionOfLine[line]!]!;
    const name = this.#nameOfLine(line);
    if (name === UNKNOWN) this.#countUnresolved(module);
    const kind = name === UNKNOWN ? FunctionKind.unresolved : kindOf(module);
    return this.#builder.function({ name, module, file: this.#tables.string(file), line: startLine, kind });
  }

  /** pprof names an address without a function after its binary. */
  #unnamed(module: string, address: bigint): ReturnType<ProfileBuilder['function']> {
    this.#countUnresolved(module);
    return this.#builder.function({ name: nameOfAddress(module, address), module, kind: FunctionKind.unresolved });
  }

  #countUnresolved(module: string): void {
    this.#unresolved += 1;
    this.#isInBinary ||= module !== '';
  }
}

/** The name that profilers, including Flamebench, write if not even the module is known. */
const UNKNOWN = nameOfUnresolved('');

function kindOf(module: string): FunctionKind {
  if (/^\[(guest\.)?kernel\b|\.ko(\.\w+)?$/.test(module)) return FunctionKind.kernel;
  return module === '' ? FunctionKind.unknown : FunctionKind.user;
}

class SampleReader {
  readonly #tables: PprofTables;
  readonly #builder: ProfileBuilder;
  readonly #frames: LocationFrames;
  readonly #valueCount: number;
  readonly #thread: ThreadIndex;
  readonly #reader: WireReader;
  readonly #inner: WireReader;
  /** Locations of the current sample, leaf first. */
  #locations = new Int32Array(256);
  /** Frames of the sample, innermost first. */
  #leafFirst = new Int32Array(256);
  #locationCount = 0;
  #values: number[] = [];
  #labels: Label[] = [];
  readonly #budget: FrameBudget;

  constructor(tables: PprofTables, builder: ProfileBuilder, frames: LocationFrames, valueCount: number) {
    this.#tables = tables;
    this.#builder = builder;
    this.#frames = frames;
    this.#valueCount = valueCount;
    this.#thread = builder.thread(-1, -1, '');
    this.#reader = new WireReader(tables.bytes);
    this.#inner = new WireReader(tables.bytes);
    this.#budget = new FrameBudget(tables.bytes.length, 'write it again with `pprof -proto -noinlines`');
  }

  readAll(): void {
    const { sampleStart, sampleStop } = this.#tables;
    for (let row = 0; row < sampleStart.length; row++) this.#readSample(sampleStart.get(row), sampleStop.get(row));
  }

  #readSample(start: number, stop: number): void {
    this.#locationCount = 0;
    this.#values = [];
    this.#labels = [];
    const reader = this.#reader.enter(start, stop);
    while (reader.next()) {
      if (reader.field === 1) this.#each(reader, (value) => this.#addLocation(value));
      else if (reader.field === 2) this.#each(reader, (value) => this.#addValue(value));
      else if (reader.field === 3 && reader.type === BYTES)
        this.#addLabel(this.#inner.enter(reader.start, reader.stop));
    }
    if (this.#values.length !== this.#valueCount) {
      throw malformedMessage(
        `a sample of ${this.#values.length} values where there are ${this.#valueCount} sample types`,
        start,
      );
    }
    const labelSet = this.#labels.length > 0 ? { labelSet: this.#builder.labelSet(this.#labels) } : {};
    this.#builder.sample({ stack: this.#stack(), thread: this.#thread, ...labelSet }, ...this.#values);
  }

  /** A repeated number may be packed into one byte string. */
  #each(reader: WireReader, add: (value: WireReader) => void): void {
    if (reader.type !== BYTES) return add(reader);
    const packed = this.#inner.enter(reader.start, reader.stop);
    while (packed.nextPacked()) add(packed);
  }

  #addLocation(id: WireReader): void {
    const row = this.#tables.locationIds.row(id.low, id.high);
    if (row < 0) throw malformedMessage('a sample refers to a location that does not exist', id.offset);
    if (this.#locationCount === this.#locations.length) this.#locations = doubled(this.#locations);
    this.#locations[this.#locationCount++] = row;
  }

  #addValue(value: WireReader): void {
    this.#values.push(this.#exactly(value.signed, value, 'inexact-weight', 'Weights'));
  }

  #addLabel(reader: WireReader): void {
    let [number, key, text, unit]: [number, NumberField?, NumberField?, NumberField?] = [0];
    while (reader.next()) {
      if (reader.field === 3) number = this.#exactly(reader.signed, reader, 'inexact-label', 'Number labels');
      else if (reader.field === 1) key = numberField(reader);
      else if (reader.field === 2) text = numberField(reader);
      else if (reader.field === 4) unit = numberField(reader);
    }
    const tables = this.#tables;
    if (isSet(text)) this.#labels.push({ key: tables.string(key), text: tables.string(text) });
    else if (number !== 0 || isSet(unit)) {
      this.#labels.push({ key: tables.string(key), number, unit: tables.string(unit) });
    }
  }

  #exactly(rounded: number, value: WireReader, code: string, what: string): number {
    if (!Number.isSafeInteger(rounded) && BigInt(rounded) !== value.signedExact) {
      this.#builder.diagnostics.add(code, `${what} beyond 2^53 are rounded to 53 significant bits.`, {
        first: { byte: value.offset },
      });
    }
    return rounded;
  }

  #stack(): StackIndex {
    const { pruning } = this.#frames;
    const pruned = pruning === null ? 0 : countPruned(pruning, this.#locations, this.#locationCount);
    const left = this.#locations.subarray(pruned, this.#locationCount);
    if (pruned > 0 || (pruning !== null && left.some((location) => pruning.cutLines[location]! > 0))) {
      this.#builder.diagnostics.add(
        'pruned-frames',
        "Samples lost their innermost frames, as the profile's drop_frames requires.",
        { severity: 'info' },
      );
    }
    let depth = 0;
    for (let index = pruned; index < this.#locationCount; index++) {
      // Within a location, callers of inlined functions come first.
      const frames = this.#frames.of(this.#locations[index]!);
      this.#budget.take(frames.length);
      for (let inner = frames.length - 1; inner >= 0; inner--) {
        if (depth === this.#leafFirst.length) this.#leafFirst = doubled(this.#leafFirst);
        this.#leafFirst[depth++] = frames[inner]!;
      }
    }
    return this.#builder.stackOf(this.#leafFirst, depth);
  }
}

function isSet(reference: NumberField | undefined): boolean {
  return reference !== undefined && (reference.low !== 0 || reference.high !== 0);
}
