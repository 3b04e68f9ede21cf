import type { ReactElement } from 'react';

interface FormActionsProps {
  /** What sending the form does. */
  readonly submit: string;
  readonly disabled?: boolean;
  readonly onCancel: () => void;
}

/** The end of a dialog that is a form. */
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
