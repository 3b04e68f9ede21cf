import { functionStats } from '../analyze/tables/function-stats.ts';
import { buildStackView } from '../analyze/view/build-stack-view.ts';
import type { Selection } from '../analyze/view/stack-view.ts';
import type { ThreadIndex, ValueTypeIndex } from '../model/brand.ts';
import type { Profile } from '../model/profile.ts';
import { convertUnit, findUnit } from '../units/units.ts';

/** A number that is not the same after a profile was written and read again. */
export interface RoundTripDifference {
  readonly type: string;
  readonly unit: string;
  readonly measure: 'self' | 'total';
  /** Null for the sum of all samples. */
  readonly name: string | null;
  readonly module: string;
  /** In the unit of the written profile; 0 if absent. */
  readonly written: number;
  readonly read: number;
}

/** What a format makes of functions and threads. */
export interface StoredNames {
  /** Functions of one name in two modules stay apart. */
  readonly keepsModules: boolean;
  /**
   * Thread names, with `_` for spaces, are root frames, in which samples without a stack end; those of threads without
   * a name end in a function named `unnamed`.
   */
  readonly threadsAsRoots?: { readonly unnamed: string };
  /** Returns the part of a name that the format keeps; absent if it writes all names as they are. */
  readonly nameOf?: (name: string) => string;
}

export interface RoundTrip {
  /** Number of value types and of functions that were compared. */
  readonly valueTypes: number;
  readonly functions: number;
  readonly differences: readonly RoundTripDifference[];
}

/** Sums of fractions, and sums in another unit, agree to this part of them; integers in one unit agree exactly. */
const ROUNDING = 1e-9;

/**
 * Compares self and total of each function, in each value type that the format stores, between a profile and what was
 * read from the file written of it. Functions are told apart by name and, if the format stores them, by module.
 */
export function compareRoundTrip(
  written: Profile,
  read: Profile,
  { oneValueType, stores }: { readonly oneValueType: boolean; readonly stores: StoredNames },
  chosen: ValueTypeIndex,
): RoundTrip {
  const types = oneValueType ? [chosen] : written.valueTypes.map((_, index) => index as ValueTypeIndex);
  const differences: RoundTripDifference[] = [];
  const seen = new Set<string>();
  for (const [place, index] of types.entries()) {
    const { type, unit } = written.valueTypes[index]!;
    const other = oneValueType ? read.metadata.defaultValueType : (place as ValueTypeIndex);
    const before = totalsOf(written, index, stores, 'written');
    const after = read.valueTypes[other] === undefined ? NO_TOTALS : totalsOf(read, other, stores, 'read');
    const from = read.valueTypes[other]?.unit ?? unit;
    const inUnit = scaleTo(unit, from);
    for (const key of new Set([...before.keys(), ...after.keys()])) {
      if (key !== ALL) seen.add(key);
      const [one, two] = [before.get(key) ?? NOTHING, after.get(key) ?? NOTHING];
      for (const measure of ['total', 'self'] as const) {
        const [was, is] = [one[measure], inUnit(two[measure])];
        if (!isSame(was, is, from === unit))
          differences.push({ type, unit, measure, ...nameOf(key), written: was, read: is });
      }
    }
  }
  return { valueTypes: types.length, functions: seen.size, differences };
}

interface Totals {
  self: number;
  total: number;
}

const NOTHING: Readonly<Totals> = { self: 0, total: 0 };
const NO_TOTALS: ReadonlyMap<string, Totals> = new Map();
/** Between name and module in a key; neither a name nor a module has it first. */
const SEPARATOR = '\n\0';
/** Key of all samples. */
const ALL = '';

function nameOf(key: string): { readonly name: string | null; readonly module: string } {
  if (key === ALL) return { name: null, module: '' };
  const end = key.lastIndexOf(SEPARATOR);
  return { name: key.slice(0, end), module: key.slice(end + SEPARATOR.length) };
}

