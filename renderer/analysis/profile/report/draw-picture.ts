import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import { legendLines, wrapText } from '../../../../core/export/svg/wrap-text.ts';
import type { ReportPicture } from '../../../../core/report/report-picture.ts';

/** CSS pixels. */
const PAD = 10;
const ROW = 16;
const LINE = 16;
const TITLE = 26;
const CHARACTER = 7.2;
const TITLE_FONT = '17px sans-serif';
export const TEXT_FONT = '12px sans-serif';
export const CODE_FONT = '12px monospace';
export const [BLACK, GREY, WHITE] = ['#1c232c', '#444c55', '#ffffff'] as const;
/** Maximum size of a canvas in browsers, in device pixels. */
const MOST_PIXELS = 16_000;

/** A page around what is drawn: its title and lines above, and the legend of its notes below. */
interface Sheet extends Pick<ReportPicture, 'title' | 'legend'> {
  readonly lines: readonly string[];
  /** Size of what is drawn, and the gap above it, in CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly gap: number;
}

interface Pen {
  readonly context: OffscreenCanvasRenderingContext2D;
  readonly write: (text: string, x: number, y: number, font: string, colour: string) => void;
  /** Draws a note's number around a point. */
  readonly pin: (number: number, x: number, y: number) => void;
}

/** Returns a function that measures texts in CSS pixels. */
export function textMeter(): (text: string, font: string) => number {
  const measuring = new OffscreenCanvas(1, 1).getContext('2d')!;
  return (text, font) => {
    measuring.font = font;
    return measuring.measureText(text).width;
  };
}

/**
 * Makes a PNG of a page in the light theme; `draw` receives the place of the upper left corner. `scale` is in device
 * pixels per CSS pixel and is reduced if the page would be too large.
 */
export async function drawSheet(
  sheet: Sheet,
  scale: number,
  draw: (pen: Pen, left: number, top: number) => void,
): Promise<Blob> {
  const widthOf = textMeter();
  const inText = (text: string): number => widthOf(text, TEXT_FONT);
  const titles = wrapText(visibleText(sheet.title), sheet.width, (text) => widthOf(text, TITLE_FONT));
  const lines = sheet.lines.flatMap((line) => wrapText(visibleText(line), sheet.width, inText));
  const legend = legendLines(sheet.legend, sheet.width, inText);
  const belowTitle = PAD + Math.max(1, titles.length) * TITLE;
  const top = belowTitle + lines.length * LINE + sheet.gap;
  const foot = top + sheet.height + PAD;
  const width = sheet.width + 2 * PAD;
  const height = foot + legend.length * LINE + PAD;
  const shown = Math.min(scale, MOST_PIXELS / width, MOST_PIXELS / height);
  const canvas = new OffscreenCanvas(Math.round(width * shown), Math.round(height * shown));
  const context = canvas.getContext('2d')!;
  context.scale(shown, shown);
  context.fillStyle = WHITE;
  context.fillRect(0, 0, width, height);
  const write: Pen['write'] = (text, x, y, font, colour) => {
    context.font = font;
    context.fillStyle = colour;
    context.fillText(visibleText(text), x, y);
  };
  const pin: Pen['pin'] = (number, x, y) => {
    context.fillStyle = BLACK;
    context.beginPath();
    context.arc(x, y, 6, 0, 2 * Math.PI);
    context.fill();
    write(String(number), x - 3, y + 3, '9px sans-serif', WHITE);
  };
  titles.forEach((line, place) => write(line, PAD, PAD + 14 + place * TITLE, TITLE_FONT, BLACK));
  lines.forEach((line, place) => write(line, PAD, belowTitle + (place + 0.6) * LINE, TEXT_FONT, GREY));
  draw({ context, write, pin }, PAD, top);
  legend.forEach((line, place) => write(line, PAD, foot + (place + 0.8) * LINE, TEXT_FONT, GREY));
  return canvas.convertToBlob({ type: 'image/png' });
}

/** Draws a report's picture as a PNG, with its title and the legend of its notes. */
export async function drawPicture({ picture, subtitle, ...report }: ReportPicture, scale: number): Promise<Blob> {
  const sheet = { ...report, lines: subtitle, width: picture.width, height: picture.rows * ROW, gap: 0 };
  return drawSheet(sheet, scale, ({ context, write, pin }, x, y) => {
    for (const frame of picture.frames) {
      const row = picture.orientation === 'flame' ? picture.rows - 1 - frame.depth : frame.depth;
      const [left, top] = [x + frame.left, y + row * ROW];
      context.fillStyle = frame.fill;
      context.fillRect(left, top, Math.max(0.5, frame.width - 0.5), ROW - 1);
      const room = Math.floor((frame.width - 6 - frame.pins.length * 14) / CHARACTER);
      if (room >= 3) write(shortenMiddle(frame.name.slice(0, 2000), room), left + 3, top + 11.5, CODE_FONT, BLACK);
      frame.pins.forEach((number, place) => pin(number, left + frame.width - 8 - place * 14, top + 7.5));
    }
  });
}
