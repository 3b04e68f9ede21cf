import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { CSSProperties, KeyboardEvent, ReactElement } from 'react';
import { rowId } from '../lists/virtual-list.tsx';
import type { CodeRow, CodeTable } from './source-rows.ts';

interface CodeListProps {
  readonly id: string;
  readonly label: string;
  readonly table: CodeTable;
  /** Index of the row kept in view; −1 for none. */
  readonly active: number;
  readonly onActive: (row: number) => void;
  /** Called on Enter or a double click. */
  readonly onOpen?: (row: number) => void;
}

const ROW_PX = 20;
const OVERSCAN = 12;
/** Assumed height before the list is measured. */
const FIRST_PX = 400;

/** Lines of code with their weights. Only visible rows are drawn; long lines scroll sideways. */
export function CodeList({ id, label, table, active, onActive, onOpen }: CodeListProps): ReactElement {
  const { rows, titles } = table;
  const list = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: FIRST_PX });
  const widths = useMemo(() => columnWidths(table), [table]);

  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    const measure = (): void => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    const element = list.current;
    if (element !== null && active >= 0 && active < rows.length) scrollToRow(element, active);
  }, [active, rows]);

  const first = Math.max(0, Math.floor(view.top / ROW_PX) - OVERSCAN);
  const end = Math.min(rows.length, Math.ceil((view.top + view.height) / ROW_PX) + OVERSCAN);
  return (
    <div
      className="code-list"
      style={{ '--code-columns': widths.columns, '--code-text': widths.text } as CSSProperties}
    >
      <div className="code-head" aria-hidden="true">
        {titles.map((title) => (
          <span key={title}>{title}</span>
        ))}
      </div>
      <div
        ref={list}
        id={id}
        className="code-rows"
        role="listbox"
        aria-label={label}
        aria-activedescendant={active >= first && active < end ? rowId(id, active) : undefined}
        tabIndex={0}
        onScroll={({ currentTarget }) => setView({ top: currentTarget.scrollTop, height: currentTarget.clientHeight })}
        onKeyDown={(event) => {
          const moved = movedBy(event, active, rows.length, Math.floor(view.height / ROW_PX));
          if (moved !== null) onActive(moved);
          else if (event.key === 'Enter' && active >= 0) onOpen?.(active);
          else return;
          event.preventDefault();
        }}
        onClick={({ target }) => {
          const row = rowOf(target);
          if (row !== null) onActive(row);
        }}
        onDoubleClick={({ target }) => {
          const row = rowOf(target);
          if (row !== null) onOpen?.(row);
        }}
      >
        <div role="presentation" style={{ height: rows.length * ROW_PX, paddingTop: first * ROW_PX }}>
          {rows.slice(first, end).map((row, offset) => (
            <Row
              key={first + offset}
              id={rowId(id, first + offset)}
              index={first + offset}
              row={row}
              active={first + offset === active}
              hottest={first + offset === table.hottest}
              titles={titles}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

interface RowProps {
  readonly id: string;
  readonly index: number;
  readonly row: CodeRow;
  readonly active: boolean;
  readonly hottest: boolean;
  readonly titles: readonly string[];
}

function Row({ id, index, row, active, hottest, titles }: RowProps): ReactElement {
  return (
    <div
      id={id}
      data-row={index}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      title={row.title === '' ? undefined : row.title}
      className={`code-row ${row.look}${active ? ' active' : ''}${hottest ? ' hottest' : ''}`}
      style={{ height: ROW_PX }}
    >
      {hottest && <span className="sr-only">hottest</span>}
      {row.cells.map((cell, column) => (
        <span key={titles[column]} className={column === 0 ? 'code-cell weight' : 'code-cell'}>
          {column === 0 && row.heat > 0 && <span className="code-heat" style={{ width: `${row.heat * 100}%` }} />}
          {cell !== '' && <span className="sr-only">{` ${titles[column]!} `}</span>}
          <span>{cell}</span>
        </span>
      ))}
      <span className="code-text">{row.text}</span>
    </div>
  );
}

function scrollToRow(element: HTMLElement, row: number): void {
  const top = row * ROW_PX;
  const isAbove = top < element.scrollTop;
  const isBelow = top + ROW_PX > element.scrollTop + element.clientHeight;
  if (isAbove || isBelow) element.scrollTop = top - element.clientHeight / 2;
}

function rowOf(target: EventTarget): number | null {
  const row = target instanceof Element ? target.closest('[data-row]') : null;
  return row === null ? null : Number(row.getAttribute('data-row'));
}

function movedBy(event: KeyboardEvent, active: number, count: number, page: number): number | null {
  if (count === 0 || event.ctrlKey || event.metaKey || event.altKey) return null;
  const to = new Map([
    ['ArrowDown', active + 1],
    ['ArrowUp', active - 1],
    ['PageDown', active + page],
    ['PageUp', active - page],
    ['Home', 0],
    ['End', count - 1],
  ]).get(event.key);
  return to === undefined ? null : Math.min(count - 1, Math.max(0, to));
}

/**
 * Returns widths in characters of the monospaced font. Tabs and wide characters make the text wider, but it scrolls in
 * any case.
 */
function columnWidths({ titles, rows }: CodeTable): { columns: string; text: string } {
  const widths = titles.map((title) => title.length);
  let text = 0;
  for (const row of rows) {
    row.cells.forEach((cell, column) => {
      widths[column] = Math.max(widths[column]!, cell.length);
    });
    text = Math.max(text, row.text.length);
  }
  return { columns: widths.map((width) => `${width + 2}ch`).join(' '), text: `${text + 2}ch` };
}
