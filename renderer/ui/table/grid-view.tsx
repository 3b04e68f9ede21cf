import {
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type CSSProperties,
  type JSX,
  type KeyboardEvent,
} from 'react';
import { flushSync } from 'react-dom';
import type { ViewPoint } from '../flame/flame-graph.types.ts';
import { usePart } from '../parts.tsx';
import { useRowSizes } from '../row-sizes.ts';
import { gridPointer, pressGridKey } from './grid-input.ts';
import { GridRows } from './grid-rows.tsx';
import type { GridViewProps } from './grid.types.ts';
import { rowScale, rowWindow, scrollHeight, scrollTopToShow } from './row-window.ts';
import { TableHeader } from './table-header.tsx';
import { useHeldKeys } from './use-held-keys.ts';
import { useReveal, useSteadyTop } from './use-reveal.ts';
import './data-table.css';
import './tables.css';

const HEAD_PX = 26;

/** The rows in view of a table of any length, with keys and pointer; what rows are, its table says. */
export function GridView({ handle, ...props }: GridViewProps): JSX.Element {
  const { columns, widths, rowCount, activePosition, activeKey, onView } = props;
  const ids = useId().replace(/[^\w-]/g, '');
  const scroller = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLTableElement>(null);
  usePart('table', grid);
  const [scrollTop, setScrollTop] = useState(0);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const viewport = size.height;
  const { rowPx } = useRowSizes();

  useImperativeHandle(handle, () => ({
    focus: () => grid.current?.focus({ preventScroll: true }),
    scrollToTop: ({ orActive }) => {
      const shows = orActive && activePosition >= 0;
      scroller.current?.scrollTo({ top: shows ? scrollTopToShow(rowCount, viewport, 0, activePosition, rowPx) : 0 });
    },
  }));

  useLayoutEffect(() => {
    const element = scroller.current!;
    const measure = () => setSize({ width: element.clientWidth, height: Math.max(0, element.clientHeight - HEAD_PX) });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useSteadyTop(scroller, { rowCount, viewportPx: viewport, scrollTop, rowPx });
  useReveal(scroller, {
    key: activeKey,
    position: activePosition,
    rowCount,
    viewportPx: viewport,
    columns,
    keepScroll: props.keepScroll,
    rowPx,
  });

  const tableWidth = Math.max(size.width, widths.minTotal);
  const inView = rowWindow(rowCount, viewport, scrollTop, rowPx);
  const rowId = (position: number) => `${ids}-${position}`;
  const activeInView = activePosition >= inView.first && activePosition < inView.first + inView.count;

  useEffect(() => {
    onView?.(inView.first, inView.count);
  }, [onView, inView.first, inView.count]);

  /** At once: with the browser's own event, which comes a frame later, rows would jump back and forth under the pointer. */
  function scrollRows(px: number): void {
    const element = scroller.current!;
    element.scrollTop += px / rowScale(rowCount, viewport, rowPx);
    flushSync(() => setScrollTop(element.scrollTop));
  }

  function menuPoint(): ViewPoint | null {
    const box = document.querySelector(`#${rowId(activePosition)}`)?.getBoundingClientRect();
    return box === undefined ? null : { x: box.left + 40, y: box.bottom };
  }

  const press = useHeldKeys(
    props.busy === true,
    (event) => props.onKey?.(event) === true || pressGridKey(event, props, { viewportPx: viewport, rowPx, menuPoint }),
  );

  function onKeyDown(event: KeyboardEvent): void {
    if (event.target !== grid.current || !press(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  const attributes = {
    role: props.kind,
    tabIndex: 0,
    'aria-label': props.label,
    'aria-rowcount': rowCount + 1,
    'aria-colcount': columns.length,
    'aria-multiselectable': props.multiple,
    'aria-activedescendant': activeInView ? rowId(activePosition) : undefined,
    style: { height: HEAD_PX + Math.max(viewport, scrollHeight(rowCount, rowPx)) },
    onKeyDown,
    ...gridPointer(props),
  };
  return (
    <div
      ref={scroller}
      className="table-scroller"
      style={{ '--table-columns': widths.template, '--table-width': `${tableWidth}px` } as CSSProperties}
      onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
    >
      <table ref={grid} {...attributes}>
        <TableHeader
          columns={columns}
          sort={props.sort}
          widths={widths}
          onSort={props.onSort}
          onMove={props.onMoveColumn}
        />
        <GridRows
          grid={props}
          inView={inView}
          viewportPx={viewport}
          rowPx={rowPx}
          firstColumnPx={widths.firstIn(tableWidth)}
          rowId={rowId}
          onForeignScroll={scrollRows}
        />
      </table>
      {rowCount === 0 ? <p className="table-empty">{props.empty}</p> : null}
    </div>
  );
}
