import { compareText } from '#core/analyze/compare-text.ts';
import type { NamedFunctions } from '#core/analyze/function-ref.ts';
import type { FunctionText } from '../../core/analyze/tables/table-protocol.ts';

/**
 * The place of every function in the order of a text, by function index; equal texts have equal places. Texts are compared by UTF-16 code
 * units. Sorting a million names takes a second: this runs in the worker, once per column, and the table sorts numbers.
 */
export function textRanks({ functions, strings }: NamedFunctions, by: FunctionText): Int32Array {
  const column = by === 'source' ? functions.file : functions[by];
  const ranks = stringRanks(strings, column);
  const ranked = Int32Array.from(column, (string) => ranks[string]!);
  return by === 'source' ? withLines(ranked, functions.line) : ranked;
}

function stringRanks(strings: readonly string[], used: Int32Array): Int32Array {
  const ranks = new Int32Array(strings.length).fill(-1);
  const sorted = [...new Set(used)].map((index) => [strings[index]!, index] as const);
  sorted.sort(([a], [b]) => compareText(a, b));
  let rank = -1;
  sorted.forEach(([text, index], place) => {
    if (place === 0 || sorted[place - 1]![0] !== text) rank += 1;
    ranks[index] = rank;
  });
  return ranks;
}

function withLines(files: Int32Array, lines: Int32Array): Int32Array {
  const order = Int32Array.from(files.keys()).sort((a, b) => files[a]! - files[b]! || lines[a]! - lines[b]!);
  const ranks = new Int32Array(files.length);
  order.forEach((func, place) => {
    const before = order[place - 1];
    const isSame = before !== undefined && files[before] === files[func] && lines[before] === lines[func];
    ranks[func] = isSame ? ranks[before]! : place;
  });
  return ranks;
}
