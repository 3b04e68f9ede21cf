import { colourGroup, type ColourScheme } from '../flame/frame-colour.ts';
import { functionFacts } from '../flame/tree-source.ts';
import type { FunctionNames, LeafRows } from '../worker/protocol.ts';

/** What part of a weight is spent in one group of functions. */
export interface MadeOfRow {
  /** Empty where nothing is known to group by. */
  readonly label: string;
  readonly colour: string;
  readonly weight: number;
}

/** The groups of what functions weigh, as colours group them, the heaviest first. */
export function madeOf({ func, weight }: LeafRows, functions: FunctionNames, scheme: ColourScheme): MadeOfRow[] {
  const names = { strings: functions.strings, functions };
  const groups = new Map<string, { label: string; colour: string; weight: number }>();
  for (const [row, one] of func.entries()) {
    const { label, colour } = colourGroup(functionFacts(names, one), scheme);
    const group = groups.get(label) ?? { label, colour, weight: 0 };
    groups.set(label, group);
    group.weight += weight[row]!;
  }
  return [...groups.values()].sort((a, b) => b.weight - a.weight);
}
