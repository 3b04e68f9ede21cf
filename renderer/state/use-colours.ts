import { useMemo } from 'react';
import type { ColourScheme } from '#core/colour/frame-colour.ts';
import { defaultColour, profileColours } from './colour-choice.ts';
import { useView, useViewState } from './profile/context.ts';

/** Returns the view's colour mode and the groups that have a colour of their own. */
export function useColours(): Pick<ColourScheme, 'mode' | 'slots'> {
  const { profile } = useView();
  const chosen = useViewState((state) => state.colour);
  const usual = useMemo(() => defaultColour(profile), [profile]);
  const mode = chosen ?? usual;
  return useMemo(() => ({ mode, slots: profileColours(profile, mode) }), [profile, mode]);
}
