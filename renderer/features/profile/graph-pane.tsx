import type { GraphPaneProps } from './graph-pane.types.ts';
import { useCallback, useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import type { CallNodeIndex } from '#core/model/brand.ts';
import { FlameGraph } from '../../ui/flame/flame-graph.tsx';
import { focusKeeper, KeptFocus } from '../../ui/flame/kept-focus.ts';
import type { Analysis } from '../../analysis/protocol.ts';
import { comingSource, workerSource } from '../../state/flame-source.ts';
import { useGraphLook } from './graph-look.ts';
import { sampleLines } from '../../state/graph-requests.ts';
import { NoStacks, NothingHere } from './nothing-here.tsx';
import { useView, useViewState } from '../../state/profile-context.ts';
import { SiblingOrderChoice } from './sibling-order-choice.tsx';
import { onDemand } from '../../state/on-demand.tsx';
import './graphs.css';

const SandwichGraph = onDemand(() => import('./sandwich-graph.tsx').then((part) => part.SandwichGraph));
const TimeGraph = onDemand(() => import('./time-graph.tsx').then((part) => part.TimeGraph));

/** The graph of the view around, of the kind that the user chose. `analysis` null: it is laid out before there is one, and not to be seen. */
export function GraphPane(props: Unanalysed<GraphPaneProps>): ReactElement {
  const [keeper] = useState(focusKeeper);
  return (
    <KeptFocus value={keeper}>
      <ChosenGraph {...props} />
    </KeptFocus>
  );
}

function ChosenGraph({ analysis, ...props }: Unanalysed<GraphPaneProps>): ReactElement | null {
  const kind = useViewState((state) => (analysis ?? state).tree.kind);
  if (analysis?.total === 0) return <NothingHere analysis={analysis} />;
  if (analysis !== null && kind === 'time-order') {
    return <TimeGraph key={analysis.revision} {...props} analysis={analysis} />;
  }
  if (analysis !== null && kind === 'sandwich') return <SandwichGraph {...props} analysis={analysis} />;
  if (kind !== 'top-down' && kind !== 'bottom-up') return null;
  return (
    <>
      {analysis !== null && <NoStacks analysis={analysis} />}
      <TreeGraph {...props} analysis={analysis} kind={kind} />
    </>
  );
}

type Unanalysed<P extends { readonly analysis: Analysis }> = Omit<P, 'analysis'> & {
  readonly analysis: Analysis | null;
};

interface TreeGraphProps extends Unanalysed<GraphPaneProps> {
  readonly kind: 'top-down' | 'bottom-up';
}

/** The call tree, from either end. */
function TreeGraph({ analysis, kind, theme, onSearch, onMenu }: TreeGraphProps): ReactElement {
  const view = useView();
  const orientation = useViewState((state) => state.orientation);
  const zoomNode = useViewState((state) => state.zoomNode);
  const picked = useViewState((state) => state.picked);
  const { look, counts } = useGraphLook();
  const source = useMemo(
    () => (analysis === null ? comingSource(view, kind) : workerSource(view, analysis)),
    [view, analysis, kind],
  );
  const weightText = look.format.value;
  const describe = useCallback(
    (node: CallNodeIndex) =>
      analysis === null ? Promise.resolve([]) : sampleLines(view, analysis, null, node, weightText),
    [view, analysis, weightText],
  );
  return (
    <FlameGraph
      {...look}
      source={source}
      orientation={orientation}
      rootNode={zoomNode}
      selectedNode={analysis !== null && picked?.revision === analysis.revision ? picked.node : null}
      theme={theme}
      label={`${look.label}, ${kind}`}
      headEnd={<SiblingOrderChoice />}
      {...(counts ? {} : { describe })}
      onZoom={view.zoom}
      onSelect={(frame) => {
        view.pick(frame === null || frame.func === null ? null : { func: frame.func, node: frame.node });
      }}
      onContextMenu={(frame, point) => {
        onMenu({ frame, point, from: 'graph' });
      }}
      onSearch={onSearch}
    />
  );
}
