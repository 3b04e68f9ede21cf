import { codeKind, type CodeKind } from '#core/analyze/code-kind.ts';
import { functionRef } from '#core/analyze/function-ref.ts';
import type { FunctionRef } from '#core/analyze/function-ref.ts';
import type { FunctionKind } from '#core/model/profile.ts';
import type { PathEntry } from '#core/analyze/graph/flame-slice.ts';
import type { FunctionNames } from '../analysis/profile/protocol.ts';

/** Text of functions as the profile names them. Names are untrusted: they only ever become text nodes. */
export function functionName(functions: FunctionNames, func: number): string {
  return functions.strings[functions.name[func] ?? 0] ?? '';
}

export function functionModule(functions: FunctionNames, func: number): string {
  return functions.strings[functions.module[func] ?? 0] ?? '';
}

/** The module without the folders it lies in. */
export function functionModuleName(functions: FunctionNames, func: number): string {
  const module = functionModule(functions, func);
  return module.slice(module.lastIndexOf('/', module.length - 2) + 1);
}

/** `file:line`, `file`, or empty where the profile has no source. */
export function functionSource(functions: FunctionNames, func: number): string {
  const file = functions.strings[functions.file[func] ?? 0] ?? '';
  const line = functions.line[func] ?? 0;
  return file !== '' && line > 0 ? `${file}:${line}` : file;
}

/** What kind of code a function is, as far as its names tell. */
export function functionCode(functions: FunctionNames, func: number): CodeKind {
  return codeKind({ ...functionRefOf(functions, func), kind: functions.kind[func] as FunctionKind });
}

/** A function by its names, as it is found again under other transforms and in other profiles. */
export function functionRefOf(functions: FunctionNames, func: number): FunctionRef {
  return functionRef({ strings: functions.strings, functions }, func);
}

/** A path by names, without the tree's root. */
export function pathRefs(path: readonly PathEntry[]): FunctionRef[] {
  return path.flatMap(({ facts }) => {
    if (facts === null) return [];
    const { name, module, file, line } = facts;
    return [{ name, module, file, line }];
  });
}
