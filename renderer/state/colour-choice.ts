import { colourSlots, type ColourMode, type ColourScheme } from '../ui/flame/frame-colour.ts';
import { functionFacts } from '../../core/analyze/graph/tree-source.ts';
import type { FunctionNames, OpenedProfile } from '../analysis/profile/protocol.ts';

export type ColourChoice = ColourMode;

/** `function`: each function by itself, for profiles that name neither packages nor modules. */
export const COLOUR_CHOICES: readonly ColourChoice[] = ['package', 'module', 'kind', 'function', 'search'];

/** Plain folded stacks know names only; grouped by module or package they would all be grey. */
export function defaultColour(functions: FunctionNames): ColourChoice {
  const named = (func: number): boolean => functions.module[func] !== 0 || functions.file[func] !== 0;
  const grouped = functions.name.some((name, func) => named(func) || /\w(?:::|\.|\/)\w/.test(functions.strings[name]!));
  return grouped ? 'package' : 'function';
}

/** What weighs most in the whole profile has colours of its own, whatever part of it is looked at. */
export function profileColours({ functions, heaviest }: OpenedProfile, mode: ColourMode): ColourScheme['slots'] {
  const names = { strings: functions.strings, functions };
  return colourSlots(
    heaviest.map((func) => functionFacts(names, func)),
    mode,
  );
}
