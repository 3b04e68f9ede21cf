import { functionRef, type FunctionRef, type NamedFunctions } from '../../analyze/function-ref.ts';
import { appendFunctions, mergeFunctions, type MadeFunction } from '../../analyze/made-functions.ts';
import type { PatternRunner } from '../../analyze/transforms/resolve-transforms.ts';
import type { StackView } from '../../analyze/view/stack-view.ts';
import type { FunctionKind } from '../../model/profile.ts';
import { finishInSlices, mapSteps, type Steps } from '../../steps.ts';
import { EXECUTABLE, matchPrograms, type ProgramFunction, type ProgramPair } from './match-programs.ts';
import { applyRule, MATCH_RULES, type MatchRules } from './match-rules.ts';
import { capturePrograms, type ProgramFacts } from './recorded-program.ts';

/** The functions of both sides in one list. */
export interface MatchedFunctions {
  readonly table: NamedFunctions;
  /** By capture: maps a function of its view to one of `table`; −1 if the view has no row of it. */
  readonly before: readonly Int32Array[];
  readonly after: readonly Int32Array[];
  readonly merges: readonly RuleMerges[];
  /** The pairs that {@link EXECUTABLE} examined; empty if it is off. */
  readonly programs: readonly ProgramPair[];
  /** Functions of `table` that only one side has. */
  readonly onlyBefore: readonly number[];
  readonly onlyAfter: readonly number[];
}

/** The functions that a rule merged. */
export interface RuleMerges {
  /** A rule's id, `user-1`…, `pair-1`…, {@link MODULE_UNKNOWN} or {@link IGNORED_MODULES}. */
  readonly rule: string;
  readonly merges: readonly Merge[];
}

export interface Merge {
  /** → table */
  readonly func: number;
  /** The captures' names for it: at least two. */
  readonly from: readonly SeenFunction[];
}

interface SeenFunction {
  readonly name: string;
  readonly module: string;
  readonly inBefore: boolean;
  readonly inAfter: boolean;
}

/** Id of the rule that matches a function of an unknown module with the only function of the same name. */
export const MODULE_UNKNOWN = 'module-unknown';

/** Represents {@link MatchRules}.ignoreModules in {@link RuleMerges}. */
export const IGNORED_MODULES = 'ignored-modules';

/**
 * Matches the functions of both sides. The patterns of `rules.user` run in `patterns` because they may take exponential
 * time; rejects with whatever it throws. `rest` is awaited between pieces.
 */
export async function matchFunctions(
  before: readonly ProgramFacts[],
  after: readonly ProgramFacts[],
  rules: MatchRules,
  patterns: PatternRunner,
  rest?: () => Promise<void>,
): Promise<MatchedFunctions> {
  const seen = new SeenNames();
  const inSlices = <Result>(steps: Steps<Result>): Promise<Result> => finishInSlices(steps, rest);
  const indices = {
    before: await inSlices(mapSteps(before, ({ view }) => seen.add(view, 'inBefore'))),
    after: await inSlices(mapSteps(after, ({ view }) => seen.add(view, 'inAfter'))),
  };
  const keyed = await inSlices(applyBuiltIn(seen.list, rules));
  const isOneProgram = !rules.ignoreModules && !rules.off.includes(EXECUTABLE);
  const programs = isOneProgram
    ? matchPrograms(
        keyed.map((one) => programFunction(seen.list[one.place]!, one)),
        {
          before: await inSlices(mapSteps(before, capturePrograms)),
          after: await inSlices(mapSteps(after, capturePrograms)),
        },
        rules.sameProgram === true,
      )
    : [];
  await rest?.();
  await applyUserRules(keyed, rules, patterns);
  applyPairs(keyed, seen.list, rules);
  if (!rules.ignoreModules && !rules.off.includes(MODULE_UNKNOWN)) matchUnknownModules(keyed);
  const groups = groupByKey(keyed, rules.ignoreModules);
  const table = await inSlices(tableOf(seen.list, groups));
  const groupOf = new Int32Array(seen.list.length);
  groups.forEach((members, group) => {
    for (const { place } of members) groupOf[place] = group;
  });
  const toGroups = (rows: Int32Array): Int32Array => rows.map((place) => (place < 0 ? -1 : groupOf[place]!));
  const only = (side: 'inBefore' | 'inAfter'): number[] =>
    [...groups.keys()].filter((group) => groups[group]!.every(({ place }) => !seen.list[place]![side]));
  return {
    table,
    before: indices.before.map(toGroups),
    after: indices.after.map(toGroups),
    merges: listMerges(seen.list, groups),
    programs,
    onlyBefore: only('inAfter'),
    onlyAfter: only('inBefore'),
  };
}

