import { useState, type ComponentProps, type ReactElement } from 'react';
import { Menu, type MenuGroups } from './menu.tsx';
import { below } from './menu-point.ts';

interface MenuButtonProps extends Omit<ComponentProps<'button'>, 'onClick'> {
  readonly menuTitle: string;
  /** Called while the menu is open. */
  readonly groups: () => MenuGroups;
  readonly gapPx: number;
}

/** A button that opens a menu below it, unless it is marked as disabled. */
export function MenuButton({ menuTitle, groups, gapPx, ...button }: MenuButtonProps): ReactElement {
  const [point, setPoint] = useState<{ readonly x: number; readonly y: number } | null>(null);
  return (
    <>
      <button
        type="button"
        {...button}
        aria-haspopup="menu"
        aria-expanded={point !== null}
        onClick={(event) => {
          if (button['aria-disabled'] !== true) setPoint(below(event.currentTarget, gapPx));
        }}
      />
      {point !== null && <Menu title={menuTitle} groups={groups()} point={point} onClose={() => setPoint(null)} />}
    </>
  );
}
