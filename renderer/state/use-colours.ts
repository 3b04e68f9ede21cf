import { useMemo } from 'react';
import type { ColourScheme } from '../ui/flame/frame-colour.ts';
import { defaultColour, profileColours } from './colour-choice.ts';
import { useView, useViewState } from './profile/context.ts';

/** By what frames of the view share a colour, and which groups have one of their own. */
export function useColours(): Pick<ColourScheme, 'mode' | 'slots'> {
  const { profile } = useView();
  const chosen = useViewState((state) => state.colour);
  const usual = useMemo(() => defaultColour(profile.functions), [profile]);
  const mode = chosen ?? usual;
  return useMemo(() => ({ mode, slots: profileColours(profile, mode) }), [profile, mode]);
}
