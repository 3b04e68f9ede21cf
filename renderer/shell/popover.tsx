import { useEffect, useRef } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useCloseOutside, usePlacement, useReturnFocus } from './menu.tsx';

interface PopoverProps {
  readonly label: string;
  readonly anchor: HTMLElement;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

const GAP_PX = 4;

/** A box below a control, above it where there is no room. Esc and a press elsewhere close it; the first field or row gets the focus. */
export function Popover({ label, anchor, onClose, children }: PopoverProps): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  const { left, top, bottom } = anchor.getBoundingClientRect();
  usePlacement(box, left, bottom + GAP_PX, top - GAP_PX);
  useReturnFocus();
  useCloseOutside(box, onClose);
  useEffect(() => {
    const element = box.current;
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      event.preventDefault();
      onClose();
    };
    element?.addEventListener('keydown', press);
    return () => element?.removeEventListener('keydown', press);
  }, [onClose]);
  useEffect(() => {
    box.current?.querySelector<HTMLElement>('input, [tabindex="0"]')?.focus();
  }, []);
  return (
    <div ref={box} className="popover" role="dialog" aria-label={label}>
      {children}
    </div>
  );
}
