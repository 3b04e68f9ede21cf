import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import type { NoteAnchor } from '#core/contract/notes.ts';
import { notedFunction } from '#core/notes/note-title.ts';
import { countOf } from '../../ui/format.ts';
import { durationLabel, timeLabel } from '../../ui/time/time-label.ts';

const MAX_NAME = 80;

/**
 * Returns the subject of a note on one line. `zero` is the start of the time axis in nanoseconds; null for the
 * profile's time origin.
 */
export function anchorText(anchor: NoteAnchor, noun: 'capture' | 'experiment', zero: number | null): string {
  switch (anchor.kind) {
    case 'whole':
      return `the whole ${noun}`;
    case 'range': {
      const { start, end } = anchor;
      const from = timeLabel(start - (zero ?? 0), 1e6);
      return end === null || end <= start ? `the moment ${from}` : `${durationLabel({ start, end })} from ${from}`;
    }
    case 'delta':
      return `the change of ${anchorText(anchor.of, noun, zero)}`;
    case 'function':
    case 'path': {
      const name = shortenMiddle(visibleText(notedFunction(anchor)?.name.slice(0, 2000) ?? ''), MAX_NAME);
      if (anchor.kind === 'function' || anchor.path.length < 2) return name;
      const others = countOf(anchor.path.length - 1, anchor.direction === 'top-down' ? 'caller' : 'callee');
      return `${name}, with its ${others}`;
    }
  }
}
