import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import type { KeyboardEvent, ReactElement, RefObject } from 'react';

export interface MenuItem {
  readonly label: string;
  readonly hint?: string;
  readonly danger?: boolean;
  /** Set on rows that show which option is selected. */
  readonly checked?: boolean;
  readonly run: () => void;
}

/** Rows in groups, separated by lines. */
export type MenuGroups = readonly (readonly MenuItem[])[];

interface MenuProps {
  /** Names what the menu acts on. */
  readonly title: string;
  readonly groups: MenuGroups;
  /** In CSS pixels of the window; the menu stays inside it. */
  readonly point: { readonly x: number; readonly y: number };
  readonly onClose: () => void;
}

const EDGE_PX = 8;

/** A context menu. Arrows, Home, End and first letters move; Enter runs; Esc, Tab and a press elsewhere close it. */
export function Menu({ title, groups, point, onClose }: MenuProps): ReactElement {
  const menu = useRef<HTMLDivElement>(null);
  usePlacement(menu, point.x, point.y);
  useReturnFocus();
  useCloseOutside(menu, onClose);
  useEffect(() => {
    menu.current?.querySelector<HTMLElement>('[role^=menuitem]')?.focus({ preventScroll: true });
  }, []);
  return (
    <div
      ref={menu}
      className="menu"
      role="menu"
      aria-label={title}
      tabIndex={-1}
      onKeyDown={(event) => moveInMenu(event, onClose)}
      onContextMenu={(event) => event.preventDefault()}
    >
      <div className="menu-title mono ellipsis" role="presentation">
        {title}
      </div>
      {groups
        .filter((group) => group.length > 0)
        .map((group, index) => (
          <div key={group[0]!.label} role="group">
            {index > 0 && <hr />}
            {group.map((item) => (
              <MenuRow key={item.label} item={item} onClose={onClose} />
            ))}
          </div>
        ))}
    </div>
  );
}

function MenuRow({ item, onClose }: { item: MenuItem; onClose: () => void }): ReactElement {
  return (
    <button
      type="button"
      role={item.checked === undefined ? 'menuitem' : 'menuitemradio'}
      {...(item.checked === undefined ? {} : { 'aria-checked': item.checked })}
      tabIndex={-1}
      className={item.danger === true ? 'danger' : ''}
      onClick={() => {
        onClose();
        item.run();
      }}
    >
      {item.checked === true ? `✓ ${item.label}` : item.label}
      {item.hint !== undefined && <span className="hint">{item.hint}</span>}
    </button>
  );
}

function moveInMenu(event: KeyboardEvent<HTMLDivElement>, onClose: () => void): void {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^=menuitem]')];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const target = (() => {
    switch (event.key) {
      case 'ArrowDown':
        return rows[(at + 1) % rows.length];
      case 'ArrowUp':
        return rows[(at - 1 + rows.length) % rows.length];
      case 'Home':
        return rows[0];
      case 'End':
        return rows.at(-1);
      default:
        return undefined;
    }
  })();
  event.stopPropagation();
  if (event.key === 'Escape' || event.key === 'Tab') {
    event.preventDefault();
    onClose();
  } else if (target !== undefined) {
    event.preventDefault();
    target.focus();
  } else if (/^\p{L}$/u.test(event.key)) {
    const next = [...rows.slice(at + 1), ...rows].find((row) => row.textContent.toLowerCase().startsWith(event.key));
    next?.focus();
  }
}

const onResize = (changed: () => void): (() => void) => {
  window.addEventListener('resize', changed);
  return () => window.removeEventListener('resize', changed);
};

/** Moves a fixed box to a point, or as close as keeps it inside the window, also when the window is resized. */
export function usePlacement(box: RefObject<HTMLElement | null>, x: number, y: number, above?: number): void {
  const windowWidth = useSyncExternalStore(onResize, () => window.innerWidth);
  const windowHeight = useSyncExternalStore(onResize, () => window.innerHeight);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const { width, height } = element.getBoundingClientRect();
    const lowest = windowHeight - height - EDGE_PX;
    const foot = Math.min(above ?? 0, windowHeight - EDGE_PX);
    // Anchored at its lower edge, because the box may become shorter.
    const stands = y > lowest && foot - height >= EDGE_PX;
    element.style.setProperty('left', `${Math.max(EDGE_PX, Math.min(x, windowWidth - width - EDGE_PX))}px`);
    element.style.setProperty('top', stands ? 'auto' : `${Math.max(EDGE_PX, Math.min(y, lowest))}px`);
    element.style.setProperty('bottom', stands ? `${windowHeight - foot}px` : 'auto');
  }, [box, x, y, above, windowWidth, windowHeight]);
}

export function useCloseOutside(box: RefObject<HTMLElement | null>, onClose: () => void): void {
  useEffect(() => {
    const press = (event: PointerEvent): void => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) onClose();
    };
    document.addEventListener('pointerdown', press, true);
    window.addEventListener('blur', onClose);
    return () => {
      document.removeEventListener('pointerdown', press, true);
      window.removeEventListener('blur', onClose);
    };
  }, [box, onClose]);
}

/** Returns the focus to the element that had it, unless it has moved elsewhere in the meantime. */
export function useReturnFocus(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      const lost = document.activeElement === null || document.activeElement === document.body;
      if (lost && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
}