function isSame(was: number, is: number, inOneUnit: boolean): boolean {
  if (inOneUnit && Number.isInteger(was) && Number.isInteger(is)) return was === is;
  return was === is || Math.abs(was - is) <= ROUNDING * Math.max(Math.abs(was), Math.abs(is));
}

/** Returns the conversion of the read numbers; units of other dimensions are names for the same numbers. */
function scaleTo(unit: string, from: string): (value: number) => number {
  const [to, of] = [findUnit(unit), findUnit(from)];
  if (unit === from || to === null || of === null || to.dimension !== of.dimension) return (value) => value;
  return (value) => convertUnit(value, from, unit);
}

/** Returns self and total by key, of functions that have weight. */
function totalsOf(
  profile: Profile,
  valueType: ValueTypeIndex,
  { nameOf: shown = (name) => name, keepsModules, threadsAsRoots }: StoredNames,
  side: 'written' | 'read',
): Map<string, Totals> {
  const { strings, functions, frames, threads } = profile;
  const rows = new Map<string, number>();
  const rowOf = (key: string): number => {
    const known = rows.get(key);
    if (known !== undefined) return known;
    rows.set(key, rows.size);
    return rows.size - 1;
  };
  const rowOfFunction = Int32Array.from(functions.name, (name, func) =>
    rowOf(`${shown(strings[name]!)}${SEPARATOR}${keepsModules ? strings[functions.module[func]!]! : ''}`),
  );
  const none = new Int32Array(rows.size);
  const merged: Profile = {
    ...profile,
    functions: { length: rows.size, name: none, module: none, file: none, line: none, kind: new Uint8Array(rows.size) },
    frames: { ...frames, func: frames.func.map((func) => rowOfFunction[func]!) },
  };
  const keys = [...rows.keys()];
  const read = (chosen: Selection['threads']): Map<string, Totals> => {
    const view = buildStackView(merged, { valueType, threads: chosen, timeRange: null });
    const stats = functionStats(view);
    const sums = new Map<string, Totals>();
    stats.func.forEach((func, row) => {
      if (stats.self[row] === 0 && stats.total[row] === 0) return;
      sums.set(keys[func]!, { self: stats.self[row]!, total: stats.total[row]! });
    });
    sums.set(ALL, { self: view.withoutStack, total: view.total });
    return sums;
  };
  const sums = read(null);
  if (side === 'read') return sums;
  if (threadsAsRoots === undefined) return sums;
  const byName = Map.groupBy([...threads.name.keys()], (thread) =>
    shown(strings[threads.name[thread]!]!).replaceAll(' ', '_'),
  );
  for (const [name, rowsOfThreads] of byName) {
    if (name !== '') addRoot(sums, `${name}${SEPARATOR}`, read(rowsOfThreads.map((thread) => thread as ThreadIndex)));
  }
  moveStackless(sums, `${threadsAsRoots.unnamed}${SEPARATOR}`, sums.get(ALL)!.self);
  return sums;
}

/** Counts the name of threads as the root of all their samples: once for each, also if a function has the same name. */
function addRoot(sums: Map<string, Totals>, key: string, own: ReadonlyMap<string, Totals>): void {
  const { self: stackless, total: whole } = own.get(ALL)!;
  const { self = 0, total = 0 } = sums.get(key) ?? {};
  const inOthers = total - (own.get(key)?.total ?? 0);
  sums.set(key, { self, total: inOthers + whole - stackless });
  moveStackless(sums, key, stackless);
}

/** Counts weight without a stack as that of a function. */
function moveStackless(sums: Map<string, Totals>, key: string, weight: number): void {
  if (weight === 0) return;
  const { self = 0, total = 0 } = sums.get(key) ?? {};
  const all = sums.get(ALL)!;
  sums.set(key, { self: self + weight, total: total + weight });
  sums.set(ALL, { self: all.self - weight, total: all.total });
}
