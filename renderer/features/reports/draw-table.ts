import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import { legendLines, wrapText } from '../../../core/export/svg/wrap-text.ts';
import type { TableDocument } from './table-document.ts';

/** CSS pixels. */
const PAD = 10;
const GAP = 16;
const ROW = 20;
const LINE = 16;
const TITLE = 26;
const PIN = 15;
const MOST_CELL = 480;
const LEAST_WIDTH = 320;
/** Longer lines of text are broken in a table that is not wider. */
const MOST_LINE = 720;
/** Maximum size of a canvas in browsers, in device pixels. */
const MOST_PIXELS = 16_000;
const TEXT = '12px sans-serif';
const TITLE_TEXT = '17px sans-serif';
const CODE = '12px monospace';
const [BLACK, GREY, RULE, WHITE] = ['#1c232c', '#444c55', '#d5dae0', '#ffffff'] as const;

/** Draws a table as a PNG in the light theme, with the legend of its notes; `scale` is in device pixels per CSS pixel. */
export async function drawTable({ title, lines, headers, rows, legend }: TableDocument, scale: number): Promise<Blob> {
  const measuring = new OffscreenCanvas(1, 1).getContext('2d')!;
  const widthOf = (text: string, font: string): number => {
    measuring.font = font;
    return measuring.measureText(text).width;
  };
  const fonts = headers.map(({ isCode }) => (isCode ? CODE : TEXT));
  const characters = fonts.map((font) => Math.floor(MOST_CELL / widthOf('m', font)));
  const cells = rows.map((row) => row.cells.map((text, at) => shortenMiddle(visibleText(text), characters[at]!)));
  const widths = headers.map(({ text }, at) =>
    cells.reduce(
      (widest, row, place) => {
        const pins = at === 0 ? rows[place]!.pins.length * PIN : 0;
        return Math.max(widest, widthOf(row[at]!, fonts[at]!) + pins);
      },
      widthOf(text, TEXT),
    ),
  );
  const tableWidth = widths.reduce((sum, width) => sum + width + GAP, -GAP);
  const longest = [...lines, ...legend.map((note) => note.title)].map((text) => widthOf(text, TEXT) + PIN);
  const room = Math.ceil(Math.max(LEAST_WIDTH, tableWidth, Math.min(MOST_LINE, Math.max(...longest))));
  const inText = (text: string): number => widthOf(text, TEXT);
  const titles = wrapText(visibleText(title), room, (text) => widthOf(text, TITLE_TEXT));
  const above = lines.flatMap((line) => wrapText(visibleText(line), room, inText));
  const below = legendLines(
    legend.map((note) => ({ number: note.number, text: note.title })),
    room,
    inText,
  );
  const belowTitle = PAD + Math.max(1, titles.length) * TITLE;
  const head = belowTitle + above.length * LINE + PAD;
  const width = 2 * PAD + room;
  const height = head + (rows.length + 1) * ROW + 2 * PAD + below.length * LINE;
  const shown = Math.min(scale, MOST_PIXELS / width, MOST_PIXELS / height);
  const canvas = new OffscreenCanvas(Math.round(width * shown), Math.round(height * shown));
  const context = canvas.getContext('2d')!;
  context.scale(shown, shown);
  context.fillStyle = WHITE;
  context.fillRect(0, 0, width, height);
  const write = (text: string, x: number, y: number, font: string, colour: string): void => {
    context.font = font;
    context.fillStyle = colour;
    context.fillText(text, x, y);
  };
  const writeRow = (row: readonly string[], top: number, colour: string, pins: readonly number[]): void => {
    let left = PAD;
    row.forEach((text, at) => {
      const font = fonts[at]!;
      const x = headers[at]!.isNumber ? left + widths[at]! - widthOf(text, font) : left;
      write(text, x, top + 14, font, colour);
      if (at === 0) pins.forEach((pin, place) => drawPin(pin, x + widthOf(text, font) + (place + 0.6) * PIN, top + 10));
      left += widths[at]! + GAP;
    });
    context.fillStyle = RULE;
    context.fillRect(PAD, top + ROW - 1, tableWidth, 1);
  };
  const drawPin = (pin: number, x: number, y: number): void => {
    context.fillStyle = BLACK;
    context.beginPath();
    context.arc(x, y, 6, 0, 2 * Math.PI);
    context.fill();
    write(String(pin), x - 3, y + 3, '9px sans-serif', WHITE);
  };
  titles.forEach((line, place) => write(line, PAD, PAD + 14 + place * TITLE, TITLE_TEXT, BLACK));
  above.forEach((line, place) => write(line, PAD, belowTitle + (place + 0.6) * LINE, TEXT, GREY));
  writeRow(
    headers.map(({ text }) => text),
    head,
    GREY,
    [],
  );
  cells.forEach((row, place) => writeRow(row, head + (place + 1) * ROW, BLACK, rows[place]!.pins));
  const foot = head + (rows.length + 1) * ROW + PAD;
  below.forEach((line, place) => write(line, PAD, foot + (place + 0.8) * LINE, TEXT, GREY));
  return canvas.convertToBlob({ type: 'image/png' });
}
