import type { NoteAnchor, NotedFunction } from '../contract/notes.ts';

/** Characters; longer titles end in `…`. */
const MAX_TITLE = 200;

/** Quotes, headings and list items. */
const LEADING = /^(?:[\s>]|#{1,6}\s|[*+-]\s|\d{1,9}[.)]\s)*/;
/** Code; emphasis; a link’s text and its address. */
const MARKED = /`([^`]+)`|(\*{1,2})(?=\S)([^*]+)(?<=\S)\2|\[([^[\]]+)\]\([^()\s]+\)/g;

/**
 * Returns the first non-empty line of a note, without its Markdown; it names the note in lists, on pins and on the
 * time strip.
 */
export function noteTitle(text: string): string {
  for (const line of text.split('\n', 100)) {
    const title = line.replace(LEADING, '').trim();
    if (title === '') continue;
    return shortened(title).replace(
      MARKED,
      (_, ofCode?: string, _mark?: string, emphasised?: string, link?: string) => ofCode ?? emphasised ?? link ?? '',
    );
  }
  return shortened(text.trim());
}

function shortened(title: string): string {
  const start = Array.from(title.slice(0, 2 * MAX_TITLE))
    .slice(0, MAX_TITLE)
    .join('');
  return start.length < title.length ? `${start}…` : start;
}

/** Returns the function that a note refers to; null if it refers to a range or the whole. */
export function notedFunction(anchor: NoteAnchor): NotedFunction | null {
  switch (anchor.kind) {
    case 'function':
      return anchor.func;
    case 'path':
      return anchor.path.at(-1) ?? null;
    case 'delta':
      return notedFunction(anchor.of);
    default:
      return null;
  }
}
