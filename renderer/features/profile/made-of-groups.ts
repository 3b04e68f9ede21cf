import { colourGroup, colourLabel, type ColourGroup, type ColourScheme } from '../../ui/flame/frame-colour.ts';
import { functionFacts } from '../../../core/analyze/graph/tree-source.ts';
import type { FunctionNames, LeafRows } from '../../analysis/profile/protocol.ts';

/** What part of a weight is spent in one group of functions. */
export interface MadeOfRow extends ColourGroup {
  readonly weight: number;
}

export interface MadeOf {
  readonly total: number;
  /** The heaviest groups. */
  readonly rows: readonly MadeOfRow[];
  /** The others. */
  readonly rest: { readonly groups: number; readonly weight: number };
}

/** What functions weigh in groups as colours make them; at most so many are named. */
export function madeOf(
  { func, weight }: LeafRows,
  functions: FunctionNames,
  scheme: ColourScheme,
  most: number,
): MadeOf {
  const names = { strings: functions.strings, functions };
  const groups = new Map<string, { readonly func: number; weight: number }>();
  let total = 0;
  for (const [row, one] of func.entries()) {
    const label = colourLabel(functionFacts(names, one), scheme.mode);
    let group = groups.get(label);
    if (group === undefined) {
      group = { func: one, weight: 0 };
      groups.set(label, group);
    }
    group.weight += weight[row]!;
    total += weight[row]!;
  }
  const ordered = [...groups.values()].sort((a, b) => b.weight - a.weight);
  return {
    total,
    rows: ordered
      .slice(0, most)
      .map((group) => ({ ...colourGroup(functionFacts(names, group.func), scheme), weight: group.weight })),
    rest: {
      groups: Math.max(0, ordered.length - most),
      weight: ordered.slice(most).reduce((sum, group) => sum + group.weight, 0),
    },
  };
}
