import { lastAtMost } from '../../model/last-at-most.ts';
import type { FunctionKey } from '../../model/profile-builder.ts';
import { ImportFailure, malformed } from '../../model/failure.ts';
import { FunctionKind } from '../../model/profile.ts';
import { parseJson } from '../text/json-session.ts';
import { arrayOrNone, isObject, numberOr, objectAt, textOr, type JsonObject } from '../text/json-value.ts';

/** One thread of a Gecko profile, from any of its layouts. Columns of a table have the same length. */
export interface GeckoThread {
  readonly name: string;
  /** Numbers or text; −1 if unknown or text. */
  readonly pid: number;
  readonly tid: number;
  readonly frames: readonly GeckoFrame[];
  readonly stackPrefix: readonly unknown[];
  readonly stackFrame: readonly unknown[];
  readonly sampleStack: readonly unknown[];
  /** Milliseconds since the profile's start. */
  readonly sampleTime: readonly number[];
  /** Null: 1 each. */
  readonly sampleWeight: readonly unknown[] | null;
  /** `samples`, `tracing-ms` or `bytes`. */
  readonly weightType: string;
  /** In the profile's unit; null if the thread has none. */
  readonly sampleCpu: readonly unknown[] | null;
  /** Number of allocation samples, which are not read. */
  readonly otherSamples: number;
}

export interface GeckoFrame {
  readonly func: FunctionKey;
  /** −1 if unknown. */
  readonly address: number;
  readonly line: number;
  readonly inline: boolean;
}

const idOf = (value: unknown): number =>
  typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : numberOr(value, -1);

/** A name that is only an address has no symbol. */
export const isAddress = (name: string): boolean => /^0x[0-9a-f]+$/i.test(name);

/** Returns the times of samples, which newer files store as differences; NaN if a sample has none. */
export function sampleTimes(samples: JsonObject, length: number): number[] {
  const deltas = arrayOrNone(samples['timeDeltas'], 'samples.timeDeltas');
  const times = arrayOrNone(samples['time'], 'samples.time');
  let time = 0;
  return Array.from({ length }, (_, row) => {
    if (times.length === 0 && deltas.length > 0) return (time += numberOr(deltas[row], 0));
    return numberOr(times[row], Number.NaN);
  });
}

/** Returns a column of a table in the raw layout, in which `schema` names the places in each row of `data`. */
function rawColumn(table: JsonObject, name: string, where: string): unknown[] | null {
  const place = objectAt(table['schema'], `${where}.schema`)[name];
  if (typeof place !== 'number') return null;
  return arrayOrNone(table['data'], `${where}.data`).map((row) =>
    Array.isArray(row) ? (row as unknown[])[place] : null,
  );
}

interface Library {
  readonly name: string;
  /** Addresses in the process, `end` exclusive; NaN in processed profiles. */
  readonly start: number;
  readonly end: number;
  /** Offset of `start` in the library. */
  readonly offset: number;
}

/** Returns the value of JSON that a text within the file holds; `where` names the text. */
export function parseWithin(text: string, where: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof ImportFailure) || error.failure !== 'malformed') throw error;
    throw malformed(`${where}: ${error.message}, at byte ${error.location?.byte ?? 0} of it`);
  }
}

/**
 * Returns the libraries of the thread's process in the order of the file. Older files list them by thread, and raw ones
 * before version 4 as a text, with paths as names.
 */
export function librariesOf(thread: JsonObject, profile: JsonObject): Library[] {
  const libs = thread['libs'] ?? profile['libs'];
  const list = typeof libs === 'string' ? parseWithin(libs, 'libs') : libs;
  return arrayOrNone(list, 'libs').map((value, row) => {
    const library = objectAt(value, `libs[${row}]`);
    return {
      name: textOr(library['name'], '').replace(/^.*[/\\]/s, ''),
      start: numberOr(library['start'], Number.NaN),
      end: numberOr(library['end'], Number.NaN),
      offset: numberOr(library['offset'], 0),
    };
  });
}

/** Reads a thread as Gecko itself writes it, with each frame's data in one text, its location. */
export function rawThread(thread: JsonObject, process: JsonObject, where: string): GeckoThread {
  const strings = arrayOrNone(thread['stringTable'], `${where}.stringTable`);
  const table = (name: string): JsonObject => objectAt(thread[name], `${where}.${name}`);
  const [frames, stacks, samples] = [table('frameTable'), table('stackTable'), table('samples')];
  const lines = rawColumn(frames, 'line', `${where}.frameTable`);
  const locations = rawColumn(frames, 'location', `${where}.frameTable`) ?? [];
  const sampleStack = rawColumn(samples, 'stack', `${where}.samples`) ?? [];
  const libraries = librariesOf(thread, process)
    .filter(({ start }) => start >= 0)
    .sort((a, b) => a.start - b.start);
  const cpu = rawColumn(samples, 'threadCPUDelta', `${where}.samples`);
  return {
    ...identity(thread),
    frames: locations.map((location, row) =>
      rawFrame(textOr(strings[numberOr(location, -1)], ''), lines?.[row], libraries),
    ),
    stackPrefix: rawColumn(stacks, 'prefix', `${where}.stackTable`) ?? [],
    stackFrame: rawColumn(stacks, 'frame', `${where}.stackTable`) ?? [],
    sampleStack,
    sampleTime: (rawColumn(samples, 'time', `${where}.samples`) ?? []).map((time) => numberOr(time, Number.NaN)),
    sampleWeight: null,
    weightType: 'samples',
    sampleCpu: cpu,
    otherSamples: 0,
  };
}

/** `libraries` are sorted by address. */
function rawFrame(location: string, line: unknown, libraries: readonly Library[]): GeckoFrame {
  const inProcess = isAddress(location) ? Number(location) : -1;
  const below = libraries[lastAtMost(inProcess, libraries.length, (row) => libraries[row]!.start)];
  const library = below !== undefined && below.start <= inProcess && inProcess < below.end ? below : null;
  const address = library === null ? inProcess : inProcess - library.start + library.offset;
  const func: FunctionKey = scriptAt(location) ?? {
    name: location || '(unnamed)',
    module: library?.name ?? '',
    kind: address >= 0 ? FunctionKind.unresolved : kindOfLabel(location),
  };
  return { func, address, line: numberOr(line, 0), inline: false };
}

/** Parses the function of a script: `function (file:line:column)`, since Gecko's version 33 with `[source]` after it. */
export function scriptAt(location: string): FunctionKey | null {
  const script = /^(.*?) \((.*?):(\d+)(?::(\d+))?\)(?:\[\d+\])?$/s.exec(location);
  if (script === null) return null;
  const [, name, file = '', line, column] = script;
  return {
    name: name || '(anonymous)',
    file,
    line: Number(line),
    column: Number(column ?? 0),
    kind: FunctionKind.jit,
  };
}

export const kindOfLabel = (name: string): FunctionKind =>
  name === '(root)' ? FunctionKind.synthetic : FunctionKind.user;

export function identity(thread: JsonObject): Pick<GeckoThread, 'name' | 'pid' | 'tid'> {
  return { name: textOr(thread['name'], ''), pid: idOf(thread['pid']), tid: idOf(thread['tid']) };
}

/** Returns whether the thread has the layout of Gecko itself, rather than that of the Firefox Profiler. */
export const isRaw = (thread: JsonObject): boolean =>
  isObject(thread['stackTable']) && isObject(thread['stackTable']['schema']);
