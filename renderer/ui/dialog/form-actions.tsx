import type { ReactElement } from 'react';

interface FormActionsProps {
  /** Label of the button that submits the form. */
  readonly submit: string;
  readonly disabled?: boolean;
  readonly onCancel: () => void;
}

/** The buttons at the end of a form in a dialog. */
export function FormActions({ submit, disabled = false, onCancel }: FormActionsProps): ReactElement {
  return (
    <div className="dialog-actions">
      <button type="button" className="button" onClick={onCancel}>
        Cancel
      </button>
      <button type="submit" className="button primary" disabled={disabled}>
        {submit}
      </button>
    </div>
  );
}
