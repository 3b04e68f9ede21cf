import type { FunctionTable } from '../model/profile.ts';

/** Functions and the strings that they point to: a profile's, or a view's. */
export interface NamedFunctions {
  readonly strings: readonly string[];
  readonly functions: FunctionTable;
}

/** A function as it can be found again in another profile. */
export interface FunctionRef {
  readonly name: string;
  /** Empty where unknown, as `file`. */
  readonly module: string;
  readonly file: string;
  /** 0 where unknown. */
  readonly line: number;
}

export function functionRef({ strings, functions }: NamedFunctions, func: number): FunctionRef {
  return {
    name: strings[functions.name[func]!]!,
    module: strings[functions.module[func]!]!,
    file: strings[functions.file[func]!]!,
    line: functions.line[func]!,
  };
}

/**
 * The functions that each reference means, ascending: those of its name and module. Where several share these, the ones in the same file,
 * and of these the ones on the same line, if there are any: another build may have moved them. `live`: 1 for functions that count.
 */
export function findFunctions(
  table: NamedFunctions,
  live: Uint8Array,
  refs: readonly FunctionRef[],
): readonly Int32Array[] {
  const searches = new Map<string, Search[]>();
  const wanted = refs.map((ref) => addSearch(searches, ref));
  const { strings, functions } = table;
  for (let func = 0; func < functions.length; func++) {
    if (live[func] === 0) continue;
    for (const search of searches.get(strings[functions.name[func]!]!) ?? []) {
      if (strings[functions.module[func]!] === search.ref.module) offer(search, table, func);
    }
  }
  const found = new Map([...searches.values()].flat().map((search) => [search, Int32Array.from(search.functions)]));
  return wanted.map((search) => found.get(search)!);
}

interface Search {
  readonly ref: FunctionRef;
  likeness: number;
  functions: number[];
}

/** Paths repeat functions: equal references are one search. */
function addSearch(searches: Map<string, Search[]>, ref: FunctionRef): Search {
  const ofName = searches.get(ref.name) ?? [];
  searches.set(ref.name, ofName);
  const same = ofName.find((one) => isSame(one.ref, ref));
  if (same !== undefined) return same;
  const search = { ref, likeness: 0, functions: [] };
  ofName.push(search);
  return search;
}

const isSame = (a: FunctionRef, b: FunctionRef): boolean =>
  a.module === b.module && a.file === b.file && a.line === b.line;

function offer(search: Search, { strings, functions }: NamedFunctions, func: number): void {
  const { ref } = search;
  const sameFile = ref.file !== '' && strings[functions.file[func]!] === ref.file;
  const likeness = sameFile ? (functions.line[func] === ref.line ? 2 : 1) : 0;
  if (likeness < search.likeness) return;
  if (likeness > search.likeness) search.functions = [];
  search.likeness = likeness;
  search.functions.push(func);
}
