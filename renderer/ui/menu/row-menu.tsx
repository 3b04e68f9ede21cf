import { useState } from 'react';
import type { MouseEvent, ReactElement } from 'react';
import { Icon } from '../icons.tsx';
import { Menu } from './menu.tsx';
import type { MenuGroups } from './menu.tsx';
import { menuPoint } from './menu-point.ts';

/** CSS pixels in the window. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/** Whether a row's menu is open, and where. */
export interface RowMenuPlace {
  /** Null: it is closed. */
  readonly point: Point | null;
  /** At the pointer, or below the control where the keyboard asked. */
  readonly openAt: (event: MouseEvent<HTMLElement>) => void;
  /** As {@link openAt}, in place of the browser's own menu. */
  readonly onContextMenu: (event: MouseEvent<HTMLElement>) => void;
  readonly close: () => void;
}

export function useRowMenu(): RowMenuPlace {
  const [point, setPoint] = useState<Point | null>(null);
  const openAt = (event: MouseEvent<HTMLElement>): void => {
    setPoint(menuPoint(event.currentTarget, event));
  };
  return {
    point,
    openAt,
    onContextMenu: (event) => {
      event.preventDefault();
      openAt(event);
    },
    close: () => {
      setPoint(null);
    },
  };
}

interface RowMenuProps {
  /** What the rows of the menu act on. */
  readonly title: string;
  readonly groups: MenuGroups;
  readonly place: RowMenuPlace;
}

/** The button at a row's end that opens its menu, and the menu. */
export function RowMenu({ title, groups, place }: RowMenuProps): ReactElement {
  return (
    <>
      <button
        type="button"
        className="icon-button row-more"
        tabIndex={-1}
        aria-label={`More for ${title}`}
        onClick={place.openAt}
      >
        <Icon name="more" />
      </button>
      {place.point !== null && <Menu title={title} groups={groups} point={place.point} onClose={place.close} />}
    </>
  );
}
