import type { FunctionIndex } from '#core/model/brand.ts';
import type { FunctionTexts, NumberColumn, TextColumn } from './table.types.ts';

/** Returns a column of text; unless `own` says otherwise, right-aligned, not monospaced and not filtered. */
export const textColumn = (
  id: string,
  header: string,
  width: number,
  text: TextColumn['text'],
  own: Partial<TextColumn> = {},
): TextColumn => {
  const usual = { minWidth: 64, mono: false, align: 'right', filtered: false } as const;
  return { kind: 'text', id, header, width, text, ...usual, ...own };
};

/** The function of each row; below 0 for rows that are none. */
interface NamedRows {
  readonly func: (row: number) => number;
  readonly texts: FunctionTexts;
  /** By function: 1 if the search matches; null without a search. */
  readonly matches: Uint8Array | null;
}

/** Returns the column of the functions' names, with their pins. */
export const nameColumn = (
  header: string,
  width: number,
  { func, texts, matches }: NamedRows,
  own: Partial<TextColumn>,
): TextColumn =>
  textColumn('function', header, width, (row) => texts.name(func(row) as FunctionIndex), {
    mono: true,
    align: 'left',
    isMatch: (row) => matches?.[func(row)] === 1,
    pins: (row) => (func(row) < 0 ? [] : (texts.pins?.(func(row) as FunctionIndex, null) ?? [])),
    ...own,
  });

export const numberColumn = (
  id: string,
  header: string,
  title: string,
  width: number,
  value: NumberColumn['value'],
  format: NumberColumn['format'],
  own: Partial<NumberColumn> = {},
): NumberColumn => ({
  kind: 'number',
  id,
  header,
  title,
  width,
  minWidth: 56,
  value,
  format,
  ...own,
});
