import type { FunctionFacts } from './function-facts.ts';
import { FunctionKind } from './profile.ts';

/** Kinds of code and the labels that users see. */
export const CODE_KINDS = {
  user: 'user',
  kernel: 'kernel',
  jit: 'JIT',
  interpreted: 'interpreted',
  lua: 'Lua',
  'go-runtime': 'Go runtime',
  unresolved: 'no symbol',
  other: 'kind unknown',
} as const;
export type CodeKind = keyof typeof CODE_KINDS;

/** Go's runtime package, and the functions that the compiler generates for types and for calls into C. */
const GO_RUNTIME = /^(?:runtime(?:\/[\w/]+)?|internal\/runtime(?:\/\w+)*|type:)\.(?!.*::)/;
const LUA = /\.lua(?:c|$|:\d)/;

export function codeKind(facts: Pick<FunctionFacts, 'name' | 'module' | 'file' | 'kind'>): CodeKind {
  switch (facts.kind) {
    case FunctionKind.kernel:
      return 'kernel';
    case FunctionKind.unresolved:
      return 'unresolved';
    case FunctionKind.synthetic:
      return 'other';
    default:
  }
  if (LUA.test(facts.file) || LUA.test(facts.module)) return 'lua';
  if (facts.kind === FunctionKind.jit) return 'jit';
  if (facts.kind === FunctionKind.interpreted) return 'interpreted';
  if (GO_RUNTIME.test(facts.name.slice(0, 200))) return 'go-runtime';
  return facts.kind === FunctionKind.user ? 'user' : 'other';
}
