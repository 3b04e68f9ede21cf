import { useMemo } from 'react';
import type { ReactElement } from 'react';
import { FlameGraph } from '../flame/flame-graph.tsx';
import type { Theme } from '../flame/flame-graph.types.ts';
import { useKeymap } from '../keys/use-keymap.ts';
import { copyText } from '../shell/copy-text.ts';
import type { Analysis } from '../worker/protocol.ts';
import { defaultColour } from './colour-choice.ts';
import { workerSource } from './flame-source.ts';
import type { MenuRequest } from './frame-menu.tsx';
import { useView, useViewState } from './profile-context.ts';
import { valueTypeText } from './value-type-text.ts';
import { weightFormat } from './weight-format.ts';

interface GraphPaneProps {
  readonly analysis: Analysis;
  readonly theme: Theme;
  readonly onSearch: () => void;
  readonly onMenu: (request: MenuRequest) => void;
}

/** The flame graph of the view around. */
export function GraphPane({ analysis, theme, onSearch, onMenu }: GraphPaneProps): ReactElement {
  const view = useView();
  const { profile } = view;
  const orientation = useViewState((state) => state.orientation);
  const zoomNode = useViewState((state) => state.zoomNode);
  const picked = useViewState((state) => state.picked);
  const search = useViewState((state) => state.search);
  const selection = useViewState((state) => state.selection);
  const chosenColour = useViewState((state) => state.colour);
  const usualColour = useMemo(() => defaultColour(profile.functions), [profile]);
  const source = useMemo(() => workerSource(view, analysis), [view, analysis]);
  const valueType = profile.valueTypes[selection.valueType]!;
  const weights = useMemo(() => weightFormat(valueType.unit), [valueType]);
  const threads = selection.threads === null ? 'all threads' : `${selection.threads.length} threads`;
  return (
    <FlameGraph
      source={source}
      keymap={useKeymap()}
      orientation={orientation}
      rootNode={zoomNode}
      selectedNode={picked?.revision === analysis.revision ? picked.node : null}
      selectedFunction={picked?.func ?? null}
      matches={search.status === 'matched' ? search.matches.flags : null}
      colourMode={chosenColour ?? usualColour}
      format={weights}
      theme={theme}
      label={`${valueTypeText(profile.valueTypes, selection.valueType)}, ${threads}, ${analysis.tree.kind}`}
      onZoom={view.zoom}
      onSelect={(frame) => {
        view.pick(frame === null || frame.func === null ? null : { func: frame.func, node: frame.node });
      }}
      onContextMenu={(frame, point) => {
        onMenu({ frame, point, from: 'graph' });
      }}
      onOrientationChange={view.setOrientation}
      onSearch={onSearch}
      onCopy={(text) => void copyText(text)}
    />
  );
}
