import { useStore } from '../../state/store.ts';
import type { ViewState } from '../../state/profile/view-state.ts';
import { useTabState, useView, useViewState } from '../../state/profile/context.ts';

/** Of what concerns all linked views, the one in front tells: whether it does so for the view around. */
export function useSpokenFor(tells: (state: ViewState) => boolean): boolean {
  const view = useView();
  const linked = useViewState((state) => state.linked);
  const front = useTabState((state) => state.activeView) ?? view;
  const frontTells = useStore(front.store, (state) => state.linked && tells(state));
  return front !== view && linked && frontTells;
}
