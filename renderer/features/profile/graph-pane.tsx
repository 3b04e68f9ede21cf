import type { GraphPaneProps } from './graph-pane.types.ts';
import { useCallback, useMemo, useState, type ReactElement } from 'react';
import { usualOrder } from '#core/analyze/tree/sibling-order.ts';
import type { CallNodeIndex } from '#core/model/brand.ts';
import { FlameGraph } from '../../ui/flame/graph.tsx';
import { DetailLines } from '../../ui/flame/tooltip/detail-lines.tsx';
import type { FrameDetail } from '../../ui/flame/tooltip/frame-detail.ts';
import { useZoom, type Zoom } from '../../ui/flame/use-zoom.ts';
import { useKeptRange } from '../../state/kept-ranges.ts';
import { useOpenNew } from '../panes/open-new.ts';
import { focusKeeper, KeptFocus } from '../../ui/flame/input/kept-focus.ts';
import { useSharedGraphProps } from './shared-graph-props.ts';
import { ownSource, sampleLines } from '../../state/profile/graph-requests.ts';
import { OWN_TREE } from '../../analysis/methods.ts';
import { useProfileTab, useView, useViewState } from '../../state/profile/context.ts';
import { onDemand } from '../../state/on-demand.tsx';
import { usePinnedText } from './pinned-text.ts';
import { deltaStyle } from '../../ui/flame/chart/delta-style.ts';
import { Segments } from '../../ui/fields/segments.tsx';
import './graphs.css';
import { useWorkbench } from '../../state/workbench-context.ts';

const NoStacks = onDemand(() => import('./nothing-here.tsx').then((part) => part.NoStacks));
const NothingHere = onDemand(() => import('./nothing-here.tsx').then((part) => part.NothingHere));
const SandwichGraph = onDemand(() => import('./sandwich-graph.tsx').then((part) => part.SandwichGraph));
const TimeGraph = onDemand(() => import('./time-graph.tsx').then((part) => part.TimeGraph));

/** The graph of the enclosing view, of the kind that the user chose. */
export function GraphPane(props: GraphPaneProps): ReactElement {
  const [keeper] = useState(focusKeeper);
  return (
    <KeptFocus value={keeper}>
      <ChosenGraph {...props} />
    </KeptFocus>
  );
}

function ChosenGraph({ analysis, ...props }: GraphPaneProps): ReactElement {
  const view = useView();
  const { kind } = analysis.tree;
  if (analysis.total === 0) return <NothingHere analysis={analysis} />;
  if (kind === 'time-order') return <TimeGraph key={view.lineage().id} {...props} analysis={analysis} />;
  if (kind === 'sandwich') return <SandwichGraph {...props} analysis={analysis} />;
  return (
    <>
      {analysis.maxDepth === 0 && analysis.hidden === 0 && <NoStacks />}
      <TreeGraph {...props} analysis={analysis} />
    </>
  );
}

/** The call tree, top-down or bottom-up. */
function TreeGraph({ analysis, theme, onMenu }: GraphPaneProps): ReactElement {
  const view = useView();
  const orientation = useViewState((state) => state.orientation);
  const zoomNode = useViewState((state) => state.zoomNode);
  const picked = useViewState((state) => state.picked);
  const { look, counts } = useSharedGraphProps();
  const openNew = useOpenNew(useProfileTab());
  const source = useMemo(() => ownSource(view, analysis), [view, analysis]);
  const keeper = useKeptRange(view.ranges, 'tree');
  const zoom = useLiveZoom(useZoom(source, zoomNode, view.zoom, { keeper }));
  const pinnedText = usePinnedText(analysis.pinned);
  const pinnedLook = useMemo(
    () => (pinnedText === null ? null : deltaStyle(theme, pinnedText, null, null, true)),
    [theme, pinnedText],
  );
  const pinnedTooltip = useCallback(
    ({ delta }: FrameDetail) => delta && pinnedLook && <DetailLines lines={pinnedLook.lines(delta)} />,
    [pinnedLook],
  );
  const weightText = look.format.value;
  const describe = useCallback(
    (node: CallNodeIndex) => sampleLines(view, analysis, OWN_TREE, node, weightText),
    [view, analysis, weightText],
  );
  return (
    <FlameGraph
      {...look}
      source={source}
      orientation={orientation}
      zoom={zoom}
      selectedNode={picked?.revision === analysis.revision ? picked.node : null}
      theme={theme}
      label={`${look.label}, ${analysis.tree.kind}`}
      headEnd={<SiblingOrderChoice />}
      {...(counts ? {} : { describe })}
      {...(pinnedLook === null ? {} : { deltaStyle: pinnedLook, tooltip: pinnedTooltip })}
      onSelect={(frame) => {
        view.pick(frame === null || frame.func === null ? null : { func: frame.func, node: frame.node });
      }}
      onOpenNew={({ func, node }) => {
        if (func !== null) openNew?.({ func, node });
      }}
      onContextMenu={(frame, point) => onMenu({ frame, point, from: 'graph' })}
    />
  );
}

/** The order of siblings. */
function SiblingOrderChoice(): ReactElement {
  const view = useView();
  const siblings = useViewState(({ tree }) => tree.siblings ?? usualOrder(tree.kind));
  return (
    <Segments
      label="Frame order"
      value={siblings}
      options={[
        { value: 'name', label: 'by name', title: 'Sort frames from A to Z: same position in every profile' },
        { value: 'weight', label: 'by weight', title: 'Sort frames by weight, heaviest on the left' },
      ]}
      onChange={(order) => view.setTree({ siblings: order })}
    />
  );
}

/**
 * Returns the zoom of a call tree. In a live view, whose trees replace one another, back leads to the frames of earlier
 * trees by their paths, like Back of the browser.
 */
function useLiveZoom(zoom: Zoom): Zoom {
  const view = useView();
  const { live } = useProfileTab();
  const { navigation } = useWorkbench();
  return useMemo(() => {
    if (live === null) return zoom;
    const back = (): boolean => {
      if (navigation.go(-1, view)) return true;
      if (zoom.range !== null) zoom.toRange(null, false);
      else if (zoom.node === zoom.home) return false;
      else zoom.to(zoom.home);
      return true;
    };
    return { ...zoom, back };
  }, [zoom, view, live, navigation]);
}
