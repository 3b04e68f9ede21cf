import type { FunctionStats } from '#core/analyze/view/stack-view.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import type { FunctionTexts } from './table.types.ts';

/** One module of a view: its functions and what they weigh by themselves. */
export interface ModuleRow {
  readonly id: number;
  /** With its folders; empty where functions have none. */
  readonly name: string;
  readonly functions: number;
  /** Self weights together: stacks end in one function, so modules' weights add up. */
  readonly self: number;
}

/** Heaviest first. */
export function moduleRows(stats: FunctionStats, texts: FunctionTexts): ModuleRow[] {
  const sums = new Map<number, { name: string; functions: number; self: number }>();
  for (let row = 0; row < stats.length; row++) {
    const func = stats.func[row] as FunctionIndex;
    const id = texts.moduleId(func);
    const sum = sums.get(id) ?? { name: texts.module(func), functions: 0, self: 0 };
    sum.functions += 1;
    sum.self += stats.self[row]!;
    sums.set(id, sum);
  }
  return [...sums]
    .map(([id, sum]) => ({ id, ...sum }))
    .sort((a, b) => b.self - a.self || b.functions - a.functions || (a.name < b.name ? -1 : 1));
}

/** What a filter of names and one of modules leave, and what they hide. */
export interface KeptRows {
  /** 1 per row that stays; null: all do. */
  readonly kept: Uint8Array | null;
  readonly hiddenCount: number;
  /** Self weight of what is hidden. */
  readonly hiddenSelf: number;
}

/** `matches`: 1 per function whose name matches; null: no pattern. */
export function keepRows(
  stats: FunctionStats,
  texts: FunctionTexts,
  matches: Uint8Array | null,
  hiddenModules: readonly string[],
): KeptRows {
  if (matches === null && hiddenModules.length === 0) return { kept: null, hiddenCount: 0, hiddenSelf: 0 };
  const hidden = new Set(hiddenModules);
  const isHidden = new Map<number, boolean>();
  const kept = new Uint8Array(stats.length);
  let hiddenCount = 0;
  let hiddenSelf = 0;
  for (let row = 0; row < stats.length; row++) {
    const func = stats.func[row] as FunctionIndex;
    let stays = matches === null || matches[func] === 1;
    if (stays && hidden.size > 0) {
      const id = texts.moduleId(func);
      let ofHidden = isHidden.get(id);
      if (ofHidden === undefined) isHidden.set(id, (ofHidden = hidden.has(texts.module(func))));
      stays = !ofHidden;
    }
    if (stays) kept[row] = 1;
    else {
      hiddenCount += 1;
      hiddenSelf += stats.self[row]!;
    }
  }
  return { kept, hiddenCount, hiddenSelf };
}
