import { shortenMiddle } from '#core/analyze/function-label.ts';
import type { NamedTransform } from '#core/analyze/named-transform.ts';
import { visibleText } from '../flame/frame-label.ts';
import { functionName } from '../state/function-text.ts';
import type { FunctionNames } from '../worker/protocol.ts';

/** Untrusted names as one line of bounded length. */
export function shortName(functions: FunctionNames, func: number, maxLength = 60): string {
  return shortenMiddle(visibleText(functionName(functions, func).slice(0, 20_000)), maxLength);
}

const MEANINGS: Readonly<Record<NamedTransform['kind'], string>> = {
  focus: 'Only stacks that hold the function, from it on',
  hide: 'Without the stacks that hold the function',
  merge: 'The function taken out of its stacks, its weight with its caller',
  'drop-without': 'Only stacks that hold the function, whole',
  'collapse-subtree': 'What the function calls, folded into it',
  'collapse-recursion': 'Recursive calls folded into the outermost one',
  'collapse-module': 'Consecutive frames of a module as one frame',
  'collapse-path': 'Consecutive frames that match as one frame',
  rename: 'Functions under other names; those of one name and module are one',
};

export function transformMeaning(transform: NamedTransform): string {
  return MEANINGS[transform.kind];
}
