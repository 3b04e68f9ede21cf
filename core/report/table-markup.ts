import { visibleText, shortenMiddle } from '../analyze/function-label.ts';
import { markup, type Markup, type MarkupChild } from '../export/markup.ts';

/** A column of a static table. */
export interface StillColumn<Row> {
  readonly header: string;
  /** Numbers are right-aligned. */
  readonly isNumber?: boolean;
  /** Lines break between words only. */
  readonly isPhrase?: boolean;
  readonly cell: (row: Row) => MarkupChild;
  readonly tone?: (row: Row) => string;
}

/** Returns a table whose first column contains the rows' headings. */
export function tableMarkup<Row>(
  caption: string,
  columns: readonly StillColumn<Row>[],
  rows: readonly Row[],
  attributesOf: (row: Row) => Record<string, string> = () => ({}),
): Markup {
  const kind = (column: StillColumn<Row>): string =>
    column.isNumber === true ? 'number' : column.isPhrase === true ? 'phrase' : 'words';
  return markup(
    'table',
    {},
    markup('caption', {}, caption),
    markup(
      'thead',
      {},
      markup('tr', {}, ...columns.map((column) => markup('th', { scope: 'col', class: kind(column) }, column.header))),
    ),
    markup(
      'tbody',
      {},
      ...rows.map((row) =>
        markup(
          'tr',
          attributesOf(row),
          ...columns.map((column, place) => {
            const tone = column.tone?.(row) ?? '';
            const classes = tone === '' ? kind(column) : `${kind(column)} tone-${tone}`;
            return place === 0
              ? markup('th', { scope: 'row', class: classes }, column.cell(row))
              : markup('td', { class: classes }, column.cell(row));
          }),
        ),
      ),
    ),
  );
}

/** Returns a name as a cell; a long one is shortened in the middle, and whole in the title. `pins`: its notes. */
export function nameMarkup(name: string, pins: readonly number[] = []): Markup {
  const visible = visibleText(name.slice(0, 5000));
  const short = shortenMiddle(visible, 120);
  return markup(
    'span',
    { class: 'mono', title: short === visible ? null : visible },
    short,
    ...pins.map((pin) =>
      markup('a', { href: `#note-${pin}`, class: 'pin-inline', 'aria-label': `note ${pin}` }, String(pin)),
    ),
  );
}
