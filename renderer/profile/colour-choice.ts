import type { ColourMode } from '../flame/frame-colour.ts';
import type { FunctionNames } from '../worker/protocol.ts';

export type ColourChoice = ColourMode;

/** `function`: each function by itself, for profiles that name neither packages nor modules. */
export const COLOUR_CHOICES: readonly ColourChoice[] = ['package', 'module', 'kind', 'function', 'search'];

/** Plain folded stacks know names only; grouped by module or package they would all be grey. */
export function defaultColour(functions: FunctionNames): ColourChoice {
  const named = (func: number): boolean => functions.module[func] !== 0 || functions.file[func] !== 0;
  const grouped = functions.name.some((name, func) => named(func) || /\w(?:::|\.|\/)\w/.test(functions.strings[name]!));
  return grouped ? 'package' : 'function';
}
