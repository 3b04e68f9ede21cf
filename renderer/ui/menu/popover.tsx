import { useEffect, useRef, type ReactElement, type ReactNode } from 'react';
import { useCloseOutside, usePlacement, useReturnFocus } from './menu.tsx';

interface PopoverProps {
  readonly label: string;
  readonly anchor: HTMLElement;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

const GAP_PX = 4;

/** The selected option, else the first available one. */
const FIRST_FOCUS = ['input[type=radio]:checked:enabled', 'input:enabled, button:enabled, [tabindex="0"]'];

/**
 * A box below a control, or above it if there is no room. It closes on Esc, on a press elsewhere, and when it loses the
 * focus; the first field or row gets the focus.
 */
export function Popover({ label, anchor, onClose, children }: PopoverProps): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  const { left, top, bottom } = anchor.getBoundingClientRect();
  usePlacement(box, left, bottom + GAP_PX, top - GAP_PX);
  useReturnFocus();
  useCloseOutside(box, onClose);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      event.preventDefault();
      onClose();
    };
    const leave = ({ target }: FocusEvent): void => {
      if (target instanceof Node && !box.current?.contains(target) && !anchor.contains(target)) onClose();
    };
    document.addEventListener('keydown', press, true);
    document.addEventListener('focusin', leave);
    return () => {
      document.removeEventListener('keydown', press, true);
      document.removeEventListener('focusin', leave);
    };
  }, [anchor, onClose]);
  useEffect(() => {
    const [first] = FIRST_FOCUS.flatMap((selector) => box.current?.querySelector<HTMLElement>(selector) ?? []);
    first?.focus();
  }, []);
  return (
    <div ref={box} className="popover" role="dialog" aria-label={label}>
      {children}
    </div>
  );
}
