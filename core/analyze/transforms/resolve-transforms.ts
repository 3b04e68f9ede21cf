import { codeKind, type CodeKind } from '../code-kind.ts';
import { describePattern, moduleBaseName } from './describe-transform.ts';
import { findFunctions, functionRef, type FunctionRef, type NamedFunctions } from '../function-ref.ts';
import type { FunctionKind } from '../../model/profile.ts';
import { appendFunctions, mergeFunctions, type MadeFunction } from './made-functions.ts';
import type { FunctionTarget, NamedTransform, Pattern } from './named-transform.ts';
import type { PathStep } from './move-paths.ts';
import { functionNames, matchNames, renameFunctions } from '../search.ts';
import type { MapStep, ResolvedTransforms, SetTransform, TransformStep } from './transforms.ts';

/**
 * Runs users' patterns: in a place that can be stopped (a worker that is terminated, node:vm with a timeout), since a pattern may take
 * exponential time. `names` are by function index.
 */
export interface PatternRunner {
  /** 1 per name that matches. */
  match(names: readonly string[], pattern: Pattern): Uint8Array | Promise<Uint8Array>;
  /** The names with every match replaced. */
  rename(
    names: readonly string[],
    pattern: Pattern,
    replacement: string,
  ): readonly string[] | Promise<readonly string[]>;
}

/** Runs patterns right here: for patterns that are no user's. */
export const patternsHere: PatternRunner = {
  match: (names, { pattern, ignoreCase }) => matchNames(names, pattern, { ignoreCase }),
  rename: (names, { pattern, ignoreCase }, replacement) => renameFunctions(names, pattern, replacement, { ignoreCase }),
};

/**
 * Finds the functions that transforms name in a profile, for `buildStackView`. Depends on neither selection nor samples: resolve once for a
 * list of transforms. What is switched off is left out, its pattern too. Rejects with what the runner throws.
 *
 * The runner gets `names` (the profile's `functionNames()`) itself until a transform makes functions, so that it can keep them.
 */
export async function resolveTransforms(
  profile: NamedFunctions,
  transforms: readonly NamedTransform[],
  patterns: PatternRunner,
  names: readonly string[] = functionNames(profile),
): Promise<ResolvedTransforms> {
  const stage = new Stage(profile, patterns, names);
  const steps: (TransformStep | null)[] = [];
  const found: (number | null)[] = [];
  for (const transform of transforms) {
    const resolved = transform.enabled ? await resolveOne(stage, transform) : null;
    steps.push(resolved?.step ?? null);
    found.push(resolved?.found ?? null);
  }
  return { base: profile.functions, ...stage.table, steps, found };
}

interface Resolved {
  readonly step: TransformStep;
  readonly found: number;
}

function resolveOne(stage: Stage, transform: NamedTransform): Resolved | Promise<Resolved> {
  switch (transform.kind) {
    case 'collapse-module':
      return transform.module === null ? collapseEveryModule(stage) : collapseModule(stage, transform.module);
    case 'collapse-path':
      return collapsePattern(stage, transform, transform.label);
    case 'rename':
      return rename(stage, transform, transform.replacement);
    case 'collapse-recursion': {
      const { on, direct } = transform;
      const kind = direct ? 'collapse-direct-recursion' : 'collapse-recursion';
      return on.by === 'all' ? setStep(kind, stage.live.slice()) : chooseSet(stage, kind, on);
    }
    case 'merge':
      if (transform.on.by !== 'path') return chooseSet(stage, 'merge', transform.on);
      return choosePath(stage, transform.on.path, (path) => ({ kind: 'merge-path', path, from: 'root' }));
    case 'focus':
    case 'hide': {
      const { kind, on } = transform;
      if (on.by !== 'path') return chooseSet(stage, kind, on);
      return choosePath(stage, on.path, (path) => ({ kind: `${kind}-path`, path, from: on.from }));
    }
    case 'drop-without':
    case 'focus-self':
    case 'show':
    case 'collapse-subtree':
      return chooseSet(stage, transform.kind, transform.on);
  }
}

/** The functions as the transforms so far leave them. */
class Stage {
  readonly patterns: PatternRunner;
  table: NamedFunctions;
  /** 1 per function that rows may still hold: not renamed, not collapsed. */
  live: Uint8Array;
  names: readonly string[];

  constructor({ strings, functions }: NamedFunctions, patterns: PatternRunner, names: readonly string[]) {
    this.table = { strings, functions };
    this.live = new Uint8Array(functions.length).fill(1);
    this.patterns = patterns;
    this.names = names;
  }

  module(func: number): string {
    return this.table.strings[this.table.functions.module[func]!]!;
  }

  /** Live functions of a list with 1 per function. */
  among(matched: Uint8Array): Uint8Array {
    return this.live.map((isLive, func) => (isLive === 1 && matched[func] === 1 ? 1 : 0));
  }

  ofModule(module: string): Uint8Array {
    return this.live.map((isLive, func) => (isLive === 1 && this.module(func) === module ? 1 : 0));
  }

