import { frameColours } from '../flame/frame-colour.ts';
import type { ColourMode } from '../flame/frame-colour.ts';
import type { FunctionFacts, Theme } from '../flame/flame-graph.types.ts';
import type { FunctionNames } from '../worker/protocol.ts';

/** `function`: each function by itself, for profiles that name neither packages nor modules. */
export type ColourChoice = ColourMode | 'function';

export const COLOUR_CHOICES: readonly ColourChoice[] = ['package', 'module', 'kind', 'function'];

export function colourer(choice: ColourChoice, theme: Theme): (facts: FunctionFacts) => string {
  if (choice !== 'function') return frameColours(choice, theme);
  const byModule = frameColours('module', theme);
  return (facts) => byModule({ ...facts, module: facts.name });
}

/** Plain folded stacks know names only; grouped by module or package they would all be grey. */
export function defaultColour(functions: FunctionNames): ColourChoice {
  const named = (func: number): boolean => functions.module[func] !== 0 || functions.file[func] !== 0;
  const grouped = functions.name.some((name, func) => named(func) || /\w(?:::|\.|\/)\w/.test(functions.strings[name]!));
  return grouped ? 'package' : 'function';
}
