import { useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { Icon } from './icons.tsx';
import { Popover } from './popover.tsx';

interface PopoverButtonProps {
  readonly className: string;
  /** What the button says. */
  readonly face: ReactNode;
  /** Of what opens. */
  readonly label: string;
  readonly children: (close: () => void) => ReactNode;
}

/** A button that opens choices beside it. */
export function PopoverButton({ className, face, label, children }: PopoverButtonProps): ReactElement {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = (): void => {
    setAnchor(null);
  };
  return (
    <>
      <button
        type="button"
        className={className}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => {
          setAnchor(event.currentTarget);
        }}
      >
        {face}
        <Icon name="chevron-down" />
      </button>
      {anchor !== null && (
        <Popover label={label} anchor={anchor} onClose={close}>
          {children(close)}
        </Popover>
      )}
    </>
  );
}
