import { memo, useLayoutEffect, useRef, type JSX } from 'react';
import { ROOT_LABEL, visibleText } from '#core/analyze/function-label.ts';
import type { CallNodeIndex } from '#core/model/brand.ts';
import { countOf, fitName } from '../format.ts';
import type { PathEntry } from '#core/analyze/graph/flame-slice.ts';
import { fullName } from './tooltip/frame-text.ts';

/** Number of frames shown, the innermost ones; a path can have 100,000. */
const MAX_CRUMBS = 40;
const MAX_CRUMB_LENGTH = 36;

interface BreadcrumbsProps {
  /** Describes the graph, since several graphs each have their own breadcrumbs. */
  readonly label: string;
  /** From the tree's root to the zoomed node. */
  readonly path: readonly PathEntry[];
  readonly onZoom: (node: CallNodeIndex) => void;
}

/** The path to the zoomed root; selecting an ancestor zooms out to it. */
export const Breadcrumbs = memo(function Breadcrumbs({ label, path, onZoom }: BreadcrumbsProps): JSX.Element {
  const list = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    list.current!.scrollLeft = list.current!.scrollWidth;
  });
  const skipped = Math.max(0, path.length - 1 - MAX_CRUMBS);
  const shown = path.filter((_, index) => index === 0 || index > skipped);
  return (
    <nav className="flame-crumbs" aria-label={`Zoomed into, ${label}`}>
      <ol ref={list}>
        {shown.map((entry, index) => (
          <li key={entry.node}>
            {index === 1 && skipped > 0 ? <span className="skipped">… {countOf(skipped, 'frame')}</span> : null}
            {index === shown.length - 1 ? (
              <span aria-current="location" title={fullName(entry.facts)}>
                {crumbText(entry)}
              </span>
            ) : (
              <button type="button" title={fullName(entry.facts)} onClick={() => onZoom(entry.node)}>
                {crumbText(entry)}
              </button>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
});

function crumbText({ facts }: PathEntry): string {
  return facts === null ? ROOT_LABEL : fitName(visibleText(facts.name.slice(0, 2000)), MAX_CRUMB_LENGTH);
}
