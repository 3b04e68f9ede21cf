import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent, MouseEvent, ReactElement, ReactNode } from 'react';
import './lists.css';

interface VirtualListProps {
  readonly id: string;
  readonly label: string;
  readonly multiple?: boolean;
  /** True if another element, such as a combobox, keeps the focus. */
  readonly passive?: boolean;
  readonly count: number;
  readonly rowPx: number;
  /** Number of rows shown without scrolling. */
  readonly visibleRows: number;
  /** Index of the row kept in view; −1 for none. */
  readonly active: number;
  readonly isSelected: (index: number) => boolean;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onClick: (index: number, event: MouseEvent) => void;
  /**
   * Called when a row's menu is requested: at the pointer, or at the active row by keyboard. In CSS pixels of the
   * window.
   */
  readonly onMenu?: (index: number, point: { readonly x: number; readonly y: number }) => void;
  /** Called with the range of rows drawn; `end` is exclusive. */
  readonly onRows?: (first: number, end: number) => void;
  readonly children: (index: number) => ReactNode;
}

const OVERSCAN = 6;

/** Returns the ID of a row's element, for `aria-activedescendant`. */
export function rowId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

/** A list box that draws only the visible rows. All rows have the same height. */
export function VirtualList(props: VirtualListProps): ReactElement {
  const { id, count, rowPx, active, children } = props;
  const list = useRef<HTMLDivElement>(null);
  const [scrollTop, setScrollTop] = useState(0);
  const height = Math.min(count, props.visibleRows) * rowPx;

  useLayoutEffect(() => {
    const element = list.current;
    if (element === null || active < 0) return;
    const top = active * rowPx;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowPx > element.scrollTop + element.clientHeight)
      element.scrollTop = top + rowPx - element.clientHeight;
  }, [active, rowPx]);

  const first = Math.max(0, Math.floor(scrollTop / rowPx) - OVERSCAN);
  const end = Math.min(count, Math.ceil((scrollTop + height) / rowPx) + OVERSCAN);
  const { onRows } = props;
  useEffect(() => {
    onRows?.(first, end);
  }, [onRows, first, end]);
  return (
    <div
      ref={list}
      id={id}
      className="listbox"
      role="listbox"
      aria-label={props.label}
      aria-multiselectable={props.multiple === true}
      aria-activedescendant={active >= first && active < end ? rowId(id, active) : undefined}
      tabIndex={props.passive === true ? -1 : 0}
      style={{ height }}
      onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
      onKeyDown={props.onKeyDown}
      onContextMenu={(event) => {
        if (props.onMenu === undefined || !(event.target instanceof Element)) return;
        const row = event.target.closest<HTMLElement>('[data-row]') ?? document.getElementById(rowId(id, active));
        if (row === null) return;
        event.preventDefault();
        const byKey = event.target === event.currentTarget;
        const { left, bottom } = row.getBoundingClientRect();
        props.onMenu(
          Number(row.dataset['row']),
          byKey ? { x: left, y: bottom } : { x: event.clientX, y: event.clientY },
        );
      }}
      onClick={(event) => {
        const row = event.target instanceof Element ? event.target.closest('[data-row]') : null;
        if (row !== null) props.onClick(Number(row.getAttribute('data-row')), event);
      }}
    >
      <div role="presentation" style={{ height: count * rowPx, paddingTop: first * rowPx }}>
        {Array.from({ length: Math.max(0, end - first) }, (_, offset) => {
          const index = first + offset;
          return (
            <div
              key={index}
              id={rowId(id, index)}
              data-row={index}
              role="option"
              tabIndex={-1}
              aria-selected={props.isSelected(index)}
              className={index === active ? 'option active' : 'option'}
              style={{ height: rowPx }}
            >
              {children(index)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
