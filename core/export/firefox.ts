import type { ValueTypeIndex } from '../model/brand.ts';
import { FunctionKind, NO_ADDRESS, type Profile } from '../model/profile.ts';
import { sampleWeights } from '../model/weights.ts';
import { JsonText } from './json-text.ts';
import { lossesOf, type ExportedFact } from './losses.ts';
import { samplesByThread } from './samples-by-thread.ts';

/**
 * Versions of the written layout: older ones that every Firefox Profiler upgrades and that hold all the data
 * (docs-developer/CHANGELOG-formats.md there).
 */
const GECKO_VERSION = 24;
const PROCESSED_VERSION = 41;

const CATEGORIES = [
  { name: 'Other', color: 'grey', subcategories: ['Other'] },
  { name: 'User', color: 'yellow', subcategories: ['Other'] },
  { name: 'Kernel', color: 'orange', subcategories: ['Other'] },
  { name: 'JIT', color: 'green', subcategories: ['Other'] },
];

const WEIGHT_TYPES = new Map([
  ['count', 'samples'],
  ['samples', 'samples'],
  ['milliseconds', 'tracing-ms'],
  ['bytes', 'bytes'],
]);
const MILLISECONDS = new Map([
  ['nanoseconds', 1e-6],
  ['microseconds', 1e-3],
  ['milliseconds', 1],
  ['seconds', 1e3],
]);

/**
 * Writes one value type of the profile for the Firefox Profiler: its threads, each with tables of its own, as that
 * format requires.
 */
export function writeFirefox(profile: Profile, valueType: ValueTypeIndex, write: (chunk: Uint8Array) => void): void {
  const out = new JsonText(write);
  const { metadata, threads } = profile;
  const weights = sampleWeights(profile, valueType);
  out.put('{"meta":');
  out.put(
    JSON.stringify({
      interval: metadata.rateHz === null ? 1 : 1000 / metadata.rateHz,
      startTime: Number(metadata.startTime ?? 0n) / 1e6,
      processType: 0,
      product: metadata.fileName ?? 'Flamebench',
      stackwalk: 1,
      version: GECKO_VERSION,
      preprocessedProfileVersion: PROCESSED_VERSION,
      symbolicated: true,
      categories: CATEGORIES,
      markerSchema: [],
      sampleUnits: { time: 'ms', eventDelay: 'ms', threadCPUDelta: 'µs' },
    }),
  );
  out.put(',\n"libs":[],"pages":[],"counters":[],"profilerOverhead":[],\n"threads":[');
  let separator = '\n';
  const byThread = samplesByThread(profile, () => true);
  for (let thread = 0; thread < threads.length; thread++) {
    const rows = byThread.get(thread);
    if (rows === undefined) continue;
    out.put(separator);
    separator = ',\n';
    new ThreadText(profile, out).write(thread, rows, valueType, weights);
  }
  out.put(']}\n');
  out.flush();
}

const CARRIED: readonly ExportedFact[] = [
  'times',
  'threadIds',
  'modules',
  'files',
  'functionLines',
  'frameLines',
  'addresses',
  'inlining',
];

/** Returns the facts of this profile that the format can't store. */
export function firefoxLosses(profile: Profile, valueType: ValueTypeIndex): string[] {
  const losses = lossesOf(profile, CARRIED);
  if (profile.samples.time === null) losses.push('that samples have no timestamps (they follow one another)');
  if (profile.frames.address?.some(isBeyondJson) === true) losses.push('addresses beyond 2^53');
  const { unit } = profile.valueTypes[valueType]!;
  if (!WEIGHT_TYPES.has(unit) && !MILLISECONDS.has(unit)) losses.push(`the unit ${unit}, shown as samples`);
  return losses;
}

/** Renumbers rows of a shared table to the used ones. */
class UsedRows {
  readonly used: number[] = [];
  readonly #places = new Map<number, number>();

  place(row: number): number {
    const known = this.#places.get(row);
    if (known !== undefined) return known;
    this.#places.set(row, this.used.length);
    return this.used.push(row) - 1;
  }
}

class ThreadText {
  readonly #profile: Profile;
  readonly #out: JsonText;
  readonly #strings = new Map<string, number>();
  readonly #functions = new UsedRows();
  readonly #frames = new UsedRows();
  readonly #stacks = new UsedRows();
  readonly #modules = new UsedRows();

  constructor(profile: Profile, out: JsonText) {
    this.#profile = profile;
    this.#out = out;
  }

