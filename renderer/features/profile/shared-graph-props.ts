import { useCallback, useMemo, useState } from 'react';
import type { CallNodeIndex } from '#core/model/brand.ts';
import type { GraphFacts, GraphRef } from '../../analysis/profile/graph-protocol.ts';
import type { Analysis } from '../../analysis/profile/protocol.ts';
import type { FlameGraphProps } from '../../ui/flame/graph-props.ts';
import { useKeymap } from '../../ui/keys/use-keymap.ts';
import { copyText } from '../../ui/copy-text.ts';
import { countOf } from '../../ui/format.ts';
import { useProfileTab, useTabState, useView, useViewState } from '../../state/profile/context.ts';
import { besideSource, sampleLines, useGraphZoom, type GraphZoom } from '../../state/profile/graph-requests.ts';
import { useNotes } from '../../state/notes/context.ts';
import { useColours } from '../../state/use-colours.ts';
import { valueTypeText } from '../../state/value-type-text.ts';
import { weightAxis, weightFormat } from '../../state/weight-format.ts';
import { useMatchFlags } from '../../state/analysis/use-match-flags.ts';
import { useOpenNew } from '../panes/open-new.ts';

type SharedGraphProps = Pick<
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
  | 'onPin'
  | 'pins'
  | 'onOrientationChange'
>;

interface SharedGraphSettings {
  readonly look: SharedGraphProps;
  /**
   * True if weights are counts; the number of samples of a frame then adds nothing, or differs if a line counts for
   * many.
   */
  readonly counts: boolean;
}

/**
 * Returns the properties that all graphs of the enclosing view share. `label` says which part of the profile they show.
 */
export function useSharedGraphProps(): SharedGraphSettings {
  const view = useView();
  const { profile } = view;
  const picked = useViewState((state) => state.picked);
  const selection = useViewState((state) => state.selection);
  const { mode: colourMode, slots: colourSlots } = useColours();
  const { unit } = profile.valueTypes[selection.valueType]!;
  const analysis = useViewState((state) => state.analysis);
  const format = useMemo(() => weightFormat(unit, analysis), [unit, analysis]);
  const axis = useMemo(() => weightAxis(unit), [unit]);
  const notes = useNotes();
  const kind = useViewState((state) => state.analysis?.tree.kind ?? state.tree.kind);
  const views = useTabState((state) => state.views);
  const place = views.length === 1 ? '' : `view ${views.indexOf(view) + 1}, `;
  const threads = selection.threads === null ? 'all threads' : countOf(selection.threads.length, 'thread');
  return {
    counts: unit === 'count',
    look: {
      keymap: useKeymap(),
      matches: useMatchFlags(useViewState((state) => state.search)),
      selectedFunction: picked?.func ?? null,
      colourMode,
      colourSlots,
      format,
      axis,
      label: `${place}${valueTypeText(profile.valueTypes, selection.valueType)}, ${threads}`,
      onCopy: (text) => void copyText(text),
      // Rows of the call tree do not exist in other graphs.
      pins: kind === 'top-down' || kind === 'bottom-up' ? notes.pins.all : notes.pins.onFunctions,
      onPin: notes.open,
      onOrientationChange: view.setOrientation,
    },
  };
}

/** Returns what the graphs next to the call tree share; each keeps its own selected node. */
export function useBesideGraph(analysis: Analysis, graph: GraphRef, facts: GraphFacts, places: GraphZoom) {
  const view = useView();
  const { look, counts } = useSharedGraphProps();
  const openNew = useOpenNew(useProfileTab());
  const source = useMemo(() => besideSource(view, analysis, graph, facts), [view, analysis, graph, facts]);
  const zoom = useGraphZoom(view, analysis, graph, source, places);
  const [selected, setSelected] = useState<{ readonly node: CallNodeIndex; readonly of: Analysis } | null>(null);
  const weightText = look.format.value;
  const describe = useCallback(
    (node: CallNodeIndex) => sampleLines(view, analysis, graph, node, weightText),
    [view, analysis, graph, weightText],
  );
  const onOpenNew: FlameGraphProps['onOpenNew'] = ({ func }) => {
    if (func !== null) openNew?.({ func, node: null });
  };
  return {
    props: { ...look, source, zoom, selectedNode: selected?.of === analysis ? selected.node : null, onOpenNew },
    counts,
    describe,
    select: (frame: { readonly node: CallNodeIndex } | null) =>
      setSelected(frame && { node: frame.node, of: analysis }),
  };
}
