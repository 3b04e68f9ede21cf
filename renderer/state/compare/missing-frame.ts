import { visibleText } from '#core/analyze/function-label.ts';
import { fitName } from '../../ui/format.ts';
import type { MissingFrame } from '../../ui/flame/view.types.ts';
import { functionName } from '../function-text.ts';
import type { PathDetail } from '../../analysis/comparison/protocol.ts';
import type { FunctionNames } from '../../analysis/profile/protocol.ts';
import type { Side } from '#core/contract/side.ts';

/** Longer names would cover the neighbouring frames. */
const MAX_NAME = 48;
/** Names can be megabytes long; only this many characters are read. */
const MAX_READ = 2000;

/**
 * Returns where a path below the zoomed root would be on the side that lacks it, and its label; null if the side has
 * it.
 */
export function missingIn(
  functions: FunctionNames,
  path: PathDetail | null,
): Readonly<Record<Side, MissingFrame | null>> {
  const { func = null, depth = null } = path ?? {};
  if (path === null || func === null || depth === null || depth === 0) return { before: null, after: null };
  const { starts, judgement } = path;
  const name = fitName(visibleText(functionName(functions, func).slice(0, MAX_READ)), MAX_NAME);
  const missing = (side: Side): MissingFrame | null =>
    judgement[side] === 0 ? { text: `not in ${side}: ${name}`, start: starts[side], depth } : null;
  return { before: missing('before'), after: missing('after') };
}
