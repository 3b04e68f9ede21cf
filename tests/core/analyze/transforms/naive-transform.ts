import { codeKind } from '#core/model/code-kind.ts';
import type { FunctionRef } from '#core/analyze/function-ref.ts';
import type { Pattern } from '#core/analyze/search.ts';
import type { FunctionTarget, StackTransform, PathTarget } from '#core/analyze/transforms/named-transform.ts';
import { FunctionKind } from '#core/model/profile.ts';
import { splitFrame, type FramedSample } from '../framed-samples.ts';

type Stack = readonly string[];

const expressionOf = ({ pattern, ignoreCase }: Pattern, flags = ''): RegExp =>
  new RegExp(pattern, `u${flags}${ignoreCase ? 'i' : ''}`);

const frameOf = ({ name, module }: FunctionRef): string => `${module}!${name}`;

function isOf(target: FunctionTarget | { by: 'all' }): (frame: string) => boolean {
  switch (target.by) {
    case 'all':
      return () => true;
    case 'function':
      return (frame) => frame === frameOf(target.func);
    case 'module':
      return (frame) => splitFrame(frame).module === target.module;
    case 'kind':
      return (frame) => {
        const facts = { ...splitFrame(frame), file: '', kind: FunctionKind.unknown };
        return (codeKind(facts) === target.code) !== target.others;
      };
    case 'pattern':
      return (frame) => expressionOf(target).test(splitFrame(frame).name);
  }
}

function startsWith(stack: Stack, path: Stack): boolean {
  return path.every((frame, place) => stack[place] === frame);
}

/** Applies a transform of a path to one stack. */
function alongPath(kind: 'focus' | 'hide' | 'merge', { from, path }: PathTarget, stack: Stack): Stack | null {
  const frames = path.map(frameOf);
  if (from === 'leaf') {
    const ends = startsWith(stack.toReversed(), frames);
    if (kind === 'focus') return ends ? stack.slice(0, stack.length - frames.length + 1) : null;
    return ends ? null : stack;
  }
  const begins = startsWith(stack, frames);
  if (kind === 'focus') return begins ? stack.slice(frames.length - 1) : null;
  if (kind === 'hide') return begins ? null : stack;
  return begins ? stack.toSpliced(frames.length - 1, 1) : stack;
}

/** Collapses runs of frames. `becomes` returns the frame that a frame folds into, or null. */
function collapseRuns(stack: Stack, becomes: (frame: string) => string | null): Stack {
  const out: string[] = [];
  for (const frame of stack) {
    const folded = becomes(frame);
    if (folded === null) out.push(frame);
    else if (out.at(-1) !== folded) out.push(folded);
  }
  return out;
}

function collapseRecursion(stack: Stack, chosen: (frame: string) => boolean): Stack {
  const out: string[] = [];
  for (const frame of stack) {
    const outer = chosen(frame) ? out.indexOf(frame) : -1;
    if (outer >= 0) out.length = outer + 1;
    else out.push(frame);
  }
  return out;
}

const baseName = (module: string): string => module.split('/').at(-1)!;

/**
 * Applies a transform to one stack; null leaves the stack out. `all` contains every frame of the profile at this stage.
 */
function transformStack(transform: StackTransform, stack: Stack, all: ReadonlySet<string>): Stack | null {
  switch (transform.kind) {
    case 'focus': {
      if (transform.on.by === 'path') return alongPath('focus', transform.on, stack);
      const first = stack.findIndex(isOf(transform.on));
      return first < 0 ? null : stack.slice(first);
    }
    case 'hide':
      if (transform.on.by === 'path') return alongPath('hide', transform.on, stack);
      return stack.some(isOf(transform.on)) ? null : stack;
    case 'drop-without':
      return stack.some(isOf(transform.on)) ? stack : null;
    case 'focus-self':
      return stack.length > 0 && isOf(transform.on)(stack.at(-1)!) ? stack : null;
    case 'show': {
      const shown = stack.filter(isOf(transform.on));
      return shown.length === 0 ? null : shown;
    }
    case 'merge': {
      if (transform.on.by === 'path') return alongPath('merge', transform.on, stack);
      const leaves = isOf(transform.on);
      return stack.filter((frame) => !leaves(frame));
    }
    case 'collapse-subtree': {
      const first = stack.findIndex(isOf(transform.on));
      return first < 0 ? stack : stack.slice(0, first + 1);
    }
    case 'collapse-recursion': {
      const chosen = isOf(transform.on);
      return transform.direct
        ? collapseRuns(stack, (frame) => (chosen(frame) ? frame : null))
        : collapseRecursion(stack, chosen);
    }
    case 'collapse-module':
      return collapseRuns(stack, (frame) => {
        const { module } = splitFrame(frame);
        const chosen = transform.module === null ? module !== '' : module === transform.module;
        return chosen ? `${module}!${baseName(module)}` : null;
      });
    case 'collapse-path': {
      const matches = (frame: string): boolean => expressionOf(transform).test(splitFrame(frame).name);
      const modules = new Set([...all].filter(matches).map((frame) => splitFrame(frame).module));
      const label = transform.label || `/${transform.pattern}/${transform.ignoreCase ? 'i' : ''}`;
      const folded = `${modules.size === 1 ? [...modules][0] : ''}!${label}`;
      return collapseRuns(stack, (frame) => (matches(frame) ? folded : null));
    }
    case 'rename':
      return stack.map((frame) => {
        const { name, module } = splitFrame(frame);
        return `${module}!${name.replace(expressionOf(transform, 'g'), transform.replacement)}`;
      });
  }
}

export interface NaiveView {
  /** Stack of each sample; null if the sample is left out. */
  readonly stacks: readonly (Stack | null)[];
  readonly weights: Map<string, number>;
  readonly hiddenBy: readonly number[];
}

/** Applies transforms to a list of samples, one sample after the other. */
export function naiveView(samples: readonly FramedSample[], transforms: readonly StackTransform[]): NaiveView {
  let stacks: (Stack | null)[] = samples.map(({ stack }) => stack);
  let all = new Set(stacks.flatMap((stack) => stack ?? []));
  const hiddenBy = transforms.map((transform) => {
    if (!transform.enabled) return 0;
    const before = stacks;
    stacks = before.map((stack) => (stack === null ? null : transformStack(transform, stack, all)));
    // Frames of stacks that were left out are still functions of the profile, so each frame is transformed by itself.
    if (transform.kind === 'rename' || transform.kind === 'collapse-module' || transform.kind === 'collapse-path') {
      all = new Set([...all].flatMap((frame) => transformStack(transform, [frame], all) ?? []));
    }
    const left = samples.filter((_, index) => before[index] !== null && stacks[index] === null);
    return left.reduce((sum, { weight }) => sum + weight, 0);
  });
  const weights = new Map<string, number>();
  samples.forEach(({ weight }, index) => {
    const path = stacks[index]?.join(';');
    if (path !== undefined && weight !== 0) weights.set(path, (weights.get(path) ?? 0) + weight);
  });
  return { stacks, weights, hiddenBy };
}
