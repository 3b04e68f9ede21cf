import { baseName } from '#core/model/base-name.ts';
import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import type { FunctionRef } from '#core/analyze/function-ref.ts';
import { functionModule, functionModuleName, functionName, functionRefOf } from '../function-text.ts';
import { NumberOrder } from '../../ui/table/grid/number-order.ts';
import type { FunctionNames, FunctionRows } from '../../analysis/profile/protocol.ts';
import { containsWords } from '#core/contract/contains-words.ts';

/** A row of a list of choices; `value` creates the chosen value. */
export interface ChoiceRow<T> {
  readonly name: string;
  readonly detail: string;
  /** Weight in the value type's unit. */
  readonly weight: number;
  readonly value: () => T;
}

/** Number of rows that are searched, heaviest first. Beyond this a pattern is more useful than a list. */
export const MAX_CHOICES = 5000;
const MAX_NAME = 120;

const shown = (text: string): string => shortenMiddle(visibleText(text.slice(0, 20_000)), MAX_NAME);

/** Returns the functions of a view, heaviest first. */
export function functionChoices(functions: FunctionNames, { func, total }: FunctionRows): ChoiceRow<FunctionRef>[] {
  const rows = new NumberOrder().order(total, true);
  return Array.from(rows.subarray(0, MAX_CHOICES), (row) => ({
    name: shown(functionName(functions, func[row]!)) || '(no name)',
    detail: shown(functionModuleName(functions, func[row]!)),
    weight: total[row]!,
    value: () => functionRefOf(functions, func[row]!),
  }));
}

/** Returns the modules of a view's functions, greatest self weight first. */
export function moduleChoices(functions: FunctionNames, { func, self }: FunctionRows): ChoiceRow<string>[] {
  const selfOf = new Map<string, number>();
  for (let row = 0; row < func.length; row++) {
    const module = functionModule(functions, func[row]!);
    selfOf.set(module, (selfOf.get(module) ?? 0) + self[row]!);
  }
  return [...selfOf]
    .sort(([, a], [, b]) => b - a)
    .map(([module, weight]) => ({
      name: module === '' ? '(unknown)' : shown(baseName(module)),
      detail: shown(module),
      weight,
      value: () => module,
    }));
}

/** Returns the choices whose name or detail contains all the words, ignoring case. */
export function matchChoices<T>(choices: readonly ChoiceRow<T>[], text: string): readonly ChoiceRow<T>[] {
  if (text.trim() === '') return choices;
  const isMeant = containsWords(text);
  return choices.filter(({ name, detail }) => isMeant(`${name} ${detail}`));
}
