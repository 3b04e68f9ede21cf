import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import { BLACK, CODE_FONT, drawSheet, GREY, TEXT_FONT, textMeter } from '../../analysis/profile/report/draw-picture.ts';
import type { TableDocument } from './table-document.ts';

/** CSS pixels. */
const GAP = 16;
const ROW = 20;
const PIN = 15;
const ABOVE = 10;
const MOST_CELL = 480;
const LEAST_WIDTH = 320;
/** Longer lines of text are broken in a table that is not wider. */
const MOST_LINE = 720;
const RULE = '#d5dae0';

/** Draws a table as a PNG in the light theme, with the legend of its notes; `scale` is in device pixels per CSS pixel. */
export async function drawTable({ title, lines, headers, rows, legend }: TableDocument, scale: number): Promise<Blob> {
  const widthOf = textMeter();
  const fonts = headers.map(({ isCode }) => (isCode ? CODE_FONT : TEXT_FONT));
  const characters = fonts.map((font) => Math.floor(MOST_CELL / widthOf('m', font)));
  const cells = rows.map((row) => row.cells.map((text, at) => shortenMiddle(visibleText(text), characters[at]!)));
  const widths = headers.map(({ text }, at) =>
    cells.reduce(
      (widest, row, place) => {
        const pins = at === 0 ? rows[place]!.pins.length * PIN : 0;
        return Math.max(widest, widthOf(row[at]!, fonts[at]!) + pins);
      },
      widthOf(text, TEXT_FONT),
    ),
  );
  const tableWidth = widths.reduce((sum, width) => sum + width + GAP, -GAP);
  const longest = [...lines, ...legend.map((note) => note.title)].map((text) => widthOf(text, TEXT_FONT) + PIN);
  const width = Math.ceil(Math.max(LEAST_WIDTH, tableWidth, Math.min(MOST_LINE, Math.max(...longest))));
  const sheet = {
    title,
    lines,
    legend: legend.map((note) => ({ number: note.number, text: note.title })),
    width,
    height: (rows.length + 1) * ROW,
    gap: ABOVE,
  };
  return drawSheet(sheet, scale, ({ context, write, pin }, start, head) => {
    const writeRow = (row: readonly string[], top: number, colour: string, pins: readonly number[]): void => {
      let left = start;
      row.forEach((text, at) => {
        const font = fonts[at]!;
        const x = headers[at]!.isNumber ? left + widths[at]! - widthOf(text, font) : left;
        write(text, x, top + 14, font, colour);
        if (at === 0)
          pins.forEach((number, place) => pin(number, x + widthOf(text, font) + (place + 0.6) * PIN, top + 10));
        left += widths[at]! + GAP;
      });
      context.fillStyle = RULE;
      context.fillRect(start, top + ROW - 1, tableWidth, 1);
    };
    writeRow(
      headers.map(({ text }) => text),
      head,
      GREY,
      [],
    );
    cells.forEach((row, place) => writeRow(row, head + (place + 1) * ROW, BLACK, rows[place]!.pins));
  });
}
