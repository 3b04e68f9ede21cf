import type { FunctionStats } from '#core/analyze/view/stack-view.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import type { FunctionTexts } from '../table.types.ts';

/** A module of a view, with its functions and self weight. */
export interface ModuleRow {
  readonly id: number;
  /** The name with its folders; empty if functions have no module. */
  readonly name: string;
  readonly functions: number;
  /** Sum of self weights. Each stack ends in one function, so the weights of all modules add up. */
  readonly self: number;
}

/** Returns the modules, heaviest first. */
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

/** The result of filtering by name and by module. */
interface KeptRows {
  /** 1 per row that is kept, else 0; null if all are. */
  readonly kept: Uint8Array | null;
  readonly hiddenCount: number;
  /** Self weight of the hidden rows. */
  readonly hiddenSelf: number;
}

/** Filters rows by name and module. `matches` is 1 for each function whose name matches; null without a pattern. */
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
