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
  type MouseEvent,
  type ReactNode,
  type Ref,
} from 'react';
import type { ViewPoint } from '../flame/flame-graph.types.ts';
import { useRowSizes } from '../shell/row-sizes.ts';
import type { ColumnWidths } from './column-widths.ts';
import { selectMode, type SelectMode } from './row-selection.ts';
import { rowAfterKey, rowWindow, scrollHeight, type RowWindow } from './row-window.ts';
import { TableHeader } from './table-header.tsx';
import { LEVEL_PX, TableRow } from './table-row.tsx';
import type { Column, SortOrder, TreePlace } from './table.types.ts';
import { useReveal, useSteadyTop } from './use-reveal.ts';
import './data-table.css';
import './tables.css';

const HEAD_PX = 26;
const ROWS_PER_BASE = 128;

/** What a table can ask of its grid. */
export interface GridHandle {
  focus(): void;
  scrollToTop(): void;
}

interface GridViewProps {
  /** Filled with what the table can ask. */
  readonly handle?: Ref<GridHandle>;
  readonly label: string;
  readonly kind: 'grid' | 'treegrid';
  readonly columns: readonly Column[];
  readonly widths: ColumnWidths;
  readonly sort: SortOrder;
  readonly onSort: (column: Column) => void;
  /** To the left or right among the columns; left out: columns stay where they are. */
  readonly onMoveColumn?: ((column: Column, by: -1 | 1) => void) | undefined;
  readonly rowCount: number;
  /** The row of the data at a position; −1: it is on its way. */
  readonly rowAt: (position: number) => number;
  /** Told of the positions in view. */
  readonly onView?: (first: number, count: number) => void;
  readonly placeOf?: (row: number) => TreePlace | null;
  /** Where keys begin; −1: nowhere. */
  readonly activePosition: number;
  /** What the active position stands for: it scrolls into view when this changes. */
  readonly activeKey: number | null;
  /** New data leaves the scroll position alone. */
  readonly keepScroll: boolean;
  readonly multiple: boolean;
  readonly isSelected: (row: number) => boolean;
  readonly onSelect: (position: number, mode: SelectMode) => void;
  readonly onSelectAll?: () => void;
  readonly onActivate?: ((position: number) => void) | undefined;
  /** A press on a row's triangle. */
  readonly onToggle?: ((position: number, below: boolean) => void) | undefined;
  readonly onContextMenu?: ((position: number, point: ViewPoint) => void) | undefined;
  /** Keys before the grid's own; true where it was one of the table's. */
  readonly onKey?: ((event: KeyboardEvent) => boolean) | undefined;
  readonly empty: ReactNode;
}

