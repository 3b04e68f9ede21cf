import type { Notice } from './notice.ts';
import { toProblem } from './problem.ts';
import type { Store } from './store.ts';
import type { Reporting } from './workbench-state.ts';

/** Maximum number of notices; more would cover the window. */
const MAX_NOTICES = 4;

/** Time in ms for which a passing notice is shown, while the user neither points at it nor has focused it. */
export const SHOWN_MS = 6000;

/** Returns whether a notice only confirms what the user has just done, so that it may go by itself. */
export const isPassing = ({ kind, action, stays }: Omit<Notice, 'id'>): boolean =>
  kind === 'info' && action === null && stays !== true;

/**
 * Adds a notice. It replaces an identical one; if there are too many, the oldest passing one is closed, and others only
 * for another one that stays.
 */
export function withNotice(notices: readonly Notice[], next: Notice): readonly Notice[] {
  const others = notices.filter((notice) => !isSame(notice, next));
  if (others.length < MAX_NOTICES) return [...others, next];
  const closed = others.find(isPassing) ?? (isPassing(next) ? null : others[0]);
  return [...others.filter((notice) => notice !== closed), next];
}

function isSame(a: Notice, b: Notice): boolean {
  if (a.action !== null || b.action !== null) return false;
  return a.kind === b.kind && a.text === b.text && a.remedy === b.remedy && a.details === b.details;
}

/** Shows and closes notices, each with its own ID. */
export function createNotices(
  store: Store<{ readonly notices: readonly Notice[] }>,
): Reporting & { readonly dismiss: (id: number) => void } {
  let last = 0;
  const notify: Reporting['notify'] = (notice) => {
    last += 1;
    store.set({ notices: withNotice(store.get().notices, { ...notice, id: last }) });
  };
  return {
    notify,
    report(error) {
      const { message, remedy, details, code } = toProblem(error);
      // A lost connection has its own banner.
      if (code !== 'connection-lost' && code !== 'session-expired')
        notify({ kind: 'error', text: message, remedy, details, action: null });
    },
    dismiss: (id) => store.set({ notices: store.get().notices.filter((notice) => notice.id !== id) }),
  };
}
