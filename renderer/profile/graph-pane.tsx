import { useCallback, useMemo } from 'react';
import type { ReactElement } from 'react';
import type { CallNodeIndex } from '#core/model/brand.ts';
import { FlameGraph } from '../flame/flame-graph.tsx';
import type { Theme } from '../flame/flame-graph.types.ts';
import type { Analysis } from '../worker/protocol.ts';
import { workerSource } from './flame-source.ts';
import type { MenuRequest } from './frame-menu.tsx';
import { useGraphLook } from './graph-look.ts';
import { sampleLines } from './graph-requests.ts';
import { NoStacks, NothingHere } from './nothing-here.tsx';
import { useView, useViewState } from './profile-context.ts';
import { SandwichGraph } from './sandwich-graph.tsx';
import { SiblingOrderChoice } from './sibling-order-choice.tsx';
import { TimeGraph } from './time-graph.tsx';

export interface GraphPaneProps {
  readonly analysis: Analysis;
  readonly theme: Theme;
  readonly onSearch: () => void;
  readonly onMenu: (request: MenuRequest) => void;
}

/** The graph of the view around, of the kind that the user chose. */
export function GraphPane(props: GraphPaneProps): ReactElement {
  if (props.analysis.total === 0) return <NothingHere analysis={props.analysis} />;
  switch (props.analysis.tree.kind) {
    case 'time-order':
      return <TimeGraph key={props.analysis.revision} {...props} />;
    case 'sandwich':
      return <SandwichGraph {...props} />;
    default:
      return (
        <>
          <NoStacks analysis={props.analysis} />
          <TreeGraph {...props} />
        </>
      );
  }
}

/** The call tree, from either end. */
function TreeGraph({ analysis, theme, onSearch, onMenu }: GraphPaneProps): ReactElement {
  const view = useView();
  const orientation = useViewState((state) => state.orientation);
  const zoomNode = useViewState((state) => state.zoomNode);
  const picked = useViewState((state) => state.picked);
  const { look, counts } = useGraphLook();
  const source = useMemo(() => workerSource(view, analysis), [view, analysis]);
  const weightText = look.format.value;
  const describe = useCallback(
    (node: CallNodeIndex) => sampleLines(view, analysis, null, node, weightText),
    [view, analysis, weightText],
  );
  return (
    <FlameGraph
      {...look}
      source={source}
      orientation={orientation}
      rootNode={zoomNode}
      selectedNode={picked?.revision === analysis.revision ? picked.node : null}
      theme={theme}
      label={`${look.label}, ${analysis.tree.kind}`}
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
