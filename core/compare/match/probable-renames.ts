import { functionRef } from '../../analyze/function-ref.ts';
import { quoteArgv } from '../../contract/quote-argv.ts';
import type { Side } from '../../contract/side.ts';
import type { CompareWarning } from '../compare-warning.ts';
import { COLUMN } from '../measure/measure-capture.ts';
import type { MeasuredCapture } from '../measure/measured-capture.ts';
import type { MatchedFunctions } from './match-functions.ts';
import { pairText, type MatchPair } from './match-rules.ts';

/** Least share of a side's weight, in total, of a function whose rename is worth mentioning. */
const LEAST_SHARE = 0.01;
/** Least part of the weight that the same callers cause on both sides. */
const SAME_CALLERS = 0.8;
/** Most by which the weights may differ, as a factor. */
const SIMILAR_WEIGHT = 2;
/** Most functions that one was split into. */
const MOST_PARTS = 4;
/** More are not read; the heaviest come first. */
const MOST_OFFERED = 5;

/** A function that only one side has. */
interface Lone {
  readonly name: string;
  readonly module: string;
  /** Mean share of the side's weight, in total. */
  readonly share: number;
  /** Share of its weight by caller; −1: none. */
  readonly callers: ReadonlyMap<number, number>;
}

/**
 * Offers to match functions that only one side has: at any weight with the only one of the same name in another module;
 * otherwise with one that has the same callers and a similar weight, or with several that have it together.
 */
export function probableRenames(
  captures: Readonly<Record<Side, readonly MeasuredCapture[]>>,
  matched: MatchedFunctions,
): CompareWarning[] {
  const { onlyBefore, onlyAfter } = matched;
  if (onlyBefore.length === 0 || onlyAfter.length === 0) return [];
  const gone = functionsOfOneSide(captures.before, matched.before, onlyBefore, matched);
  const added = functionsOfOneSide(captures.after, matched.after, onlyAfter, matched);
  const taken = new Set<Lone>();
  const [goneByName, addedByName] = [Map.groupBy(gone, ({ name }) => name), Map.groupBy(added, ({ name }) => name)];
  const moved = gone.flatMap((one) => {
    const [other, ...more] = addedByName.get(one.name) ?? [];
    if (other === undefined || more.length > 0 || goneByName.get(one.name)!.length > 1) return [];
    taken.add(one).add(other);
    return [offer('moved', one, [other], 'the same name in another module')];
  });
  const heavy = (list: readonly Lone[]): Lone[] => list.filter((one) => one.share >= LEAST_SHARE && !taken.has(one));
  const joined = heavy(added).flatMap((one) => {
    const parts = partsOf(
      one,
      heavy(gone).filter((other) => hasSameCallers(one, other)),
    );
    if (parts.length < 2) return [];
    for (const each of [one, ...parts]) taken.add(each);
    return [offer('joined', one, parts, 'the same callers and a similar weight together')];
  });
  const renamed = heavy(gone).flatMap((one) => {
    const alike = heavy(added).filter((other) => hasSameCallers(one, other));
    const parts = partsOf(one, alike);
    for (const part of parts) taken.add(part);
    const [what, why] = parts.length === 1 ? (['renamed', 'weight'] as const) : (['split', 'weight together'] as const);
    return parts.length === 0 ? [] : [offer(what, one, parts, `the same callers and a similar ${why}`)];
  });
  return [...moved, ...joined, ...renamed].slice(0, MOST_OFFERED);
}

/** Returns the one of `alike` with the most similar weight, or all of them if their sum is more similar; empty: none. */
function partsOf(one: Lone, alike: readonly Lone[]): readonly Lone[] {
  const [nearest] = alike.toSorted((a, b) => ratio(one.share, a.share) - ratio(one.share, b.share));
  if (nearest === undefined) return [];
  const together = alike.reduce((sum, { share }) => sum + share, 0);
  const isSplit = alike.length <= MOST_PARTS && ratio(one.share, together) < ratio(one.share, nearest.share);
  return ratio(one.share, isSplit ? together : nearest.share) > SIMILAR_WEIGHT ? [] : isSplit ? alike : [nearest];
}

/** `one` is only after if others were joined into it, else only before; `others` are on the other side. */
function offer(
  what: 'moved' | 'renamed' | 'split' | 'joined',
  one: Lone,
  others: readonly Lone[],
  why: string,
): CompareWarning {
  const isNewName = what === 'moved' || what === 'renamed';
  const pairs = others.map(({ name }): MatchPair =>
    isNewName ? { before: one.name, after: name } : { before: name, after: one.name },
  );
  const texts = pairs.map(pairText);
  const place = ({ name, module }: Lone): string => (module === '' ? name : `${name} [${module}]`);
  const [side, other] = what === 'joined' ? ['after', 'before'] : ['before', 'after'];
  // `--match` takes one `=`.
  const isWritable = texts.every((text) => text.split('=').length === 2);
  const how = isWritable ? ` ${quoteArgv(texts.flatMap((text) => ['--match', text]))} matches them.` : '';
  return {
    code: `probably-${what}`,
    message: `${place(one)} is only ${side} and ${others.map(place).join(', ')} only ${other}, with ${why}: probably ${what}.${how}`,
    pairs,
  };
}

const ratio = (a: number, b: number): number => Math.max(a / b, b / a);

function hasSameCallers(a: Lone, b: Lone): boolean {
  let same = 0;
  for (const [caller, share] of a.callers) same += Math.min(share, b.callers.get(caller) ?? 0);
  return same >= SAME_CALLERS;
}

/** Returns the functions, heaviest first. */
function functionsOfOneSide(
  captures: readonly MeasuredCapture[],
  functions: readonly Int32Array[],
  only: readonly number[],
  { table }: MatchedFunctions,
): Lone[] {
  const weights = new Map(only.map((func) => [func, new Map<number, number>()]));
  captures.forEach((capture, place) => addCallers(weights, capture, functions[place]!));
  return only
    .map((func): Lone => {
      const { name, module } = functionRef(table, func);
      const callers = weights.get(func)!;
      const sum = [...callers.values()].reduce((total, weight) => total + weight, 0);
      const shares = [...callers].map(([caller, weight]) => [caller, weight / sum] as const);
      return { name, module, share: sum / captures.length, callers: new Map(sum === 0 ? [] : shares) };
    })
    .sort((a, b) => b.share - a.share);
}

/** Adds the share of the capture's weight that each caller causes in each function; recursion counts once. */
function addCallers(
  weights: ReadonlyMap<number, Map<number, number>>,
  { view, self, columns, whole }: MeasuredCapture,
  functions: Int32Array,
): void {
  const { length, parent, func } = view;
  const all = Math.abs(whole[COLUMN.weight]!);
  if (all === 0) return;
  const total = Float64Array.from({ length }, (_, row) => Math.abs(self[row * columns + COLUMN.weight]!));
  for (let row = length - 1; row > 0; row--) if (parent[row]! >= 0) total[parent[row]!]! += total[row]!;
  for (let row = 0; row < length; row++) {
    const own = functions[func[row]!]!;
    const callers = weights.get(own);
    const caller = parent[row]! < 0 ? -1 : functions[func[parent[row]!]!]!;
    if (callers === undefined || caller === own) continue;
    callers.set(caller, (callers.get(caller) ?? 0) + total[row]! / all);
  }
}
