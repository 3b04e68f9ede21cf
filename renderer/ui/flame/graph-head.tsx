import type { JSX } from 'react';
import type { PathEntry } from '#core/analyze/graph/flame-slice.ts';
import type { CallNodeIndex } from '#core/model/brand.ts';
import { Breadcrumbs } from './breadcrumbs.tsx';
import type { FlameGraphProps } from './graph-props.ts';
import { fullName } from './tooltip/frame-text.ts';

interface GraphHeadProps {
  readonly props: Pick<FlameGraphProps, 'head' | 'title' | 'label' | 'headEnd' | 'source' | 'zoom' | 'format'>;
  /** To the zoomed root; empty until it is known. */
  readonly path: readonly PathEntry[];
  /** Weight of which the zoomed root is a share. */
  readonly totalWeight: number;
  readonly onZoom: (node: CallNodeIndex) => void;
}

/** The title, breadcrumbs, and weight in view. */
export function GraphHead({ props, path, totalWeight, onZoom }: GraphHeadProps): JSX.Element {
  const { source, format } = props;
  const { range } = props.zoom;
  const zoomed = path.at(-1);
  const inView = range === null ? '' : `in view ${format.share(range.last - range.first, source.totalWeight)} of `;
  return (
    <header className="flame-head">
      {props.head}
      {props.title === undefined ? null : <h3 className="flame-title">{props.title}</h3>}
      <Breadcrumbs label={props.label} path={path} onZoom={onZoom} />
      <span className="flame-total">
        {zoomed === undefined ? null : (
          <>
            <span className="ellipsis">{`${inView}${format.value(zoomed.total)}`}</span>
            <span>{` · ${format.share(zoomed.total, totalWeight)}`}</span>
          </>
        )}
      </span>
      {props.headEnd}
    </header>
  );
}

interface GraphMessageProps {
  /** Why the graph can't be drawn; null if it can. */
  readonly failure: string | null;
  readonly total: number;
  /** The side that lacks the zoomed root, if one does. */
  readonly missingIn: string | undefined;
  readonly path: readonly PathEntry[];
}

/** Says why the graph is empty; null if it is not. */
export function GraphMessage({ failure, total, missingIn, path }: GraphMessageProps): JSX.Element | null {
  if (failure !== null) {
    return (
      <p className="flame-message" role="alert">
        {failure}
      </p>
    );
  }
  if (total <= 0) return <p className="flame-message">Nothing to show: no sample in this selection has weight.</p>;
  if (missingIn === undefined) return null;
  return <p className="flame-message">{`Not in ${missingIn}: ${fullName(path.at(-1)?.facts ?? null)}`}</p>;
}
