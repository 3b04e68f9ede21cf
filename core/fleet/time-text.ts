/** Returns the Unix milliseconds of a date or time in ISO 8601 (`2026-11-21` is UTC); null if the text is neither. */
export function readTimeText(text: string): number | null {
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isFinite(time) ? time : null;
}
