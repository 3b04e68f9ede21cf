import type { ReactElement } from 'react';
import { Button } from '../buttons.tsx';

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
      <Button onClick={onCancel}>Cancel</Button>
      <Button type="submit" className="primary" disabled={disabled}>
        {submit}
      </Button>
    </div>
  );
}
