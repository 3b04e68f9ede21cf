import { visibleText } from '../../analyze/function-label.ts';

/** More lines would be longer than the picture; the last one says how much is left out. */
const MOST_LINES = 40;

/**
 * Breaks a text into lines that are at most as wide as `room`: at spaces, or within words that are wider. `widthOf`
 * measures a text in the unit of `room`; by default both are UTF-16 units.
 */
export function wrapText(
  text: string,
  room: number,
  widthOf: (part: string) => number = (part) => part.length,
): readonly string[] {
  const lines: string[] = [];
  let rest = text.trim();
  while (rest !== '' && widthOf(rest) > room) {
    if (lines.length === MOST_LINES - 1) return [...lines, `… and ${rest.length.toLocaleString('en')} more characters`];
    const most = longestStart(rest, room, widthOf);
    const space = rest.lastIndexOf(' ', most);
    const end = space > 0 ? space : most;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return rest === '' ? lines : [...lines, rest];
}

/** Returns the length of the longest start that fits, at least one character, without splitting surrogate pairs. */
function longestStart(text: string, room: number, widthOf: (part: string) => number): number {
  let [fits, tooLong] = [1, text.length];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (widthOf(text.slice(0, middle)) <= room) fits = middle;
    else tooLong = middle;
  }
  const isSplit = /[\ud800-\udbff]/.test(text[fits - 1]!) && /[\udc00-\udfff]/.test(text[fits] ?? '');
  return isSplit ? Math.max(fits - 1, 0) || fits + 1 : fits;
}

/** Returns the lines of a legend: each number once, its further lines below its text. */
export const legendLines = (
  legend: readonly { readonly number: number; readonly text: string }[],
  room: number,
  widthOf?: (part: string) => number,
): readonly string[] =>
  legend.flatMap(({ number, text: words }) =>
    wrapText(visibleText(words), room - (widthOf?.(INDENT) ?? INDENT.length), widthOf).map((line, place) =>
      place === 0 ? `${number}  ${line}` : `${INDENT}${line}`,
    ),
  );
/** As wide as a number of two digits and its gap; not collapsed as spaces are. */
const INDENT = '\u00a0'.repeat(4);
