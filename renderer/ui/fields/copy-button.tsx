import type { ReactElement } from 'react';
import { copyText } from '../copy-text.ts';
import { Icon } from '../icons.tsx';

/** An icon button that copies a text. */
export function CopyButton({ label, text }: { label: string; text: string }): ReactElement {
  return (
    <button type="button" className="icon-button" aria-label={label} title={label} onClick={() => void copyText(text)}>
      <Icon name="copy" />
    </button>
  );
}
