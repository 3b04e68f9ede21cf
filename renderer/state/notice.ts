/** A message. Confirmations without an action go by themselves; others stay until the user closes them. */
export interface Notice {
  readonly id: number;
  readonly kind: 'info' | 'error';
  readonly text: string;
  readonly remedy: string | null;
  /** Shown on demand; absent if there are none. */
  readonly details?: string | null;
  readonly action: { readonly label: string; readonly run: () => void } | null;
  /** Set if it is news that the user did not cause, and must not go by itself. */
  readonly stays?: true;
}
