import { CODE_KINDS, codeKind, type CodeKind } from '#core/model/code-kind.ts';
import { FunctionKind } from '#core/model/profile.ts';
import type { FunctionFacts } from '#core/model/function-facts.ts';

/** Kinds of frames that have a colour, with their names in the legend: those of code, and inlined frames. */
export const FRAME_KINDS = { ...CODE_KINDS, inlined: 'inlined' } as const;
export type FrameKind = CodeKind | 'inlined';

export function frameKind(facts: FunctionFacts): FrameKind {
  const kind = codeKind(facts);
  const isPlain = kind === 'user' || (kind === 'other' && facts.kind !== FunctionKind.synthetic);
  return isPlain && facts.inlined === true ? 'inlined' : kind;
}
