import { columnFrom } from '#core/analyze/tree/pixel-nodes.ts';
import type { FlameSlice } from '#core/analyze/graph/flame-slice.ts';
import { legendGroup, type ColourGroup, type ColourScheme } from '#core/colour/frame-colour.ts';

export interface LegendEntry extends ColourGroup {
  /** Weight of the stacks that pass through a frame of the group, within the visible width. */
  readonly weight: number;
  /** True if part of the weight is too narrow to draw and was counted in columns of pixels. */
  readonly isEstimate: boolean;
}

type Entry = { -readonly [Key in keyof LegendEntry]: LegendEntry[Key] };

/** Returns the groups of the drawing, frames and texture, heaviest first. */
export function legendOf(data: FlameSlice, scheme: ColourScheme): LegendEntry[] {
  const entries = new Map<string, Entry>();
  const entryOf = new Map<number, Entry>();
  for (const [func, facts] of data.functions) {
    const group = legendGroup(facts, scheme);
    const key = `${group.label}\u0000${group.colour}`;
    const entry = entries.get(key) ?? { ...group, weight: 0, isEstimate: false };
    entries.set(key, entry);
    entryOf.set(func, entry);
  }
  addFrames(data, entryOf);
  addTexture(data, entryOf);
  return [...entries.values()].sort((a, b) => b.weight - a.weight);
}

/** Adds the drawn frames' weights; a frame inside another one of its group counts only with that one. */
function addFrames({ slice, func }: FlameSlice, entryOf: ReadonlyMap<number, Entry>): void {
  for (let row = 0; row < slice.length; row++) {
    const entry = entryOf.get(func[row]!);
    if (entry === undefined) continue;
    let above = slice.parent[row]!;
    while (above >= 0 && entryOf.get(func[above]!) !== entry) above = slice.parent[above]!;
    if (above < 0) entry.weight += slice.total[row]!;
  }
}

/** Counts each column once per group in its texture, unless a frame of the group covers it. */
function addTexture({ slice, func, texture = null }: FlameSlice, entryOf: ReadonlyMap<number, Entry>): void {
  if (texture === null) return;
  const { columns, first, last } = texture;
  const weightPerColumn = (last - first) / columns;
  const columnAt = (weight: number): number => Math.max(0, columnFrom(texture, weight));
  const counted = new Map<Entry | undefined, Uint8Array>();
  for (const hidden of new Set(texture.func)) {
    const entry = entryOf.get(hidden);
    if (entry !== undefined) counted.set(entry, new Uint8Array(columns));
  }
  for (let row = 0; row < slice.length; row++) {
    const start = slice.start[row]!;
    counted.get(entryOf.get(func[row]!))?.fill(1, columnAt(start), columnAt(start + slice.total[row]!));
  }
  for (let at = 0; at < texture.func.length; at++) {
    const entry = entryOf.get(texture.func[at]!);
    const covered = counted.get(entry);
    if (entry === undefined || covered === undefined || covered[at % columns] === 1) continue;
    covered[at % columns] = 1;
    entry.weight += weightPerColumn;
    entry.isEstimate = true;
  }
}

/** Returns the entries whose label contains the query, ignoring case. */
export function legendMatches(entries: readonly LegendEntry[], query: string): readonly LegendEntry[] {
  const sought = query.trim().toLowerCase();
  return sought === '' ? entries : entries.filter(({ label }) => label.toLowerCase().includes(sought));
}

/** Returns the entry's share of `whole`; estimates are rounded to whole percent. `share` formats exact shares. */
export function legendShare(
  { weight, isEstimate }: LegendEntry,
  whole: number,
  share: (part: number, whole: number) => string,
): string {
  if (!isEstimate) return share(weight, whole);
  const percent = Math.round((100 * weight) / whole);
  return percent < 1 ? '< 1 %' : `≈ ${Math.min(100, percent)} %`;
}
