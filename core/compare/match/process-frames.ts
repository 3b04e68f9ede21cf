import { RowTable } from '../../analyze/view/row-table.ts';
import type { Profile } from '../../model/profile.ts';
import { sampleWeights } from '../../model/weights.ts';
import type { CompareWarning } from '../compare-warning.ts';
import type { ComparedCapture } from '../measure/measure-capture.ts';
import { fileName, programName } from './recorded-program.ts';
import type { Side } from '../../contract/side.ts';

/** Id of the rule that removes root frames that represent a process or thread. */
export const PROCESS_FRAMES = 'process-frames';

export interface ComparedSides {
  readonly before: readonly ComparedCapture[];
  readonly after: readonly ComparedCapture[];
}

interface WithoutProcessFrames extends ComparedSides {
  /** Describes what was removed, if anything. */
  readonly warnings: readonly CompareWarning[];
}

/**
 * Removes the process or thread with which folded text begins each stack, and which other formats keep apart from the
 * stack. The frames are removed if some captures have them and others do not, or if all have them but the sides'
 * differ. If both sides have the same ones, they stay.
 */
export function setProcessFramesAside({ before, after }: ComparedSides): WithoutProcessFrames {
  const all = [...before, ...after];
  const known = namesOfOthers(all);
  // A process in one capture is a process in the others.
  const found = all.flatMap((capture) => processRoots(capture, known));
  const processes = new Set([...known.processes, ...found]);
  const roots = all.map((capture) => processRoots(capture, { ...known, processes }));
  const isUniform =
    roots.every(({ length }) => length > 0) &&
    sameNames(roots.slice(0, before.length).flat(), roots.slice(before.length).flat());
  if (isUniform || roots.every(({ length }) => length === 0)) return { before, after, warnings: [] };
  const changed = all.map((capture, place) => withoutRoots(capture, new Set(roots[place])));
  const sides = { before: changed.slice(0, before.length), after: changed.slice(before.length) };
  return { ...sides, warnings: [warningOf(sides, roots, before.length)] };
}

const sameNames = (before: readonly string[], after: readonly string[]): boolean =>
  new Set(before).size === new Set([...before, ...after]).size &&
  new Set(after).size === new Set([...before, ...after]).size;

/** Maximum number of root frames that a warning names. */
const MOST_NAMES = 3;

function warningOf(sides: ComparedSides, roots: readonly (readonly string[])[], firstAfter: number): CompareWarning {
  const names = [...new Set(roots.flat())];
  const more = names.length > MOST_NAMES ? `, and ${names.length - MOST_NAMES} more` : '';
  const ofSide = (side: Side, from: number): boolean => sides[side].some((_, place) => roots[from + place]!.length > 0);
  const [isBefore, isAfter] = [ofSide('before', 0), ofSide('after', firstAfter)];
  const where = isBefore && isAfter ? 'both sides' : isBefore ? 'the before side' : 'the after side';
  return {
    code: PROCESS_FRAMES,
    message: `Stacks of ${where} begin with the process or thread (${names.slice(0, MOST_NAMES).join(', ')}${more}): this frame is ignored, because the other captures do not have it or name it differently.`,
  };
}

/** Names of processes, threads, programs and functions in the captures that keep threads or modules. */
interface KnownNames {
  readonly processes: ReadonlySet<string>;
  readonly functions: ReadonlySet<string>;
}

function namesOfOthers(captures: readonly ComparedCapture[]): KnownNames {
  const processes = new Set<string>();
  const functions = new Set<string>();
  for (const { profile } of captures) {
    const isFolded = lacksThreads(profile);
    const { strings } = profile;
    if (!isFolded) for (const name of profile.threads.name) processes.add(asRoot(strings[name]!));
    for (const module of new Set(profile.functions.module)) {
      if (strings[module] === '') continue;
      processes.add(fileName(strings[module]!));
      processes.add(programName(strings[module]!));
    }
    if (!isFolded || profile.functions.module.some((module) => strings[module] !== '')) {
      for (const name of profile.functions.name) functions.add(strings[name]!);
    }
  }
  processes.delete('');
  return { processes, functions };
}

/** Returns a thread's name as folded text writes it, with `_` for spaces. */
const asRoot = (thread: string): string => thread.replaceAll(' ', '_');

const lacksThreads = ({ threads, strings }: Profile): boolean => threads.name.every((name) => strings[name] === '');

/** Names of the first function of a program or thread; no function calls these. */
const ENTRY_NAMES: ReadonlySet<string> = new Set(
  (
    '_start __libc_start_main __libc_start_call_main __libc_start_main_impl __libc_start_main@@GLIBC_2.34 start_thread ' +
    'clone clone3 __clone thread_start _pthread_start runtime.goexit runtime.goexit.abi0 runtime.mstart runtime.rt0_go ret_from_fork ' +
    'ret_from_fork_asm entry_SYSCALL_64_after_hwframe entry_SYSCALL_64 el0t_64_sync'
  ).split(' '),
);