  write(thread: number, rows: readonly number[], valueType: ValueTypeIndex, weights: Float64Array): void {
    const { threads, strings, samples, stacks, frames, functions } = this.#profile;
    const sampleStacks = rows.map((row) => (samples.stack[row]! < 0 ? null : this.#stack(samples.stack[row]!)));
    const name = strings[threads.name[thread]!]!;
    const isMain = threads.tid[thread] === threads.pid[thread];
    this.#out.put(
      `{"name":${JSON.stringify(name || 'thread')},"processName":${JSON.stringify(name)},"processType":"default"`,
    );
    this.#out.put(`,"isMainThread":${isMain},"pid":"${threads.pid[thread]}","tid":${threads.tid[thread]}`);
    this.#out.put(
      ',"processStartupTime":0,"processShutdownTime":null,"registerTime":0,"unregisterTime":null,"pausedRanges":[]',
    );
    this.#samples(rows, sampleStacks, valueType, weights);
    const callers = this.#stacks.used.map((row) => stacks.parent[row]!);
    this.#table('stackTable', this.#stacks.used.length, {
      prefix: callers.map((caller) => (caller < 0 ? null : this.#stacks.place(caller))),
      frame: this.#stacks.used.map((row) => this.#frames.place(stacks.frame[row]!)),
      category: this.#stacks.used.map((row) => this.#category(stacks.frame[row]!)),
      subcategory: this.#stacks.used.map(() => 0),
    });
    const used = this.#frames.used;
    const none = used.map(() => null);
    this.#table('frameTable', used.length, {
      address: used.map((frame) => addressOf(this.#profile, frame)),
      inlineDepth: used.map((frame) => frames.inline[frame]!),
      category: used.map((frame) => this.#category(frame)),
      subcategory: used.map(() => 0),
      func: used.map((frame) => this.#functions.place(frames.func[frame]!)),
      nativeSymbol: none,
      innerWindowID: none,
      implementation: none,
      line: used.map((frame) => frames.line?.[frame] || null),
      column: none,
      optimizations: none,
    });
    this.#functionTable(functions);
    this.#table('nativeSymbols', 0, { libIndex: [], address: [], name: [], functionSize: [] });
    this.#table('markers', 0, { data: [], name: [], startTime: [], endTime: [], phase: [], category: [] });
    this.#out.put(',\n"stringArray":');
    this.#out.array([...this.#strings.keys()], (text) => JSON.stringify(text));
    this.#out.put('}');
  }

  #functionTable({ name, module, file, line, kind }: Profile['functions']): void {
    const { strings } = this.#profile;
    const used = this.#functions.used;
    const resources = used.map((func) => (module[func] === 0 ? -1 : this.#modules.place(module[func]!)));
    this.#table('funcTable', used.length, {
      name: used.map((func) => this.#text(strings[name[func]!]!)),
      isJS: used.map((func) => kind[func] === FunctionKind.jit || kind[func] === FunctionKind.interpreted),
      relevantForJS: used.map(() => false),
      resource: resources,
      fileName: used.map((func) => (file[func] === 0 ? null : this.#text(strings[file[func]!]!))),
      lineNumber: used.map((func) => line[func] || null),
      columnNumber: used.map(() => null),
    });
    const names = this.#modules.used.map((row) => this.#text(strings[row]!));
    this.#table('resourceTable', names.length, {
      lib: names.map(() => null),
      name: names,
      host: names.map(() => null),
      // 1 is a library.
      type: names.map(() => 1),
    });
  }

  #samples(
    rows: readonly number[],
    stacks: readonly (number | null)[],
    valueType: ValueTypeIndex,
    weights: Float64Array,
  ): void {
    const { samples, valueTypes } = this.#profile;
    const { unit } = valueTypes[valueType]!;
    const factor = MILLISECONDS.get(unit) ?? 1;
    const weightType = MILLISECONDS.has(unit) ? 'tracing-ms' : (WEIGHT_TYPES.get(unit) ?? 'samples');
    this.#out.put(`,\n"samples":{"length":${rows.length},"weightType":"${weightType}"`);
    this.#column('stack', stacks);
    this.#column(
      'time',
      rows.map((row, place) => (samples.time === null ? place : (samples.time[row]! || 0) / 1e6)),
    );
    this.#column(
      'weight',
      rows.map((row) => weights[row]! * factor),
    );
    this.#out.put('}');
  }

  /** Adds callers first. */
  #stack(leaf: number): number {
    const { stacks } = this.#profile;
    const path: number[] = [];
    for (let row = leaf; row >= 0; row = stacks.parent[row]!) path.push(row);
    let place = 0;
    for (const row of path.reverse()) place = this.#stacks.place(row);
    return place;
  }

  #category(frame: number): number {
    const kind = this.#profile.functions.kind[this.#profile.frames.func[frame]!];
    if (kind === FunctionKind.kernel) return 2;
    if (kind === FunctionKind.jit || kind === FunctionKind.interpreted) return 3;
    return kind === FunctionKind.user ? 1 : 0;
  }

  #text(text: string): number {
    const known = this.#strings.get(text);
    if (known !== undefined) return known;
    this.#strings.set(text, this.#strings.size);
    return this.#strings.size - 1;
  }

  #table(name: string, length: number, columns: Readonly<Record<string, readonly (number | boolean | null)[]>>): void {
    this.#out.put(`,\n"${name}":{"length":${length}`);
    for (const [column, values] of Object.entries(columns)) this.#column(column, values);
    this.#out.put('}');
  }

  #column(name: string, values: readonly (number | boolean | null)[]): void {
    this.#out.put(`,"${name}":`);
    this.#out.array(values, String);
  }
}

/** Addresses beyond 2^53 are the kernel's, which numbers in JSON can't represent. */
function addressOf({ frames }: Profile, frame: number): number {
  const address = frames.address?.[frame] ?? NO_ADDRESS;
  return address === NO_ADDRESS || isBeyondJson(address) ? -1 : Number(address);
}

const isBeyondJson = (address: bigint): boolean => address !== NO_ADDRESS && address > BigInt(Number.MAX_SAFE_INTEGER);
