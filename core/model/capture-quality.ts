import { finish, inPieces, type Steps } from '../steps.ts';
import { bestGrade } from './newer-format.ts';
import { FunctionKind, type Profile } from './profile.ts';
import { countSamples } from './sample-counts.ts';
import { sampleWeights } from './weights.ts';
import { gradeShares, UNROOTED_RULES, type CaptureQuality } from './quality-grade.ts';

interface QualityFacts {
  /** Number of samples lost according to a source other than the profile; the larger of the two numbers counts. */
  readonly lost?: number;
}

/** Weight of functions without a symbol in one module. */
export interface UnresolvedModule {
  /** As the tool printed it; empty if the address is in no module. */
  readonly module: string;
  /** Share of the profile's weight, 0 to 1. */
  readonly share: number;
}

/** A perf stack with fewer user frames than this, whose root does not start a thread, has lost its callers. */
const LEAST_DEPTH = 3;
/** kernel.perf_event_max_stack, which is also the most that `perf script` unwinds. */
const MOST_FRAMES = 127;
/**
 * Formats whose stacks were unwound through native code, so that a root that does not start a thread means a truncated
 * stack.
 */
const WALKED: ReadonlySet<string> = new Set(['perf-script', 'perf-data', 'simpleperf', 'simpleperf-text']);
/** Modules at addresses that were not return addresses. */
const NO_CODE = /^(?:|\[unknown\]|\[stack\]|\[heap\])$/;
const KERNEL = /^\[(?:guest\.)?kernel/;
/** Functions in which threads start. */
const THREAD_START =
  /^(?:_start(?:_c)?|_dl_start(?:_user)?|main|__libc_start\w*|start_thread|thread_start|_{0,2}(?:GI_+)?clone3?|runtime\.(?:goexit|mstart|mcall|rt0_go|main)\b.*|\w*thread_native_entry\w*|JavaMain|ThreadJavaMain|execute_native_thread_routine|std::thread::.*)$/;

/**
 * Returns how trustworthy a capture is, by its default value type; null without samples or weight. This is the only
 * place that computes these shares, so they are the same wherever a capture is shown.
 */
export function captureQuality(profile: Profile, facts: QualityFacts = {}): CaptureQuality | null {
  return finish(captureQualitySteps(profile, facts));
}

/** Like {@link captureQuality}, in pieces. */
export function* captureQualitySteps(profile: Profile, { lost = 0 }: QualityFacts = {}): Steps<CaptureQuality | null> {
  const { samples } = profile;
  const weights = sampleWeights(profile, profile.metadata.defaultValueType);
  const ends = yield* stackEnds(profile);
  yield;
  const cut = diagnosed(profile, 'truncated-stacks');
  let [whole, unresolved, unrooted, truncated] = [0, 0, 0, 0];
  const byRule = UNROOTED_RULES.map(() => 0);
  yield* inPieces(samples.length, (first, after) => {
    for (let row = first; row < after; row++) {
      const weight = Math.abs(weights[row]!);
      whole += weight;
      const stack = samples.stack[row]!;
      if (stack < 0) {
        unrooted += weight;
        byRule[0]! += weight;
        continue;
      }
      if (isUnresolved(profile, stack)) unresolved += weight;
      const end = ends[stack]!;
      if (end === TRUNCATED) truncated += weight;
      else if (end > 0) {
        unrooted += weight;
        byRule[end]! += weight;
      }
    }
  });
  if (!(whole > 0) || !Number.isFinite(whole)) return null;
  const missed = Math.max(lost, diagnosed(profile, 'lost-samples'));
  const shares = {
    unresolved: unresolved / whole,
    unrooted: unrooted / whole,
    unrootedBy: UNROOTED_RULES[byRule.indexOf(Math.max(...byRule))]!,
    truncated: Math.max(truncated / whole, Math.min(1, cut / samples.length)),
    lost: missed / (countSamples(profile) + missed),
    impossible: Math.min(1, diagnosed(profile, 'impossible-numbers') / samples.length),
  };
  return gradeShares(shares, bestGrade(profile.diagnostics));
}

/** Weight of functions without a symbol, by the default value type. */
interface UnresolvedWeight {
  /** Share of the profile's weight, 0 to 1; equals the quality's `unresolved`. */
  readonly share: number;
  /** Number of samples that end in such functions. */
  readonly samples: number;
  /** Heaviest first. */
  readonly modules: readonly UnresolvedModule[];
}

export function unresolvedByModule(profile: Profile): UnresolvedWeight {
  const { samples, stacks, frames, functions, strings } = profile;
  const weights = sampleWeights(profile, profile.metadata.defaultValueType);
  const byModule = new Map<number, number>();
  let [whole, unresolved, count] = [0, 0, 0];
  for (let row = 0; row < samples.length; row++) {
    const weight = Math.abs(weights[row]!);
    whole += weight;
    const stack = samples.stack[row]!;
    if (stack < 0 || weight === 0 || !isUnresolved(profile, stack)) continue;
    const module = functions.module[frames.func[stacks.frame[stack]!]!]!;
    byModule.set(module, (byModule.get(module) ?? 0) + weight);
    unresolved += weight;
    count += 1;
  }
  const modules = [...byModule]
    .map(([module, weight]) => ({ module: strings[module]!, share: weight / whole }))
    .sort((a, b) => b.share - a.share);
  return { share: count === 0 ? 0 : unresolved / whole, samples: count, modules };
}

function isUnresolved({ stacks, frames, functions }: Profile, stack: number): boolean {
  return functions.kind[frames.func[stacks.frame[stack]!]!] === FunctionKind.unresolved;
}

/** How a stack ends; complete stacks are 0, those without callers the place of the rule in UNROOTED_RULES. */
const OUTSIDE_CODE = 1;
const CALLED_ELSEWHERE = 2;
const SHORT = 3;
const TRUNCATED = 4;

/** Returns how the outermost frame of each stack row ends it. */
function* stackEnds(profile: Profile): Steps<Uint8Array> {
  const { stacks, frames, functions } = profile;
  const isKernel = kernelFunctions(profile);
  const ends = new Uint8Array(stacks.length);
  const root = new Int32Array(stacks.length);
  const depth = new Int32Array(stacks.length);
  /** Number of frames outside the kernel, counted from the root. */
  const userDepth = new Int32Array(stacks.length);
  const isCalled = new Uint8Array(functions.length);
  yield* inPieces(stacks.length, (first, after) => {
    for (let row = first; row < after; row++) {
      const parent = stacks.parent[row]!;
      const func = frames.func[stacks.frame[row]!]!;
      const isUser = isKernel[func] === 1 ? 0 : 1;
      root[row] = parent < 0 ? func : root[parent]!;
      depth[row] = parent < 0 ? 1 : depth[parent]! + 1;
      userDepth[row] = (parent < 0 ? 0 : userDepth[parent]!) + isUser;
      if (parent >= 0) isCalled[func] = 1;
    }
  });
  yield;
  const isWalked = WALKED.has(profile.metadata.format);
  const roots = describeRoots(profile, isKernel, isCalled, isWalked);
  yield;
  yield* inPieces(stacks.length, (first, after) => {
    for (let row = first; row < after; row++) {
      const kind = roots[root[row]!]!;
      const isShort = userDepth[row]! > 0 && userDepth[row]! < LEAST_DEPTH;
      const end =
        kind === OUTSIDE_CODE || kind === CALLED_ELSEWHERE ? kind : isWalked && kind !== START && isShort ? SHORT : 0;
      if (end > 0) ends[row] = isWalked && depth[row]! >= MOST_FRAMES ? TRUNCATED : end;
    }
  });
  return ends;
}

/** A function at a stack's root in which threads start. Others are how the stack ends, or 0. */
const START = 255;

/**
 * Returns what each function says about a stack whose outermost frame it is. A named function that others call is not a
 * root.
 */
function describeRoots(profile: Profile, isKernel: Uint8Array, isCalled: Uint8Array, isWalked: boolean): Uint8Array {
  const { functions, strings } = profile;
  const roots = new Uint8Array(functions.length);
  for (let func = 0; func < functions.length; func++) {
    if (isKernel[func] === 1) roots[func] = START;
    else if (functions.kind[func] === FunctionKind.unresolved) {
      if (NO_CODE.test(strings[functions.module[func]!]!)) roots[func] = OUTSIDE_CODE;
    } else if (THREAD_START.test(strings[functions.name[func]!]!)) roots[func] = START;
    else if (isWalked && isCalled[func] === 1) roots[func] = CALLED_ELSEWHERE;
  }
  return roots;
}

/** Returns 1 for each function of the kernel, including those without a symbol. */
function kernelFunctions({ functions, strings }: Profile): Uint8Array {
  return Uint8Array.from(functions.kind, (kind, func) =>
    kind === FunctionKind.kernel || (kind === FunctionKind.unresolved && KERNEL.test(strings[functions.module[func]!]!))
      ? 1
      : 0,
  );
}

function diagnosed({ diagnostics }: Profile, code: string): number {
  return diagnostics.reduce((sum, diagnostic) => (diagnostic.code === code ? sum + diagnostic.count : sum), 0);
}
