import type { FlameViewState } from './flame-view.types.ts';

/** What a change of makes another drawing of the same slice. */
const LOOKS = [
  'orientation',
  'matches',
  'colourOf',
  'deltaLook',
  'isLit',
  'matchColour',
  'theme',
  'format',
  'axis',
] as const satisfies readonly (keyof FlameViewState)[];

/** Whether the same slice looks another way. */
export function looksOther(before: FlameViewState, next: FlameViewState): boolean {
  return LOOKS.some((part) => before[part] !== next[part]);
}