/** Minimum share of the weight below recognised process frames; the rest may be truncated stacks. */
const LEAST_NAMED = 0.5;

/** Returns `nginx` for `nginx-4711` and `nginx-4711/4712`, which stackcollapse-perf.pl writes with --pid and --tid. */
const withoutIds = (name: string): string => name.replace(/-(?:\d+|\?)(?:\/(?:\d+|\?))?$/, '');

/** Returns the names of root frames that represent processes or threads; empty if the roots are functions. */
function processRoots({ profile, selection }: ComparedCapture, known: KnownNames): string[] {
  if (!lacksThreads(profile)) return [];
  const { rootOf, callsEntry, isCalled } = inspectRoots(profile);
  const weights = sampleWeights(profile, selection.valueType);
  const { strings, functions, samples } = profile;
  const weightOf = new Map<number, number>();
  let total = 0;
  for (let sample = 0; sample < samples.length; sample++) {
    const stack = samples.stack[sample]!;
    if (stack < 0 || weights[sample] === 0) continue;
    const root = rootOf[stack]!;
    weightOf.set(root, (weightOf.get(root) ?? 0) + Math.abs(weights[sample]!));
    total += Math.abs(weights[sample]!);
  }
  const candidates = [...weightOf.keys()].filter((root) => {
    const name = strings[functions.name[root]!]!;
    const isFunction = known.functions.has(name) || ENTRY_NAMES.has(name) || functions.module[root] !== 0;
    return !isFunction && !isCalled.has(root);
  });
  const named = candidates.filter((root) => {
    const name = strings[functions.name[root]!]!;
    return known.processes.has(name) || known.processes.has(withoutIds(name)) || callsEntry.has(root);
  });
  const weight = named.reduce((sum, root) => sum + weightOf.get(root)!, 0);
  return weight > 0 && weight >= LEAST_NAMED * total
    ? candidates.map((root) => strings[functions.name[root]!]!).sort()
    : [];
}

interface Roots {
  /** Function of the first frame, by stack. */
  readonly rootOf: Int32Array;
  /** Functions of first frames below which a program or thread begins. */
  readonly callsEntry: ReadonlySet<number>;
  /** Functions that occur deeper in a stack. */
  readonly isCalled: ReadonlySet<number>;
}

function inspectRoots({ stacks, frames, functions, strings }: Profile): Roots {
  const rootOf = new Int32Array(stacks.length);
  const callsEntry = new Set<number>();
  const isCalled = new Set<number>();
  for (let stack = 0; stack < stacks.length; stack++) {
    const caller = stacks.parent[stack]!;
    const func = frames.func[stacks.frame[stack]!]!;
    rootOf[stack] = caller < 0 ? func : rootOf[caller]!;
    if (caller < 0) continue;
    isCalled.add(func);
    const isSecond = stacks.parent[caller]! < 0;
    if (isSecond && ENTRY_NAMES.has(strings[functions.name[func]!]!)) callsEntry.add(rootOf[caller]!);
  }
  return { rootOf, callsEntry, isCalled };
}

/**
 * Returns the capture with those root frames removed. Functions and threads stay, so that selections and transforms
 * remain valid.
 */
function withoutRoots(capture: ComparedCapture, roots: ReadonlySet<string>): ComparedCapture {
  if (roots.size === 0) return capture;
  const { strings, functions, frames, stacks } = capture.profile;
  const isRoot = Uint8Array.from(functions.name, (name) => (roots.has(strings[name]!) ? 1 : 0));
  const table = new RowTable(stacks.length);
  const moved = new Int32Array(stacks.length);
  for (let stack = 0; stack < stacks.length; stack++) {
    const caller = stacks.parent[stack]!;
    const frame = stacks.frame[stack]!;
    const isAside = caller < 0 && isRoot[frames.func[frame]!] === 1;
    moved[stack] = isAside ? -1 : table.intern(caller < 0 ? -1 : moved[caller]!, frame);
  }
  return restacked(capture, table, (own) => moved[own]!);
}

/** Returns the capture with the stacks of a table of frames; `stackOf` returns that of a stack of the capture. */
export function restacked(
  { profile, ...capture }: ComparedCapture,
  table: RowTable,
  stackOf: (own: number) => number,
): ComparedCapture {
  const { length, parent, func: frame } = table.finish();
  const stack = profile.samples.stack.map((own) => (own < 0 ? -1 : stackOf(own)));
  const samples = { ...profile.samples, stack };
  return { ...capture, profile: { ...profile, stacks: { length, parent, frame }, samples } };
}