  ofKind(code: CodeKind, others: boolean): Uint8Array {
    return this.live.map((isLive, func) => (isLive === 1 && (this.kind(func) === code) !== others ? 1 : 0));
  }

  kind(func: number): CodeKind {
    return codeKind({ ...functionRef(this.table, func), kind: this.table.functions.kind[func] as FunctionKind });
  }

  /**
   * Puts a function in the place of each group: the live one of that name and module where there is one outside the group. Returns what
   * every function becomes; −1: it stays.
   */
  replace(groups: readonly (readonly number[])[], joined: readonly MadeFunction[]): Int32Array {
    for (const func of groups.flat()) this.live[func] = 0;
    const known = findFunctions(this.table, this.live, joined);
    const first = this.table.functions.length;
    const made: MadeFunction[] = [];
    const to = new Int32Array(first).fill(-1);
    groups.forEach((group, place) => {
      const become = known[place]![0] ?? first + made.push(joined[place]!) - 1;
      for (const func of group) to[func] = become;
    });
    this.table = appendFunctions(this.table, made);
    const live = new Uint8Array(this.table.functions.length).fill(1);
    live.set(this.live);
    this.live = live;
    if (made.length > 0) this.names = [...this.names, ...made.map(({ name }) => name)];
    return to;
  }
}

const members = (chosen: Uint8Array): number[] => [...chosen.keys()].filter((func) => chosen[func] === 1);

async function choose(stage: Stage, target: FunctionTarget): Promise<Uint8Array> {
  switch (target.by) {
    case 'module':
      return stage.ofModule(target.module);
    case 'kind':
      return stage.ofKind(target.code, target.others);
    case 'pattern':
      return stage.among(await stage.patterns.match(stage.names, target));
    case 'function': {
      const chosen = new Uint8Array(stage.live.length);
      for (const func of findFunctions(stage.table, stage.live, [target.func])[0]!) chosen[func] = 1;
      return chosen;
    }
  }
}

async function chooseSet(stage: Stage, kind: SetTransform['kind'], target: FunctionTarget): Promise<Resolved> {
  return setStep(kind, await choose(stage, target));
}

function setStep(kind: SetTransform['kind'], chosen: Uint8Array): Resolved {
  return { step: { kind, chosen }, found: chosen.reduce((count, one) => count + one, 0) };
}

function choosePath(
  stage: Stage,
  refs: readonly FunctionRef[],
  toStep: (path: readonly Int32Array[]) => PathStep,
): Resolved {
  if (refs.length === 0) throw new RangeError('a path without functions');
  const path = findFunctions(stage.table, stage.live, refs);
  return { step: toStep(path), found: path.filter((functions) => functions.length > 0).length };
}

function collapseModule(stage: Stage, module: string): Resolved {
  return collapseGroups(stage, [members(stage.ofModule(module))], () => moduleBaseName(module));
}

function collapseEveryModule(stage: Stage): Resolved {
  const groups = new Map<string, number[]>();
  for (const func of members(stage.live)) {
    const module = stage.module(func);
    if (module === '') continue;
    const group = groups.get(module) ?? [];
    groups.set(module, group);
    group.push(func);
  }
  return collapseGroups(stage, [...groups.values()], (func) => moduleBaseName(stage.module(func)));
}

async function collapsePattern(stage: Stage, pattern: Pattern, label: string): Promise<Resolved> {
  const chosen = stage.among(await stage.patterns.match(stage.names, pattern));
  return collapseGroups(stage, [members(chosen)], () => (label === '' ? describePattern(pattern) : label));
}

function collapseGroups(
  stage: Stage,
  groups: readonly (readonly number[])[],
  nameOf: (func: number) => string,
): Resolved {
  const filled = groups.filter((group) => group.length > 0);
  const made = filled.map((group) => mergeFunctions(stage.table, nameOf(group[0]!), group));
  const step: MapStep = { kind: 'collapse-run', to: stage.replace(filled, made) };
  return { step, found: filled.flat().length };
}

async function rename(stage: Stage, pattern: Pattern, replacement: string): Promise<Resolved> {
  const before = stage.names;
  const after = await stage.patterns.rename(before, pattern, replacement);
  const groups = new Map<string, Map<string, number[]>>();
  const groupOf = (func: number): number[] | undefined => groups.get(after[func]!)?.get(stage.module(func));
  const live = members(stage.live);
  const renamed = live.filter((func) => after[func] !== before[func]);
  for (const func of renamed) {
    const ofName = groups.get(after[func]!) ?? new Map<string, number[]>();
    groups.set(after[func]!, ofName.set(stage.module(func), []));
  }
  for (const func of live) groupOf(func)?.push(func);
  const lists = [...groups.values()].flatMap((ofName) => [...ofName.values()]);
  const made = lists.map((group) => mergeFunctions(stage.table, after[group[0]!]!, group));
  const to = stage.replace(lists, made);
  const step: MapStep = { kind: 'rename', to: to.map((becomes, func) => (becomes < 0 ? func : becomes)) };
  return { step, found: renamed.length };
}
