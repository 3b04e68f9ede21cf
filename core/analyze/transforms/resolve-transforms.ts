import { codeKind, type CodeKind } from '../../model/code-kind.ts';
import { baseName } from '../../model/base-name.ts';
import { describePattern } from './describe-transform.ts';
import { findFunctions, type FunctionRef, type NamedFunctions } from '../function-ref.ts';
import { functionFacts } from '../../model/function-facts.ts';
import { appendFunctions, mergeFunctions, type MadeFunction } from '../made-functions.ts';
import { isReading, type FunctionTarget, type NamedTransform, type StackTransform } from './named-transform.ts';
import type { PathStep } from '../view/move-paths.ts';
import { functionNames, matchNames, renameFunctions, type Pattern, type PatternMatcher } from '../search.ts';
import type { SampleStep } from '../view/selected-weights.ts';
import type { MapStep, ResolvedTransforms, SetTransform, TransformStep } from '../view/transforms.ts';

/** `names` are by function index. */
export interface PatternRunner extends PatternMatcher {
  /** Returns the names with every match replaced. */
  rename(
    names: readonly string[],
    pattern: Pattern,
    replacement: string,
  ): readonly string[] | Promise<readonly string[]>;
}

/** Runs patterns in place: only for patterns that do not come from a user. */
export const patternsHere: PatternRunner = {
  match: (names, { pattern, ignoreCase }) => matchNames(names, pattern, { ignoreCase }),
  rename: (names, { pattern, ignoreCase }, replacement) => renameFunctions(names, pattern, replacement, { ignoreCase }),
};

/**
 * Finds the functions that transforms refer to in a profile, for `buildStackView`. The result depends on neither
 * selection nor samples, so one call per list of transforms is enough. Skips disabled transforms, including their
 * patterns. Rejects with whatever the runner throws.
 *
 * The runner receives `names` (the profile's `functionNames()`) itself until a transform makes functions, so that it
 * can cache them. `transformProfile` has already applied the transforms that determine how samples are read; `read`
 * holds what they found.
 */
export async function resolveTransforms(
  profile: NamedFunctions,
  transforms: readonly NamedTransform[],
  patterns: PatternRunner,
  names: readonly string[] = functionNames(profile),
  read: ReadSteps = NOTHING_READ,
): Promise<ResolvedTransforms> {
  const stage = new Stage(profile, patterns, names, read.firstFunction);
  const steps: (TransformStep | null)[] = [];
  const found: (number | null)[] = [];
  for (const [index, transform] of transforms.entries()) {
    if (isReading(transform) && transform.enabled && !read.steps.has(index)) {
      throw new RangeError('the profile was not read as the transforms have it');
    }
    const readStep = read.steps.get(index) ?? null;
    const resolved = !transform.enabled ? null : isReading(transform) ? readStep : await resolveOne(stage, transform);
    steps.push(resolved?.step ?? null);
    found.push(resolved?.found ?? null);
  }
  return { base: profile.functions, ...stage.table, steps, found };
}

/** What the transforms found that determine how samples are read. */
interface ReadSteps {
  /** Functions before it are not in the read profile, because rows of a granularity replaced them. */
  readonly firstFunction: number;
  /** By place in the list. */
  readonly steps: ReadonlyMap<number, ReadStep>;
}

export interface ReadStep {
  readonly step: SampleStep | null;
  readonly found: number;
}

const NOTHING_READ: ReadSteps = { firstFunction: 0, steps: new Map() };

interface Resolved {
  readonly step: TransformStep;
  readonly found: number;
}

function resolveOne(stage: Stage, transform: StackTransform): Resolved | Promise<Resolved> {
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
      return on.by === 'all' ? setStep(stage, kind, stage.live.slice()) : chooseSet(stage, kind, on);
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

/** The functions after the transforms resolved so far. */
class Stage {
  readonly patterns: PatternRunner;
  table: NamedFunctions;
  /** 1 for each function that rows may still contain: neither renamed nor collapsed. */
  live: Uint8Array;
  /** The live functions that no row contains after a transform that hid or removed them. */
  readonly gone = new Set<number>();
  names: readonly string[];

  constructor(
    { strings, functions }: NamedFunctions,
    patterns: PatternRunner,
    names: readonly string[],
    first: number,
  ) {
    this.table = { strings, functions };
    this.live = new Uint8Array(functions.length).fill(1, first);
    this.patterns = patterns;
    this.names = names;
  }

  module(func: number): string {
    return this.table.strings[this.table.functions.module[func]!]!;
  }

  /** Returns 1 for each function that is both matched and live. */
  among(matched: Uint8Array): Uint8Array {
    return this.live.map((isLive, func) => (isLive === 1 && matched[func] === 1 ? 1 : 0));
  }

  /** Returns how many of the functions rows may still contain. */
  countFound(funcs: readonly number[]): number {
    return funcs.filter((func) => !this.gone.has(func)).length;
  }

  ofModule(module: string): Uint8Array {
    return this.live.map((isLive, func) => (isLive === 1 && this.module(func) === module ? 1 : 0));
  }

  ofKind(code: CodeKind, others: boolean): Uint8Array {
    return this.live.map((isLive, func) => (isLive === 1 && (this.kind(func) === code) !== others ? 1 : 0));
  }

  kind(func: number): CodeKind {
    return codeKind(functionFacts(this.table, func));
  }

  /**
   * Replaces each group by one function: the live one of that name and module if it exists outside the group, otherwise
   * a new one. Returns the replacement of every function; −1 if it stays.
   */
  replace(groups: readonly (readonly number[])[], joined: readonly MadeFunction[]): Int32Array {
    const isGone = groups.map((group) => this.countFound(group) === 0);
    for (const func of groups.flat()) this.live[func] = 0;
    const known = findFunctions(this.table, this.live, joined);
    const first = this.table.functions.length;
    const made: MadeFunction[] = [];
    const to = new Int32Array(first).fill(-1);
    groups.forEach((group, place) => {
      const become = known[place]![0] ?? first + made.push(joined[place]!) - 1;
      for (const func of group) to[func] = become;
      if (!isGone[place]) this.gone.delete(become);
      else if (become >= first) this.gone.add(become);
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
  return setStep(stage, kind, await choose(stage, target));
}

function setStep(stage: Stage, kind: SetTransform['kind'], chosen: Uint8Array): Resolved {
  const found = stage.countFound(members(chosen));
  if (kind === 'hide' || kind === 'merge') for (const func of members(chosen)) stage.gone.add(func);
  if (kind === 'show') for (const func of members(stage.live)) if (chosen[func] === 0) stage.gone.add(func);
  return { step: { kind, chosen }, found };
}

function choosePath(
  stage: Stage,
  refs: readonly FunctionRef[],
  toStep: (path: readonly Int32Array[]) => PathStep,
): Resolved {
  if (refs.length === 0) throw new RangeError('a path without functions');
  const path = findFunctions(stage.table, stage.live, refs);
  return { step: toStep(path), found: path.filter((functions) => stage.countFound([...functions]) > 0).length };
}

function collapseModule(stage: Stage, module: string): Resolved {
  return collapseGroups(stage, [members(stage.ofModule(module))], () => baseName(module));
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
  return collapseGroups(stage, [...groups.values()], (func) => baseName(stage.module(func)));
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
  const found = stage.countFound(filled.flat());
  const step: MapStep = { kind: 'collapse-run', to: stage.replace(filled, made) };
  return { step, found };
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
  return { step, found: stage.countFound(renamed) };
}
