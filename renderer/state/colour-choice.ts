import { colourSlots, type ColourMode, type ColourScheme } from '#core/colour/frame-colour.ts';
import { usualColourMode } from '#core/colour/usual-mode.ts';
import { functionFacts } from '../../core/model/function-facts.ts';
import type { OpenedProfile } from '../analysis/profile/protocol.ts';

export type ColourChoice = ColourMode;

/** `function` colours each function separately, for profiles that name neither packages nor modules. */
export const COLOUR_CHOICES: readonly ColourChoice[] = ['package', 'class', 'module', 'kind', 'function', 'search'];

export const defaultColour = ({ functions, heaviest }: Pick<OpenedProfile, 'functions' | 'heaviest'>): ColourChoice =>
  usualColourMode({ strings: functions.strings, functions }, heaviest);

/**
 * Gives the heaviest functions of the whole profile their own colours, so that colours do not depend on the selection.
 */
export function profileColours({ functions, heaviest }: OpenedProfile, mode: ColourMode): ColourScheme['slots'] {
  const names = { strings: functions.strings, functions };
  return colourSlots(
    heaviest.map((func) => functionFacts(names, func)),
    mode,
  );
}
