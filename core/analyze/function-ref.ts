import type { FunctionFacts } from '../model/function-facts.ts';
import type { Profile } from '../model/profile.ts';

/** The functions of a profile or a view, with the strings that they refer to. */
export type NamedFunctions = Pick<Profile, 'strings' | 'functions'>;

/** Identifies a function across profiles. */
export type FunctionRef = Pick<FunctionFacts, 'name' | 'module' | 'file' | 'line'>;

export function functionRef({ strings, functions }: NamedFunctions, func: number): FunctionRef {
  return {
    name: strings[functions.name[func]!]!,
    module: strings[functions.module[func]!]!,
    file: strings[functions.file[func]!]!,
    line: functions.line[func]!,
  };
}

/**
 * Returns the functions that each reference matches, in ascending order. Name and module must match. If several
 * functions share them, the ones in the same file are preferred, then the ones on the same line; if none match, all are
 * kept, because another build may have moved them. `live` is 1 for the functions to consider.
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

/** Reuses the search of an equal reference, because paths repeat functions. */
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
