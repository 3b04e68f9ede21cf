import type { Side } from '#core/contract/schemas.ts';

/** What an option says of each side; undefined: nothing. */
export type SideValues = Readonly<Record<Side, string | undefined>>;

const PREFIX = /^(before|after)=/;
/** A value may hold commas itself: `cpu/event=0x3c,umask=0/`. */
const NEXT_SIDE = /,(?=(?:before|after)=)/;

/** Takes `X`, `before=X`, `after=Y` and `before=X,after=Y` apart; what comes later counts. */
export function parseSideValues(given: readonly string[]): SideValues {
  const values: Record<Side, string | undefined> = { before: undefined, after: undefined };
  for (const text of given) {
    if (!PREFIX.test(text)) values.before = values.after = text;
    else {
      for (const part of text.split(NEXT_SIDE)) {
        const side = part.startsWith('before') ? 'before' : 'after';
        values[side] = part.slice(`${side}=`.length);
      }
    }
  }
  return values;
}
