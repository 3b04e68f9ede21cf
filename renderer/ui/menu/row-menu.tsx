import { useState, type MouseEvent, type ReactElement } from 'react';
import { Menu, type MenuGroups } from './menu.tsx';
import { menuPoint } from './menu-point.ts';
import { IconButton } from '../buttons.tsx';

/** In CSS pixels of the window. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/** The state of a row's menu. */
interface RowMenuPlace {
  /** Null if the menu is closed. */
  readonly point: Point | null;
  /** Opens the menu at the pointer, or below the control if it was requested by keyboard. */
  readonly openAt: (event: MouseEvent<HTMLElement>) => void;
  /** Works as {@link openAt}, replacing the browser's own menu. */
  readonly onContextMenu: (event: MouseEvent<HTMLElement>) => void;
  readonly close: () => void;
}

export function useRowMenu(): RowMenuPlace {
  const [point, setPoint] = useState<Point | null>(null);
  const openAt = (event: MouseEvent<HTMLElement>): void => setPoint(menuPoint(event.currentTarget, event));
  return {
    point,
    openAt,
    onContextMenu: (event) => {
      event.preventDefault();
      openAt(event);
    },
    close: () => setPoint(null),
  };
}

interface RowMenuProps {
  /** Names what the menu acts on. */
  readonly title: string;
  /** Called while the menu is open. */
  readonly groups: () => MenuGroups;
  readonly place: RowMenuPlace;
}

/** The button at the end of a row that opens its menu, with the menu. */
export function RowMenu({ title, groups, place }: RowMenuProps): ReactElement {
  return (
    <>
      <IconButton icon="more" className="row-more" tabIndex={-1} label={`More for ${title}`} onClick={place.openAt} />
      {place.point !== null && <Menu title={title} groups={groups()} point={place.point} onClose={place.close} />}
    </>
  );
}
