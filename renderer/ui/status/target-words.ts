import type { TargetRow, TargetState } from '#core/contract/target.ts';
import { formatTargetId, parseTargetId, TargetIdFailure } from '#core/contract/target-id.ts';
import type { IconName } from '../icons.tsx';

type StateKind = TargetState['kind'];

interface StateLook {
  readonly icon: IconName;
  /** Short enough for a row of the sidebar. */
  readonly text: string;
  /** The sentence for screen readers and tooltips. */
  readonly sentence: string;
}

export const STATE_LOOKS: Readonly<Record<StateKind, StateLook>> = {
  idle: { icon: 'circle', text: 'not connected', sentence: 'not connected' },
  connecting: { icon: 'clock', text: 'connecting…', sentence: 'connecting' },
  'needs-you': { icon: 'question', text: 'asks you', sentence: 'waits for your answer in the terminal' },
  up: { icon: 'check', text: 'ssh', sentence: 'connected' },
  lost: { icon: 'warning', text: 'lost', sentence: 'the connection was lost' },
  failed: { icon: 'close', text: 'failed', sentence: 'could not connect' },
};

export const isLocal = ({ origin }: Pick<TargetRow, 'origin'>): boolean => origin === 'local';

type TypedTarget =
  | { readonly ok: true; readonly id: string; readonly name: string }
  | { readonly ok: false; readonly message: string };

/** Parses a target as typed: `ssh://user@host:port`, the same without the scheme, or a Host of ~/.ssh/config. */
export function readTarget(typed: string): TypedTarget {
  const text = typed.trim();
  if (text === '') return { ok: false, message: 'Type a host: ssh://user@host:port, or a Host of ~/.ssh/config.' };
  try {
    const address = parseTargetId(text.includes('://') ? text : `ssh://${text}`);
    if (address.kind === 'local') return { ok: false, message: 'This machine is a target already.' };
    return { ok: true, id: formatTargetId(address), name: address.host };
  } catch (error) {
    if (error instanceof TargetIdFailure) return { ok: false, message: `${error.message}.` };
    throw error;
  }
}

/** Returns the target without its scheme: `ssh://root@web-1:2222` → `root@web-1:2222`. */
export const shortTarget = (id: string): string => id.replace(/^ssh:\/\//, '');
