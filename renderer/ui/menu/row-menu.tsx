import { useState, type MouseEvent, type ReactElement } from 'react';
import { Menu, type MenuGroups } from './menu.tsx';
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
  const openAt = ({ currentTarget, clientX, clientY }: MouseEvent<HTMLElement>): void => {
    const { left, bottom } = currentTarget.getBoundingClientRect();
    const isByKeyboard = clientX === 0 && clientY === 0;
    setPoint(isByKeyboard ? { x: left + 8, y: bottom } : { x: clientX, y: clientY });
  };
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

/** The menu of a row without a button for it. */
export const PlacedMenu = ({ title, groups, place: { point, close } }: RowMenuProps): ReactElement | null =>
  point === null ? null : <Menu title={title} groups={groups()} point={point} onClose={close} />;

/** The button at the end of a row that opens its menu, with the menu. */
export function RowMenu(props: RowMenuProps): ReactElement {
  const label = `More for ${props.title}`;
  return (
    <>
      <IconButton icon="more" className="row-more" tabIndex={-1} label={label} onClick={props.place.openAt} />
      <PlacedMenu {...props} />
    </>
  );
}