interface Seen extends SeenFunction {
  inBefore: boolean;
  inAfter: boolean;
  readonly ref: FunctionRef;
  kind: FunctionKind;
}

/** Every distinct name and module of all captures, once. */
class SeenNames {
  readonly list: Seen[] = [];
  readonly #byModule = new Map<string, Map<string, number>>();

  /** Returns each function's index in the list; −1 if the view has no row of it. */
  add({ profile, func }: StackView, side: 'inBefore' | 'inAfter'): Int32Array {
    const places = new Int32Array(profile.functions.length).fill(-1);
    for (const one of func) {
      if (places[one]! >= 0) continue;
      const place = this.#intern(functionRef(profile, one), profile.functions.kind[one] as FunctionKind);
      this.list[place]![side] = true;
      places[one] = place;
    }
    return places;
  }

  #intern(ref: FunctionRef, kind: FunctionKind): number {
    const ofModule = this.#byModule.get(ref.module) ?? new Map<string, number>();
    this.#byModule.set(ref.module, ofModule);
    const known = ofModule.get(ref.name);
    if (known !== undefined) return known;
    const place =
      this.list.push({ name: ref.name, module: ref.module, inBefore: false, inAfter: false, ref, kind }) - 1;
    ofModule.set(ref.name, place);
    return place;
  }
}

/** A seen function and the name by which it is matched. */
interface Keyed {
  readonly place: number;
  name: string;
  module: string;
  /** Rules that changed its name or module. */
  readonly rules: string[];
}

function* applyBuiltIn(seen: readonly Seen[], rules: MatchRules): Steps<Keyed[]> {
  const keyed = seen.map(({ name, module }, place): Keyed => ({ place, name, module, rules: [] }));
  for (const rule of MATCH_RULES) {
    if (rules.off.includes(rule.id)) continue;
    for (const one of keyed) change(one, rule.id, applyRule(rule.name, one.name), applyRule(rule.module, one.module));
    yield;
  }
  return keyed;
}

async function applyUserRules(keyed: readonly Keyed[], rules: MatchRules, patterns: PatternRunner): Promise<void> {
  for (const [place, { pattern, ignoreCase, replacement }] of rules.user.entries()) {
    const names = await patterns.rename(
      keyed.map(({ name }) => name),
      { pattern, ignoreCase },
      replacement,
    );
    keyed.forEach((one, at) => change(one, `user-${place + 1}`, names[at]!, one.module));
  }
}

/**
 * Gives the functions of each pair's first name the second one. The module is that of the only function after with the
 * second name, so that a function that moved is found.
 */
function applyPairs(keyed: readonly Keyed[], seen: readonly Seen[], { pairs = [] }: MatchRules): void {
  const isNamed = (one: Keyed, name: string): boolean => one.name === name || seen[one.place]!.name === name;
  for (const [place, { before, after }] of pairs.entries()) {
    const targets = keyed.filter((one) => seen[one.place]!.inAfter && isNamed(one, after));
    const target = new Set(targets.map(({ module }) => module)).size === 1 ? targets[0]! : null;
    for (const one of keyed) {
      if (!isNamed(one, before) || (before === after && seen[one.place]!.inAfter)) continue;
      change(one, `pair-${place + 1}`, target?.name ?? after, target?.module ?? one.module);
    }
  }
}

