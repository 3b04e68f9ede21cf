import { useRef, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { Icon } from '../icons.tsx';
import { usePart, type PartName } from '../parts.tsx';
import { Popover } from './popover.tsx';

interface PopoverButtonProps {
  readonly className: string;
  /** What the button says. */
  readonly face: ReactNode;
  /** Of what opens. */
  readonly label: string;
  /** Of the button, where its face is an icon; it has no arrow then. */
  readonly name?: string;
  /** By which commands open it. */
  readonly part?: PartName;
  readonly children: (close: () => void) => ReactNode;
}

/** A button that opens choices beside it. */
export function PopoverButton({ className, face, label, name, part, children }: PopoverButtonProps): ReactElement {
  const button = useRef<HTMLButtonElement>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = (): void => {
    setAnchor(null);
  };
  usePart(part ?? null, button, () => setAnchor(button.current));
  return (
    <>
      <button
        ref={button}
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
