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
  type RefObject,
} from 'react';
import { flushSync } from 'react-dom';
import type { ViewPoint } from '../../flame/graph.types.ts';
import { usePart } from '../../parts.tsx';
import { useRowSizes } from '../../row-sizes.ts';
import { gridPointer, pressGridKey } from './input.ts';
import { GridRows } from './rows.tsx';
import type { GridViewProps, MovedRows } from './grid.types.ts';
import { rowScale, rowWindow, scrollHeight, scrollTopToShow, steadyScrollTop } from './row-window.ts';
import { TableHeader } from './header.tsx';
import './grid.css';
import '../tables.css';
import type { Column } from '../table.types.ts';

const HEAD_PX = 26;

/** The visible rows of a table of any length, with keyboard and pointer; the table defines what rows are. */
export function GridView({ handle, ...props }: GridViewProps): JSX.Element {
  const { columns, widths, rowCount, activePosition, activeKey, lineage = null, moved = null, onView } = props;
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
    // Before the first paint: the observer's call would come after it, and move all columns.
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const [followed, setFollowed] = useState(moved);
  if (followed !== moved) {
    setFollowed(moved);
    setScrollTop(scrollTop + ((moved?.rows ?? 0) * rowPx) / rowScale(rowCount, viewport, rowPx));
  }
  useMovedTop(scroller, moved, scrollTop);
  useSteadyTop(scroller, { rowCount, viewportPx: viewport, scrollTop, rowPx });
  useReveal(scroller, {
    key: activeKey,
    lineage,
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

  /** Scrolls synchronously: the browser's scroll event comes a frame later, and rows would jump under the pointer. */
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

/**
 * Returns a handler that presses keys one at a time: while a step is pending (`busy`), keys for the table wait for its
 * result. A key held back counts as handled. Repeats of a key that is held down do not queue up.
 */
function useHeldKeys(busy: boolean, press: (event: KeyboardEvent) => boolean): (event: KeyboardEvent) => boolean {
  const held = useRef<KeyboardEvent[]>([]);
  /** True until the result of a held-back key is drawn; a key pressed before that would apply to the previous state. */
  const drawing = useRef(false);
  const [pressed, showNext] = useState(0);
  useEffect(() => {
    if (busy) return;
    const next = held.current.shift();
    drawing.current = next !== undefined;
    if (next === undefined) return;
    press(next);
    showNext(pressed + 1);
  }, [busy, press, pressed]);
  return (event) => {
    const waits = busy || drawing.current || held.current.length > 0;
    if (!waits || !isForTable(event)) return press(event);
    if (!event.repeat || held.current.length === 0) held.current.push(event);
    return true;
  };
}

const NAMED_KEYS = /^(?:Arrow\w+|Page(?:Up|Down)|Home|End|Enter|Escape|F3|ContextMenu)$/;

/** Returns whether the table handles a key; others belong to the window and are not held back. */
function isForTable({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey) return !altKey && ['a', 'c', ' '].includes(key);
  if (altKey) return !shiftKey && key.startsWith('Arrow');
  return key.length === 1 || NAMED_KEYS.test(key);
}

interface Reveal {
  /** Identifies the selection within the lineage; it scrolls into view when one of them changes. */
  readonly key: number | null;
  readonly lineage: object | null;
  /** Position of the selection; −1 for none. */
  readonly position: number;
  readonly rowCount: number;
  readonly viewportPx: number;
  /** New columns mean new data. */
  readonly columns: readonly Column[];
  /** True if new data keeps the scroll position. */
  readonly keepScroll: boolean;
  readonly rowPx: number;
}

/** Scrolls a new selection into view; sorting and filtering keep the scroll position. */
function useReveal(scroller: RefObject<HTMLElement | null>, reveal: Reveal): void {
  const { key, lineage, position, rowCount, viewportPx, columns, keepScroll, rowPx } = reveal;
  const shownColumns = useRef(columns);
  const revealed = useRef<Pick<Reveal, 'key' | 'lineage'>>({ key: null, lineage });
  useEffect(() => {
    const element = scroller.current;
    const refreshed = shownColumns.current !== columns;
    shownColumns.current = columns;
    const isSame = key === revealed.current.key && lineage === revealed.current.lineage;
    if (element === null || isSame || position < 0 || viewportPx === 0) return;
    revealed.current = { key, lineage };
    if (keepScroll && refreshed) return;
    const target = scrollTopToShow(rowCount, viewportPx, element.scrollTop, position, rowPx);
    if (target !== element.scrollTop) element.scrollTo({ top: target });
  }, [scroller, key, lineage, position, rowCount, viewportPx, columns, keepScroll, rowPx]);
}

/** Scrolls to where the view has followed moved rows. */
function useMovedTop(scroller: RefObject<HTMLElement | null>, moved: MovedRows | null, scrollTop: number): void {
  const followed = useRef(moved);
  useLayoutEffect(() => {
    if (followed.current === moved) return;
    followed.current = moved;
    scroller.current?.scrollTo({ top: scrollTop });
  }, [scroller, moved, scrollTop]);
}

/**
 * Keeps the topmost row in place when rows are added or removed, also in tables so long that they scroll
 * proportionally.
 */
function useSteadyTop(
  scroller: RefObject<HTMLElement | null>,
  {
    rowCount,
    viewportPx,
    scrollTop,
    rowPx,
  }: { rowCount: number; viewportPx: number; scrollTop: number; rowPx: number },
): void {
  const before = useRef(rowCount);
  useLayoutEffect(() => {
    const rowsBefore = before.current;
    before.current = rowCount;
    if (rowsBefore === rowCount || viewportPx === 0) return;
    const target = steadyScrollTop(rowsBefore, rowCount, viewportPx, scrollTop, rowPx);
    if (target !== scrollTop) scroller.current?.scrollTo({ top: target });
  }, [scroller, rowCount, viewportPx, scrollTop, rowPx]);
}
