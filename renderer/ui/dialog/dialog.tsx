import { useEffect, useRef, type ReactElement, type ReactNode } from 'react';
import { IconButton } from '../buttons.tsx';

interface DialogProps {
  readonly title: string;
  readonly className?: string;
  /** Called on Esc and by the close button only. */
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The element that gets the focus first; without one, the browser focuses the close button. */
const FIRST_FOCUS = ['[data-first-focus]', 'input:not([type=radio]), .primary'];

/** A modal dialog. The browser traps the focus inside and restores it afterwards. */
export function Dialog({ title, className = '', onClose, children }: DialogProps): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = dialog.current;
    const before = document.activeElement;
    if (shown !== null && !shown.open) {
      shown.showModal();
      const [first] = FIRST_FOCUS.flatMap((selector) => shown.querySelector<HTMLElement>(selector) ?? []);
      first?.focus();
    }
    return () => {
      shown?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={`dialog ${className}`}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className="dialog-title">
        <h2 className="ellipsis">{title}</h2>
        <IconButton icon="close" label="Close" onClick={onClose} />
      </div>
      {children}
    </dialog>
  );
}
