import { moduleBaseName } from '#core/analyze/transforms/describe-transform.ts';
import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import type { FunctionRef } from '#core/analyze/function-ref.ts';
import { functionModule, functionModuleName, functionName, functionRefOf } from '../function-text.ts';
import { NumberOrder } from '../../ui/table/number-order.ts';
import type { FunctionNames, FunctionRows } from '../../analysis/profile/protocol.ts';
import { holdsWords } from '../../ui/holds-words.ts';

/** A row of a list to choose from; `value` makes what is chosen. */
export interface Choice<T> {
  readonly name: string;
  readonly detail: string;
  /** In the value type’s unit. */
  readonly weight: number;
  readonly value: () => T;
}

/** Rows that are looked through: the heaviest. A list of more is no help, a pattern is. */
export const MAX_CHOICES = 5000;
const MAX_NAME = 120;

const shown = (text: string): string => shortenMiddle(visibleText(text.slice(0, 20_000)), MAX_NAME);

/** The functions of a view, the heaviest first. */
export function functionChoices(functions: FunctionNames, { func, total }: FunctionRows): Choice<FunctionRef>[] {
  const rows = new NumberOrder().order(total, true);
  return Array.from(rows.subarray(0, MAX_CHOICES), (row) => ({
    name: shown(functionName(functions, func[row]!)) || '(no name)',
    detail: shown(functionModuleName(functions, func[row]!)),
    weight: total[row]!,
    value: () => functionRefOf(functions, func[row]!),
  }));
}

/** The modules of a view's functions, those that spend most themselves first. */
export function moduleChoices(functions: FunctionNames, { func, self }: FunctionRows): Choice<string>[] {
  const selfOf = new Map<string, number>();
  for (let row = 0; row < func.length; row++) {
    const module = functionModule(functions, func[row]!);
    selfOf.set(module, (selfOf.get(module) ?? 0) + self[row]!);
  }
  return [...selfOf]
    .sort(([, a], [, b]) => b - a)
    .map(([module, weight]) => ({
      name: module === '' ? '(unknown)' : shown(moduleBaseName(module)),
      detail: shown(module),
      weight,
      value: () => module,
    }));
}

/** Choices whose name or detail holds the words, in whatever case. */
export function matchChoices<T>(choices: readonly Choice<T>[], text: string): readonly Choice<T>[] {
  if (text.trim() === '') return choices;
  const isMeant = holdsWords(text);
  return choices.filter(({ name, detail }) => isMeant(`${name} ${detail}`));
}
