import type { Check } from '#core/contract/schemas.ts';
import type { IconName } from '../icons.tsx';

/** How the outcome of a check is drawn and said. */
export const CHECK_LOOKS: Readonly<Record<Check['status'], { readonly icon: IconName; readonly name: string }>> = {
  ok: { icon: 'check', name: 'ok' },
  absent: { icon: 'minus', name: 'absent' },
  warning: { icon: 'warning', name: 'warning' },
  failed: { icon: 'close', name: 'failed' },
  unknown: { icon: 'question', name: 'unknown' },
};
