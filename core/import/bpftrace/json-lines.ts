import { isObject } from '../text/json-value.ts';
import { jsonValue } from '../../model/json-value.ts';

const KINDS = 'attached_probes|map|hist|stats|printf|time|value|cat|join|syscall|lost_events|helper_error';
/** A line of `bpftrace -f json`. */
export const JSON_LINE = new RegExp(`^\\{"type": ?"(?:${KINDS})", ?"data":`);

/**
 * Returns the rows of the maps in a line of `bpftrace -f json`, as bpftrace prints them without it; null if the line is
 * not complete. Other messages have no rows; `isOther` tells if they hold anything (text, histograms).
 */
export function rowsOfJson(line: string): { readonly rows: string[]; readonly isOther: boolean } | null {
  const message = jsonValue(line);
  if (message === undefined) return null;
  if (!isObject(message) || message['type'] !== 'map' || !isObject(message['data'])) {
    return { rows: [], isOther: !isObject(message) || message['type'] !== 'attached_probes' };
  }
  const maps = Object.entries(message['data']);
  return {
    rows: maps.flatMap(([map, rows]) =>
      isObject(rows) ? Object.entries(rows).map(([key, value]) => `${map}[${withSpace(key)}]: ${String(value)}`) : [],
    ),
    isOther: maps.some(([, rows]) => !isObject(rows)),
  };
}

/** Keys are joined by commas; in text, a space follows. */
const withSpace = (key: string): string => key.replace(/,(\d{1,9})$/, ', $1');
