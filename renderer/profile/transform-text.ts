import { shortenMiddle } from '#core/analyze/function-label.ts';
import { visibleText } from '../flame/frame-label.ts';
import { functionName } from '../state/function-text.ts';
import type { FunctionNames } from '../worker/protocol.ts';

/** Untrusted names as one line of bounded length. */
export function shortName(functions: FunctionNames, func: number, maxLength = 60): string {
  return shortenMiddle(visibleText(functionName(functions, func).slice(0, 20_000)), maxLength);
}
