import type { KeyboardEvent, MouseEvent } from 'react';
import type { ViewPoint } from '../../flame/graph.types.ts';
import type { GridViewProps } from './grid.types.ts';
import { selectMode, type SelectMode } from './row-selection.ts';
import { rowAfterKey } from './row-window.ts';

interface KeyPlaces {
  readonly viewportPx: number;
  readonly rowPx: number;
  /** Returns where the menu of the active row opens; null if the row is not visible. */
  readonly menuPoint: () => ViewPoint | null;
}

/** Handles a key as in every table; returns false if it has no effect. */
export function pressGridKey(event: KeyboardEvent, grid: GridViewProps, places: KeyPlaces): boolean {
  const { key } = event;
  const { activePosition: at, multiple } = grid;
  const control = event.ctrlKey || event.metaKey;
  if (event.altKey) return false;
  if (key === 'ContextMenu' || (key === 'F10' && event.shiftKey)) return openMenu(grid, places.menuPoint());
  if (control && key === 'a' && grid.onSelectAll !== undefined) grid.onSelectAll();
  else if (control && key === ' ' && multiple && at >= 0) grid.onSelect(at, 'toggle');
  else if (control) return false;
  else if (key === 'Enter' && at >= 0 && grid.onActivate !== undefined) grid.onActivate(at);
  else {
    const target = rowAfterKey(key, at, grid.rowCount, places.viewportPx, places.rowPx);
    if (target === null) return false;
    grid.onSelect(target, event.shiftKey && multiple ? 'range' : 'one');
  }
  return true;
}

function openMenu({ activePosition, onContextMenu }: GridViewProps, point: ViewPoint | null): boolean {
  if (activePosition < 0 || point === null || onContextMenu === undefined) return false;
  onContextMenu(activePosition, point);
  return true;
}

/** Returns the pointer handlers of every table. */
export function gridPointer(grid: GridViewProps) {
  return {
    onMouseDown: (event: MouseEvent): void => {
      // Shift extends the selected rows, not the page's text selection.
      // The middle button would start to scroll.
      if ((event.shiftKey || event.button === 1) && positionAt(event) !== null) event.preventDefault();
    },
    onMouseOver: (event: MouseEvent): void => grid.onHover?.(positionAt(event)),
    onMouseLeave: (): void => grid.onHover?.(null),
    onClick: (event: MouseEvent): void => {
      const position = positionAt(event);
      if (position === null) return;
      const onTwisty = event.target instanceof Element && event.target.closest('.twisty') !== null;
      if (onTwisty && grid.onToggle !== undefined) grid.onToggle(position, event.altKey);
      else if (grid.onOpenNew !== undefined && selectMode(event) === 'toggle') grid.onOpenNew(position);
      else grid.onSelect(position, grid.multiple ? pressMode(event, grid) : 'one');
    },
    onAuxClick: (event: MouseEvent): void => {
      const position = positionAt(event);
      if (position !== null && event.button === 1) grid.onOpenNew?.(position);
    },
    onDoubleClick: (event: MouseEvent): void => {
      const position = positionAt(event);
      if (position !== null) grid.onActivate?.(position);
    },
    onContextMenu: (event: MouseEvent): void => {
      const position = positionAt(event);
      if (position === null || grid.onContextMenu === undefined) return;
      event.preventDefault();
      if (!grid.isSelected(grid.rowAt(position))) grid.onSelect(position, 'one');
      grid.onContextMenu(position, { x: event.clientX, y: event.clientY });
    },
  };
}

/** Returns how a click selects where Ctrl alone opens a row elsewhere. */
function pressMode(event: MouseEvent, { onOpenNew }: GridViewProps): SelectMode {
  const isBoth = event.shiftKey && (event.ctrlKey || event.metaKey);
  return onOpenNew !== undefined && isBoth ? 'toggle' : selectMode(event);
}

/** Returns the position of the row under an event; null elsewhere. */
function positionAt(event: MouseEvent): number | null {
  const element = event.target instanceof Element ? event.target.closest('[data-position]') : null;
  return element === null ? null : Number(element.getAttribute('data-position'));
}
