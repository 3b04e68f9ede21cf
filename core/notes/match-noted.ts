import type { NamedFunctions } from '../analyze/function-ref.ts';
import type { NotedFunction } from '../contract/notes.ts';
import { applyRule, MATCH_RULES } from '../compare/match/match-rules.ts';
import { programName } from '../compare/match/recorded-program.ts';

/** Finds functions of a profile or a comparison by the names in a note. */
export interface NotedFunctions {
  /** Returns the indices of the matching functions, in ascending order; empty if there are none. */
  readonly find: (noted: NotedFunction) => readonly number[];
}

/**
 * Matches like Compare: by name and module; otherwise by both after the built-in rules (addresses, versions, closure
 * numbers, compilers' copies); otherwise in another version of the program of that name; otherwise, if either side's
 * module is unknown, by a name that exactly one module has. `live` is 1 for functions that count; null: all.
 */
export function notedFunctions(table: NamedFunctions, live: Uint8Array | null): NotedFunctions {
  const found = new Map<string, readonly number[]>();
  const exact = indexBy(table, live, (name, module) => keyOf(name, module));
  // Applying the rules takes a pass over all names, so it is delayed until a function is not found directly.
  let ruled: RuledNames | null = null;
  return {
    find: (noted) => {
      const key = keyOf(noted.name, noted.module);
      const known = found.get(key);
      if (known !== undefined) return known;
      const own = exact.get(key) ?? (ruled ??= ruledNames(table, live)).find(noted);
      found.set(key, own);
      return own;
    },
  };
}

interface RuledNames {
  readonly find: (noted: NotedFunction) => readonly number[];
}

function ruledNames(table: NamedFunctions, live: Uint8Array | null): RuledNames {
  const modules = new Map<string, string>();
  const moduleOf = (module: string): string => {
    const known = modules.get(module);
    if (known !== undefined) return known;
    const ruled = MATCH_RULES.reduce((text, rule) => applyRule(rule.module, text), module);
    modules.set(module, ruled);
    return ruled;
  };
  const nameOf = (name: string): string => MATCH_RULES.reduce((text, rule) => applyRule(rule.name, text), name);
  const byKey = indexBy(table, live, (name, module) => keyOf(nameOf(name), moduleOf(module)));
  const byProgram = indexBy(table, live, (name, module) => keyOf(nameOf(name), programName(moduleOf(module))));
  const byName = indexBy(table, live, (name) => nameOf(name));
  const { strings, functions } = table;
  const modulesOf = (found: readonly number[]): Set<string> =>
    new Set(found.map((func) => moduleOf(strings[functions.module[func]!]!)).filter((module) => module !== ''));
  return {
    find: ({ name, module }) => {
      const [ownName, ownModule] = [nameOf(name), moduleOf(module)];
      const same = byKey.get(keyOf(ownName, ownModule)) ?? byProgram.get(keyOf(ownName, programName(ownModule)));
      if (same !== undefined) return same;
      const named = byName.get(ownName) ?? [];
      if (module === '') return modulesOf(named).size <= 1 ? named : [];
      return named.filter((func) => functions.module[func] === 0 || strings[functions.module[func]!] === '');
    },
  };
}

/** No profile has this character in either part; if one had, two functions would share their notes. */
const keyOf = (name: string, module: string): string => `${module}\u0000${name}`;

function indexBy(
  { strings, functions }: NamedFunctions,
  live: Uint8Array | null,
  key: (name: string, module: string) => string,
): Map<string, number[]> {
  const shown = [...functions.name.keys()].filter((func) => live === null || live[func] === 1);
  return Map.groupBy(shown, (func) => key(strings[functions.name[func]!]!, strings[functions.module[func]!]!));
}
