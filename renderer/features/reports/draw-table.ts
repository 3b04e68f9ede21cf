import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
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
/** Characters of a line of text, which is not wrapped. */
const MOST_LINE = 160;
/** Maximum size of a canvas in browsers, in device pixels. */
const MOST_PIXELS = 16_000;
const TEXT = '12px sans-serif';
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
  const above = lines.map((line) => shortenMiddle(visibleText(line), MOST_LINE));
  const below = legend.map((note) => shortenMiddle(`${note.number}  ${visibleText(note.title)}`, MOST_LINE));
  const head = PAD + TITLE + above.length * LINE + PAD;
  const tableWidth = widths.reduce((sum, width) => sum + width + GAP, -GAP);
  const texts = [...above, ...below].map((line) => widthOf(line, TEXT));
  const width = 2 * PAD + Math.ceil(Math.max(LEAST_WIDTH, tableWidth, ...texts));
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
  write(shortenMiddle(visibleText(title), MOST_LINE), PAD, PAD + 14, '17px sans-serif', BLACK);
  above.forEach((line, place) => write(line, PAD, PAD + TITLE + (place + 0.6) * LINE, TEXT, GREY));
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
