import { useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { Icon } from '../icons.tsx';
import { Popover } from './popover.tsx';

interface PopoverButtonProps {
  readonly className: string;
  /** What the button says. */
  readonly face: ReactNode;
  /** Of what opens. */
  readonly label: string;
  /** Of the button, where its face is an icon; it has no arrow then. */
  readonly name?: string;
  readonly children: (close: () => void) => ReactNode;
}

/** A button that opens choices beside it. */
export function PopoverButton({ className, face, label, name, children }: PopoverButtonProps): ReactElement {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = (): void => {
    setAnchor(null);
  };
  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={name}
        title={name}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => {
          setAnchor(event.currentTarget);
        }}
      >
        {face}
        {name === undefined && <Icon name="chevron-down" />}
      </button>
      {anchor !== null && (
        <Popover label={label} anchor={anchor} onClose={close}>
          {children(close)}
        </Popover>
      )}
    </>
  );
}
