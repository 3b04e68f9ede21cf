import type { ReactElement } from 'react';
import { copyText } from '../copy-text.ts';
import { IconButton } from '../buttons.tsx';

/** An icon button that copies a text. */
export function CopyButton({ label, text }: { label: string; text: string }): ReactElement {
  return <IconButton icon="copy" label={label} title={label} onClick={() => void copyText(text)} />;
}
