import { codeKind, CODE_KINDS, type CodeKind } from '#core/model/code-kind.ts';
import { functionRef, type FunctionRef } from '#core/analyze/function-ref.ts';
import { baseName } from '#core/model/base-name.ts';
import type { FunctionKind } from '#core/model/profile.ts';
import type { PathEntry } from '#core/analyze/graph/flame-slice.ts';
import type { FunctionNames } from '../analysis/profile/protocol.ts';
import type { FunctionTexts } from '../ui/table/table.types.ts';

/** Returns the function's name as the profile spells it. Names are untrusted and must only become text nodes. */
export function functionName(functions: FunctionNames, func: number): string {
  return functions.strings[functions.name[func] ?? 0] ?? '';
}

export function functionModule(functions: FunctionNames, func: number): string {
  return functions.strings[functions.module[func] ?? 0] ?? '';
}

/** Returns the module's name without its folders. */
export function functionModuleName(functions: FunctionNames, func: number): string {
  return baseName(functionModule(functions, func));
}

/** Returns `file:line` or `file`; empty if the profile has no source. */
export function functionSource(functions: FunctionNames, func: number): string {
  const file = functions.strings[functions.file[func] ?? 0] ?? '';
  const line = functions.line[func] ?? 0;
  return file !== '' && line > 0 ? `${file}:${line}` : file;
}

/** Classifies a function's code by its names. */
export function functionCode(functions: FunctionNames, func: number): CodeKind {
  return codeKind({ ...functionRefOf(functions, func), kind: functions.kind[func] as FunctionKind });
}

/** Returns a function's names, which identify it under other transforms and in other profiles. */
export function functionRefOf(functions: FunctionNames, func: number): FunctionRef {
  return functionRef({ strings: functions.strings, functions }, func);
}

/** Returns a path by names, without the tree's root. */
export function pathRefs(path: readonly PathEntry[]): FunctionRef[] {
  return path.flatMap(({ facts }) => {
    if (facts === null) return [];
    const { name, module, file, line } = facts;
    return [{ name, module, file, line }];
  });
}

export function functionTexts(functions: FunctionNames): FunctionTexts {
  return {
    name: (func) => functionName(functions, func),
    module: (func) => functionModule(functions, func),
    moduleId: (func) => functions.module[func] ?? 0,
    source: (func) => functionSource(functions, func),
    kind: (func) => CODE_KINDS[functionCode(functions, func)],
  };
}
