import type { FunctionKind } from '#core/model/profile.ts';
import { CODE_KINDS, codeKind } from '../flame/code-kind.ts';
import { functionModule, functionName, functionSource } from '../state/function-text.ts';
import type { FunctionNames } from '../worker/protocol.ts';
import type { FunctionTexts } from './table.types.ts';

export function functionTexts(functions: FunctionNames): FunctionTexts {
  const text = (string: number | undefined): string => functions.strings[string ?? 0] ?? '';
  return {
    name: (func) => functionName(functions, func),
    module: (func) => functionModule(functions, func),
    moduleId: (func) => functions.module[func] ?? 0,
    source: (func) => functionSource(functions, func),
    kind: (func) => {
      const facts = {
        name: functionName(functions, func),
        module: functionModule(functions, func),
        file: text(functions.file[func]),
        line: functions.line[func] ?? 0,
        kind: functions.kind[func] as FunctionKind,
      };
      return CODE_KINDS[codeKind(facts)];
    },
  };
}
