import type { Side } from '../../contract/schemas.ts';
import { FunctionKind } from '../../model/profile.ts';
import { fileName, programName, type CapturePrograms } from './recorded-program.ts';

/** Id of the rule that makes two builds of one program one module. */
export const EXECUTABLE = 'executable';

/** Stands for `sameProgram` of the rules: the programs matched as builds of one, however little they have in common. */
export const SAME_PROGRAM = 'same-program';

/** Two builds of one program, or two programs that are too different to be taken for that. */
export interface ProgramPair {
  /** File names. */
  readonly before: string;
  readonly after: string;
  /** Part of the smaller one's function names that the other one has, too: 0 to 1. */
  readonly common: number;
  readonly isMerged: boolean;
}

/** A function as it is matched, and where it was seen. `name` and `module` change. */
export interface ProgramFunction {
  readonly kind: FunctionKind;
  readonly inBefore: boolean;
  readonly inAfter: boolean;
  /** As the captures have it. */
  readonly ownModule: string;
  readonly name: string;
  readonly module: string;
  rename(name: string, module: string): void;
}

/** With less in common, two programs are not taken for builds of one. */
const LEAST_COMMON = 0.2;

/** Functions that programs have by their language, so that they say nothing of which program it is. */
const ENTRY_NAMES: ReadonlySet<string> = new Set(
  '_start _init _fini main main.main __libc_start_main __libc_csu_init __do_global_dtors_aux frame_dummy'.split(' '),
);

/**
 * Makes the recorded program of either side one module, where each side has one; then programs that are called the same but for their
 * versions, where each side has one of that name. `isAsked`: however few functions they have in common.
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

/** Modules of the one program that all captures of a side are of; null: they are of several. */
function recordedOf(captures: readonly CapturePrograms[]): string[] | null {
  if (captures.some(({ recorded }) => recorded.length === 0)) return null;
  const modules = [...new Set(captures.flatMap(({ recorded }) => recorded))];
  return new Set(modules.map(programName)).size === 1 ? modules : null;
}

/** By name without version. */
function executablesOf(captures: readonly CapturePrograms[]): Map<string, string[]> {
  const byName = new Map<string, string[]>();
  for (const module of new Set(captures.flatMap(({ executables }) => executables))) {
    byName.set(programName(module), [...(byName.get(programName(module)) ?? []), module]);
  }
  return byName;
}

class ProgramMatching {
  readonly pairs: ProgramPair[] = [];
  readonly #functions: readonly ProgramFunction[];
  readonly #isAsked: boolean;
  /** By the captures' module: what it is matched by. */
  readonly #moduleOf: ReadonlyMap<string, string>;
  readonly #inBefore: ReadonlySet<string>;
  readonly #inAfter: ReadonlySet<string>;
  /** Modules that were looked at. */
  readonly #done = new Set<string>();

  constructor(functions: readonly ProgramFunction[], isAsked: boolean) {
    this.#functions = functions;
    this.#isAsked = isAsked;
    this.#moduleOf = new Map(functions.map(({ ownModule, module }) => [ownModule, module]));
    this.#inBefore = new Set(functions.flatMap(({ inBefore, module }) => (inBefore ? [module] : [])));
    this.#inAfter = new Set(functions.flatMap(({ inAfter, module }) => (inAfter ? [module] : [])));
  }

  /** Modules as the captures have them. Those that the other side has, too, match already. */
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
      // Without a symbol, a function is called by its module.
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
 * Part of the smaller set that is in the other one: a longer recording sees more functions. Entry points count only where a program has nothing
 * else, and then as part of the larger set.
 */
function commonPart(before: ReadonlySet<string>, after: ReadonlySet<string>): number {
  const own = (names: ReadonlySet<string>): string[] => [...names].filter((name) => !ENTRY_NAMES.has(name));
  const [a, b] = [own(before), own(after)];
  if (a.length > 0 && b.length > 0) return a.filter((name) => after.has(name)).length / Math.min(a.length, b.length);
  const larger = Math.max(before.size, after.size);
  return larger === 0 ? 0 : [...before].filter((name) => after.has(name)).length / larger;
}
