import { CODE_KINDS, codeKind } from '#core/model/code-kind.ts';
import { functionRef, type NamedFunctions } from '#core/analyze/function-ref.ts';
import { functionFacts } from '../../core/model/function-facts.ts';
import type { FunctionTexts } from '../ui/table/table.types.ts';

export function functionTexts(table: NamedFunctions): FunctionTexts {
  return {
    name: (func) => functionRef(table, func).name,
    module: (func) => functionRef(table, func).module,
    moduleId: (func) => table.functions.module[func] ?? 0,
    source(func) {
      const { file, line } = functionRef(table, func);
      return line > 0 ? `${file}:${line}` : file;
    },
    kind: (func) => CODE_KINDS[codeKind(functionFacts(table, func))],
  };
}