/** The rows in view of a table of any length, with keys and pointer; what rows are, its table says. */
export function GridView({ handle, ...props }: GridViewProps): JSX.Element {
  const { columns, widths, rowCount, activePosition, activeKey, onView } = props;
  const ids = useId().replace(/[^\w-]/g, '');
  const scroller = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLTableElement>(null);
  const [scrollTop, setScrollTop] = useState(0);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const viewport = size.height;

  useImperativeHandle(handle, () => ({
    focus: () => grid.current?.focus({ preventScroll: true }),
    scrollToTop: () => {
      if (scroller.current !== null) scroller.current.scrollTop = 0;
    },
  }));

  useLayoutEffect(() => {
    const element = scroller.current!;
    const measure = () => setSize({ width: element.clientWidth, height: Math.max(0, element.clientHeight - HEAD_PX) });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const { rowPx } = useRowSizes();
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
  /** Elements are reused as rows scroll through. */
  const slots = Math.ceil(viewport / rowPx) + 1;
  const inView = rowWindow(rowCount, viewport, scrollTop, rowPx);
  /** Rows lie at multiples from here, and the table shifts them: scrolling draws only the rows that come into view. */
  const base = inView.first - (inView.first % ROWS_PER_BASE);
  const shiftPx = (inView.first - base) * rowPx + inView.offset;
  const rowId = (position: number) => `${ids}-${position}`;
  const activeInView = activePosition >= inView.first && activePosition < inView.first + inView.count;
  const firstColumnPx = widths.firstIn(tableWidth);
  const room = levelsThatFit(firstColumnPx);
  const guides = guidesInView(props, inView, room);

  useEffect(() => {
    onView?.(inView.first, inView.count);
  }, [onView, inView.first, inView.count]);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.target !== grid.current) return;
    if (props.onKey?.(event) === true) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (!moveByKey(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  function moveByKey(event: KeyboardEvent): boolean {
    const { key } = event;
    const control = event.ctrlKey || event.metaKey;
    if (event.altKey) return false;
    if (key === 'ContextMenu' || (key === 'F10' && event.shiftKey)) return openMenu();
    if (control && key === 'a' && props.onSelectAll !== undefined) {
      props.onSelectAll();
      return true;
    }
    if (control && key === ' ' && props.multiple && activePosition >= 0) {
      props.onSelect(activePosition, 'toggle');
      return true;
    }
    if (control) return false;
    if (key === 'Enter' && activePosition >= 0 && props.onActivate !== undefined) {
      props.onActivate(activePosition);
      return true;
    }
    const target = rowAfterKey(key, activePosition, rowCount, viewport, rowPx);
    if (target === null) return false;
    props.onSelect(target, event.shiftKey && props.multiple ? 'range' : 'one');
    return true;
  }

  function openMenu(): boolean {
    const element = document.querySelector(`#${rowId(activePosition)}`);
    if (activePosition < 0 || element === null || props.onContextMenu === undefined) return false;
    const box = element.getBoundingClientRect();
    props.onContextMenu(activePosition, { x: box.left + 40, y: box.bottom });
    return true;
  }

  function onClick(event: MouseEvent): void {
    const position = positionAt(event);
    if (position === null) return;
    if (props.onToggle !== undefined && event.target instanceof Element && event.target.closest('.twisty') !== null) {
      props.onToggle(position, event.altKey);
      return;
    }
    props.onSelect(position, props.multiple ? selectMode(event) : 'one');
  }

  function onContextMenu(event: MouseEvent): void {
    const position = positionAt(event);
    if (position === null || props.onContextMenu === undefined) return;
    event.preventDefault();
    if (!props.isSelected(props.rowAt(position))) props.onSelect(position, 'one');
    props.onContextMenu(position, { x: event.clientX, y: event.clientY });
  }

  const body = (
    <>
      <TableHeader
        columns={columns}
        sort={props.sort}
        widths={widths}
        onSort={props.onSort}
        onMove={props.onMoveColumn}
      />
      <tbody className="table-window" style={{ height: viewport, '--table-shift': `${shiftPx}px` } as CSSProperties}>
        {Array.from({ length: inView.count }, (_, slot) => {
          const position = inView.first + slot;
          const row = props.rowAt(position);
          return (
            <TableRow
              key={position % slots}
              id={rowId(position)}
              row={row}
              position={position}
              top={(position - base) * rowPx}
              columns={columns}
              firstColumnPx={firstColumnPx}
              place={row < 0 ? null : (props.placeOf?.(row) ?? null)}
              {...guides}
              selected={row >= 0 && props.isSelected(row)}
              active={position === activePosition}
            />
          );
        })}
      </tbody>
    </>
  );
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
    onMouseDown: (event: MouseEvent) => {
      // Shift extends the chosen rows, not the page's text selection.
      if (event.shiftKey && positionAt(event) !== null) event.preventDefault();
    },
    onClick,
    onDoubleClick: (event: MouseEvent) => {
      const position = positionAt(event);
      if (position !== null) props.onActivate?.(position);
    },
    onContextMenu,
  };
  return (
    <div
      ref={scroller}
      className="table-scroller"
      style={{ '--table-columns': widths.template, '--table-width': `${tableWidth}px` } as CSSProperties}
      onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
    >
      <table ref={grid} {...attributes}>
        {body}
      </table>
      {rowCount === 0 ? <p className="table-empty">{props.empty}</p> : null}
    </div>
  );
}

/** Most levels that stand before a name. */
const MOST_LEVELS = 40;
/** What the first column keeps for a name with what opens it. */
const NAME_PX = 210;

/** Levels that have room as guides in a first column of this width. */
function levelsThatFit(firstColumnPx: number): number {
  return Math.max(2, Math.min(MOST_LEVELS, Math.floor((firstColumnPx - NAME_PX) / LEVEL_PX)));
}

/**
 * Where rows in view lie deeper than guides have room for, levels are numbered, and the tree moves sideways with the rows, so that names
 * stay in view.
 */
function guidesInView(
  { placeOf, rowAt }: Pick<GridViewProps, 'placeOf' | 'rowAt'>,
  { first, count }: RowWindow,
  room: number,
): { readonly shift: number; readonly room: number; readonly numbered: boolean } {
  if (placeOf === undefined) return { shift: 0, room, numbered: false };
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  for (let position = first; position < first + count; position++) {
    const row = rowAt(position);
    const level = row < 0 ? undefined : placeOf(row)?.level;
    if (level === undefined) continue;
    least = Math.min(least, level);
    most = Math.max(most, level);
  }
  const numbered = most - 1 > room;
  return { shift: numbered ? Math.max(0, least - 2) : 0, room, numbered };
}

/** The position of the row under an event, null elsewhere. */
function positionAt(event: MouseEvent): number | null {
  const element = event.target instanceof Element ? event.target.closest('[data-position]') : null;
  return element === null ? null : Number(element.getAttribute('data-position'));
}
