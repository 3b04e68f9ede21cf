import { useMemo, useState } from 'react';
import type { FlameGraphProps } from '../../ui/flame/flame-graph-props.ts';
import { useKeymap } from '../../ui/keys/use-keymap.ts';
import { copyText } from '../../ui/copy-text.ts';
import { countOf } from '../../ui/format.ts';
import { useTabState, useView, useViewState } from '../../state/profile/context.ts';
import { useColours } from '../../state/use-colours.ts';
import { valueTypeText } from '../../state/value-type-text.ts';
import { weightAxis, weightFormat } from '../../state/weight-format.ts';

type GraphLook = Pick<
  FlameGraphProps,
  | 'keymap'
  | 'matches'
  | 'selectedFunction'
  | 'colourMode'
  | 'colourSlots'
  | 'format'
  | 'axis'
  | 'label'
  | 'onCopy'
  | 'onOrientationChange'
>;

interface Look {
  readonly look: GraphLook;
  /** Weights are counts already: how many samples a frame stands for says no more, or something else where a line counts for many. */
  readonly counts: boolean;
}

/** What all graphs of the view around have in common. `label` says what of the profile they show. */
export function useGraphLook(): Look {
  const view = useView();
  const { profile } = view;
  const picked = useViewState((state) => state.picked);
  const search = useViewState((state) => state.search);
  const found = search.status === 'matched' ? search.matches.flags : null;
  /** Stays while the next pattern runs: frames that light up in between are restless, and cost a drawing. */
  const [kept, setKept] = useState(found);
  if (search.status !== 'running' && kept !== found) setKept(found);
  const selection = useViewState((state) => state.selection);
  const { mode: colourMode, slots: colourSlots } = useColours();
  const { unit } = profile.valueTypes[selection.valueType]!;
  const format = useMemo(() => weightFormat(unit), [unit]);
  const axis = useMemo(() => weightAxis(unit), [unit]);
  const views = useTabState((state) => state.views);
  const place = views.length === 1 ? '' : `view ${views.indexOf(view) + 1}, `;
  const threads = selection.threads === null ? 'all threads' : countOf(selection.threads.length, 'thread');
  return {
    counts: unit === 'count',
    look: {
      keymap: useKeymap(),
      matches: search.status === 'running' ? kept : found,
      selectedFunction: picked?.func ?? null,
      colourMode,
      colourSlots,
      format,
      axis,
      label: `${place}${valueTypeText(profile.valueTypes, selection.valueType)}, ${threads}`,
      onCopy: (text) => void copyText(text),
      onOrientationChange: view.setOrientation,
    },
  };
}
