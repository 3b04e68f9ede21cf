import { useEffect, useImperativeHandle, useState, type ReactElement, type RefObject } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { FlameSource } from '#core/analyze/graph/flame-slice.ts';
import type { CallNodeIndex } from '#core/model/brand.ts';
import type { FlameGraphProps } from './graph-props.ts';
import type { Orientation, WeightFormat } from './graph.types.ts';
import type { VisibleRows } from './minimap/map-box.ts';
import { fitName } from '../format.ts';
import { detailOfPath, type FrameDetail } from './tooltip/frame-detail.ts';
import { takeAnswer } from '../take-answer.ts';

/** Receives the visible rows after each scroll. */
export type RowsHandle = (rows: VisibleRows) => void;

const MAX_NAME = 48;

interface EdgeMarkerProps {
  readonly handle: RefObject<RowsHandle | null>;
  readonly rows: () => VisibleRows;
  readonly source: FlameSource;
  readonly rootNode: CallNodeIndex;
  readonly node: CallNodeIndex;
  readonly changed: FlameGraphProps['changed'];
  readonly orientation: Orientation;
  readonly format: WeightFormat;
  readonly onGo: (leaf: FrameDetail) => void;
}

/** The rows that are visible in full, counted from the zoomed root. */
interface WholeRows {
  readonly first: number;
  readonly last: number;
}

function wholeRows({ rootDepth, first, count }: VisibleRows): WholeRows {
  const top = first - rootDepth;
  return { first: Math.ceil(top), last: Math.floor(top + count) - 1 };
}

/** Marks the edge of the pane beyond which the most weight ends, or has changed; a click scrolls there. */
export function EdgeMarker(props: EdgeMarkerProps): ReactElement | null {
  const { handle, rows: rowsNow, source, rootNode, node, changed, orientation, format, onGo } = props;
  const [leaf, setLeaf] = useState<FrameDetail | null>(null);
  const [shown, setShown] = useState<WholeRows | null>(null);
  useImperativeHandle(
    handle,
    () => (rows) =>
      setShown((before) => {
        const next = wholeRows(rows);
        return before?.first === next.first && before.last === next.last ? before : next;
      }),
    [],
  );
  useEffect(
    () =>
      takeAnswer(
        source.requestPath(node),
        (path) => {
          setLeaf(detailOfPath(path, rootNode));
          setShown(wholeRows(rowsNow()));
        },
        () => undefined,
      ),
    [source, rootNode, node, rowsNow],
  );
  if (shown === null || leaf?.frame?.node !== node || leaf.facts === null) return null;
  const share = format.share(leaf.self, leaf.rootTotal);
  const said =
    changed === undefined || leaf.delta === null
      ? { label: share, text: `is hottest: self ${format.value(leaf.self)}, ${share}` }
      : changed(leaf.delta);
  const away = Math.min(0, leaf.depth - shown.first) || Math.max(0, leaf.depth - shown.last);
  if (away === 0) return null;
  const isBelow = away > 0 === (orientation === 'icicle');
  const name = visibleText(leaf.facts.name.slice(0, 2000));
  return (
    <button
      type="button"
      className={`flame-edge-marker ${isBelow ? 'below' : 'above'}`}
      title={`${name} ${said.text}. Click to scroll there.`}
      onClick={() => onGo(leaf)}
    >
      <span aria-hidden="true">{isBelow ? '↓' : '↑'}</span> {fitName(name, MAX_NAME)}{' '}
      <span className="share">{said.label}</span>
    </button>
  );
}
