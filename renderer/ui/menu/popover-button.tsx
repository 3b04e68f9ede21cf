import { useRef, useState, type ReactElement, type ReactNode } from 'react';
import { Icon } from '../icons.tsx';
import { usePart, type PartName } from '../parts.tsx';
import { Popover } from './popover.tsx';

interface PopoverButtonProps {
  readonly className: string;
  /** The button's content. */
  readonly face: ReactNode;
  readonly label: string;
  /** Name of the button if its content is an icon; it then has no arrow. */
  readonly name?: string;
  /** The name by which commands open it. */
  readonly part?: PartName;
  readonly children: (close: () => void) => ReactNode;
}

/** A button that opens a popover next to it. */
export function PopoverButton({ className, face, label, name, part, children }: PopoverButtonProps): ReactElement {
  const button = useRef<HTMLButtonElement>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = (): void => setAnchor(null);
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
        onClick={(event) => setAnchor(event.currentTarget)}
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