const programFunction = ({ kind, inBefore, inAfter, module: ownModule }: Seen, keyed: Keyed): ProgramFunction => ({
  kind,
  inBefore,
  inAfter,
  ownModule,
  get name() {
    return keyed.name;
  },
  get module() {
    return keyed.module;
  },
  rename: (name, module) => change(keyed, EXECUTABLE, name, module),
});

function change(one: Keyed, rule: string, name: string, module: string): void {
  if (name === one.name && module === one.module) return;
  one.name = name;
  one.module = module;
  one.rules.push(rule);
}

/**
 * Gives functions of formats without modules (folded text) the module of the only function with the same name, if there
 * is exactly one.
 */
function matchUnknownModules(keyed: readonly Keyed[]): void {
  const modules = new Map<string, Set<string>>();
  for (const { name, module } of keyed) {
    if (module !== '') modules.set(name, (modules.get(name) ?? new Set()).add(module));
  }
  for (const one of keyed) {
    if (one.module !== '') continue;
    const [module, ...others] = modules.get(one.name) ?? [];
    if (module !== undefined && others.length === 0) change(one, MODULE_UNKNOWN, one.name, module);
  }
}

/** Groups in order of first appearance. */
function groupByKey(keyed: readonly Keyed[], ignoreModules: boolean): Keyed[][] {
  const byModule = new Map<string, Map<string, Keyed[]>>();
  const groups: Keyed[][] = [];
  for (const one of keyed) {
    const module = ignoreModules ? '' : one.module;
    const ofModule = byModule.get(module) ?? new Map<string, Keyed[]>();
    byModule.set(module, ofModule);
    const group = ofModule.get(one.name);
    if (group === undefined) {
      groups.push([one]);
      ofModule.set(one.name, groups.at(-1)!);
    } else group.push(one);
  }
  return groups;
}

const EMPTY: NamedFunctions = {
  strings: [''],
  functions: {
    length: 0,
    name: new Int32Array(0),
    module: new Int32Array(0),
    file: new Int32Array(0),
    line: new Int32Array(0),
    kind: new Uint8Array(0),
  },
};

/**
 * Returns one function per group: with its own name and module if all members share them, otherwise with the name and
 * module by which it is matched.
 */
function* tableOf(seen: readonly Seen[], groups: readonly (readonly Keyed[])[]): Steps<NamedFunctions> {
  const all = appendFunctions(
    EMPTY,
    seen.map(({ ref, kind }): MadeFunction => ({ ...ref, kind })),
  );
  yield;
  return appendFunctions(
    EMPTY,
    groups.map((members): MadeFunction => {
      const first = seen[members[0]!.place]!;
      const joined = mergeFunctions(
        all,
        members[0]!.name,
        members.map(({ place }) => place),
      );
      const isOneName = members.every(({ place }) => seen[place]!.name === first.name);
      const module = joined.module || sharedModule(members);
      return { ...joined, name: isOneName ? first.name : members[0]!.name, module };
    }),
  );
}

function sharedModule(members: readonly Keyed[]): string {
  const { module } = members[0]!;
  return members.every((member) => member.module === module) ? module : '';
}

function listMerges(seen: readonly Seen[], groups: readonly (readonly Keyed[])[]): RuleMerges[] {
  const byRule = new Map<string, Merge[]>();
  groups.forEach((members, func) => {
    if (members.length < 2) return;
    const from = members.map(({ place }): SeenFunction => {
      const { name, module, inBefore, inAfter } = seen[place]!;
      return { name, module, inBefore, inAfter };
    });
    const rules = new Set(members.flatMap((member) => member.rules));
    if (members.some(({ module }) => module !== members[0]!.module)) rules.add(IGNORED_MODULES);
    for (const rule of rules) {
      const merges = byRule.get(rule) ?? [];
      byRule.set(rule, merges);
      merges.push({ func, from });
    }
  });
  return [...byRule].map(([rule, merges]) => ({ rule, merges }));
}
