import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import { functionName } from './function-text.ts';
import type { FunctionNames } from '../analysis/profile/protocol.ts';

/** Untrusted names as one line of bounded length. */
export function shortName(functions: FunctionNames, func: number, maxLength = 60): string {
  return shortenMiddle(visibleText(functionName(functions, func).slice(0, 20_000)), maxLength);
}
