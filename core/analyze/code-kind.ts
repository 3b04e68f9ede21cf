import { FunctionKind } from '../model/profile.ts';

/** Kinds of code that are told apart, with what users read. */
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

/** What the kind of a function's code is told from. */
export interface CodeFacts {
  readonly name: string;
  /** Empty where unknown, as `file`. */
  readonly module: string;
  readonly file: string;
  readonly kind: FunctionKind;
}

/** Go's own package, and what it generates for types and calls into C. */
const GO_RUNTIME = /^(?:runtime(?:\/[\w/]+)?|internal\/runtime(?:\/\w+)*|type:)\.(?!.*::)/;
const LUA = /\.lua(?:c|$|:\d)/;

export function codeKind(facts: CodeFacts): CodeKind {
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
