import { shortenMiddle } from '#core/analyze/function-label.ts';
import type { Transform } from '#core/analyze/stack-view.ts';
import { visibleText } from '../flame/frame-label.ts';
import { functionName } from '../state/function-text.ts';
import type { FunctionNames } from '../worker/protocol.ts';

const KINDS: Readonly<Record<Transform['kind'], string>> = {
  focus: 'focus',
  hide: 'hide',
  merge: 'merge',
  'collapse-recursion': 'collapse recursion',
};

/** Untrusted names as one line of bounded length. */
export function shortName(functions: FunctionNames, func: number, maxLength = 60): string {
  return shortenMiddle(visibleText(functionName(functions, func).slice(0, 20_000)), maxLength);
}

/** `focus: compile` */
export function transformText(transform: Transform, functions: FunctionNames): string {
  return `${KINDS[transform.kind]}: ${shortName(functions, transform.func, 40)}`;
}

const MEANINGS: Readonly<Record<Transform['kind'], string>> = {
  focus: 'Only stacks that hold the function, from it on',
  hide: 'Without the stacks that hold the function',
  merge: 'The function taken out of its stacks, its weight with its caller',
  'collapse-recursion': 'Recursive calls folded into the outermost one',
};

export function transformMeaning(transform: Transform): string {
  return MEANINGS[transform.kind];
}
