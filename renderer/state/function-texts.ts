import { CODE_KINDS } from '#core/analyze/code-kind.ts';
import { functionCode, functionModule, functionName, functionSource } from './function-text.ts';
import type { FunctionNames } from '../analysis/profile/protocol.ts';
import type { FunctionTexts } from '../ui/table/table.types.ts';

export function functionTexts(functions: FunctionNames): FunctionTexts {
  return {
    name: (func) => functionName(functions, func),
    module: (func) => functionModule(functions, func),
    moduleId: (func) => functions.module[func] ?? 0,
    source: (func) => functionSource(functions, func),
    kind: (func) => CODE_KINDS[functionCode(functions, func)],
  };
}
