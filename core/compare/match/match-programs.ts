import { FunctionKind } from '../../model/profile.ts';
import { fileName, programName, type CapturePrograms } from './recorded-program.ts';
import type { Side } from '../../contract/side.ts';

/** Id of the rule that merges two builds of one program into one module. */
export const EXECUTABLE = 'executable';

/**
 * Represents `sameProgram` of the rules: the programs were matched as builds of one, however little they have in
 * common.
 */
export const SAME_PROGRAM = 'same-program';

/** Two builds of one program, or two programs that differ too much to be treated as such. */
export interface ProgramPair {
  /** File names. */
  readonly before: string;
  readonly after: string;
  /** Share of the smaller program's function names that the other one has, too: 0 to 1. */
  readonly common: number;
  readonly isMerged: boolean;
}

/** A function during matching and the sides on which it was seen. `name` and `module` change. */
export interface ProgramFunction {
  readonly kind: FunctionKind;
  readonly inBefore: boolean;
  readonly inAfter: boolean;
  /** As in the captures. */
  readonly ownModule: string;
  readonly name: string;
  readonly module: string;
  rename(name: string, module: string): void;
}

/** Two programs with less in common are not treated as builds of one. */
const LEAST_COMMON = 0.2;

/** Functions that every program of a language has, so they do not identify a program. */
const ENTRY_NAMES: ReadonlySet<string> = new Set(
  '_start _init _fini main main.main __libc_start_main __libc_csu_init __do_global_dtors_aux frame_dummy'.split(' '),
);

/**
 * Merges the recorded programs into one module if each side has one; then merges programs with the same name except for
 * the version, if each side has one of that name. `isAsked` ignores how few functions they have in common.
 */
export function matchPrograms(
  functions: readonly ProgramFunction[],
  programs: Readonly<Record<Side, readonly CapturePrograms[]>>,
  isAsked: boolean,
): ProgramPair[] {
  const matching = new ProgramMatching(functions, isAsked);
  const recorded = { before: recordedOf(programs.before), after: recordedOf(programs.after) };
  if (recorded.before !== null && recorded.after !== null) matching.match(recorded.before, recorded.after);
  const executables = { before: executablesOf(programs.before), after: executablesOf(programs.after) };
  for (const [name, before] of executables.before) {
    const after = executables.after.get(name);
    if (after !== undefined) matching.match(before, after, { isOneEach: true });
  }
  return matching.pairs;
}

/** Returns the modules of the one program that all captures of a side recorded; null if there are several. */
function recordedOf(captures: readonly CapturePrograms[]): string[] | null {
  if (captures.some(({ recorded }) => recorded.length === 0)) return null;
  const modules = [...new Set(captures.flatMap(({ recorded }) => recorded))];
  return new Set(modules.map(programName)).size === 1 ? modules : null;
}

/** Groups modules by name without version. */
const executablesOf = (captures: readonly CapturePrograms[]): Map<string, string[]> =>
  Map.groupBy(new Set(captures.flatMap(({ executables }) => executables)), programName);

class ProgramMatching {
  readonly pairs: ProgramPair[] = [];
  readonly #functions: readonly ProgramFunction[];
  readonly #isAsked: boolean;
  /** Maps the captures' modules to the module by which they are matched. */
  readonly #moduleOf: ReadonlyMap<string, string>;
  readonly #inBefore: ReadonlySet<string>;
  readonly #inAfter: ReadonlySet<string>;
  /** Modules already examined. */
  readonly #done = new Set<string>();

  constructor(functions: readonly ProgramFunction[], isAsked: boolean) {
    this.#functions = functions;
    this.#isAsked = isAsked;
    this.#moduleOf = new Map(functions.map(({ ownModule, module }) => [ownModule, module]));
    this.#inBefore = new Set(functions.flatMap(({ inBefore, module }) => (inBefore ? [module] : [])));
    this.#inAfter = new Set(functions.flatMap(({ inAfter, module }) => (inAfter ? [module] : [])));
  }

  /** Matches modules, as named in the captures. Modules that the other side also has match already. */
  match(before: readonly string[], after: readonly string[], { isOneEach = false } = {}): void {
    const own = {
      before: this.#unmatched(before, this.#inAfter),
      after: this.#unmatched(after, this.#inBefore),
    };
    if (own.before.size === 0 || own.after.size === 0) return;
    if (isOneEach && (own.before.size > 1 || own.after.size > 1)) return;
    const names = { before: this.#namesIn(own.before), after: this.#namesIn(own.after) };
    const common = commonPart(names.before, names.after);
    const isMerged = this.#isAsked || common >= LEAST_COMMON;
    const [first, second] = [[...own.before][0]!, [...own.after][0]!];
    this.pairs.push({ before: fileName(first), after: fileName(second), common, isMerged });
    for (const module of [...own.before, ...own.after]) this.#done.add(module);
    if (isMerged) this.#merge(new Set([...own.before, ...own.after]), labelOf(first, second));
  }

  #unmatched(modules: readonly string[], others: ReadonlySet<string>): Set<string> {
    const keys = modules.map((module) => this.#moduleOf.get(module) ?? module);
    return new Set(keys.filter((key) => !others.has(key) && !this.#done.has(key)));
  }

  #namesIn(modules: ReadonlySet<string>): Set<string> {
    const named = this.#functions.filter(({ kind, module }) => kind !== FunctionKind.unresolved && modules.has(module));
    return new Set(named.map(({ name }) => name));
  }

  #merge(modules: ReadonlySet<string>, label: string): void {
    for (const one of this.#functions) {
      if (!modules.has(one.module)) continue;
      // A function without a symbol is named after its module.
      const isUnnamed = one.kind === FunctionKind.unresolved && one.name === `[${fileName(one.module)}]`;
      one.rename(isUnnamed ? `[${label}]` : one.name, label);
    }
  }
}

function labelOf(before: string, after: string): string {
  const name = programName(before);
  return name === programName(after) ? name : `${fileName(before)} → ${fileName(after)}`;
}

/**
 * Returns the share of the smaller set that is also in the other one, because a longer recording sees more functions.
 * Entry points count only if a program has nothing else, and then as a share of the larger set.
 */
function commonPart(before: ReadonlySet<string>, after: ReadonlySet<string>): number {
  const own = (names: ReadonlySet<string>): string[] => [...names].filter((name) => !ENTRY_NAMES.has(name));
  const [a, b] = [own(before), own(after)];
  if (a.length > 0 && b.length > 0) return a.filter((name) => after.has(name)).length / Math.min(a.length, b.length);
  const larger = Math.max(before.size, after.size);
  return larger === 0 ? 0 : [...before].filter((name) => after.has(name)).length / larger;
}
