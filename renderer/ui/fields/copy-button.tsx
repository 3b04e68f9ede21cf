import type { ReactElement } from 'react';
import { copyText } from '../copy-text.ts';
import { IconButton } from '../buttons.tsx';

interface CopyButtonProps {
  readonly label: string;
  /** The text, or what makes it. */
  readonly text: string | (() => string);
}

/** An icon button that copies a text. */
export function CopyButton({ label, text }: CopyButtonProps): ReactElement {
  const copy = (): void => void copyText(typeof text === 'string' ? text : text());
  return <IconButton icon="copy" label={label} onClick={copy} />;
}
