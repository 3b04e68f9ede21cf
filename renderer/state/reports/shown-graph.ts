import type { ShownGraph } from '../../analysis/profile/report/report-protocol.ts';
import { defaultColour, profileColours } from '../colour-choice.ts';
import type { ProfileView } from '../profile/view.ts';
import type { ViewState } from '../profile/view-state.ts';

/** Returns the graph that a view has on screen; null before its first analysis. */
export function shownGraph({ profile, store }: ProfileView): ShownGraph | null {
  const state = store.get();
  const { analysis, colour, orientation, search, searchText } = state;
  if (analysis === null) return null;
  const mode = colour ?? defaultColour(profile);
  return {
    revision: analysis.revision,
    graph: graphOf(state, analysis.tree),
    orientation,
    colours: { mode, slots: profileColours(profile, mode) },
    matches: search.status === 'matched' ? search.matches.flags : null,
    search: searchText,
  };
}

function graphOf(
  { graphPlaces, zoomNode }: ViewState,
  { kind, widths = 'time' }: ViewState['tree'],
): ShownGraph['graph'] {
  if (kind === 'time-order') return { kind, widths, at: graphPlaces.timeOrder };
  if (kind === 'sandwich') {
    return { kind, ...(graphPlaces.sandwich ?? { centre: null, callers: null, callees: null }) };
  }
  return { kind: 'own', node: zoomNode };
}
