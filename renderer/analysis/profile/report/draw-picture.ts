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
const TEXT_FONT = '12px sans-serif';
/** Maximum size of a canvas in browsers, in device pixels. */
const MOST_PIXELS = 16_000;

/**
 * Draws a report's picture as a PNG, with its title and the legend of its notes. `scale` is in device pixels per CSS
 * pixel and is reduced if the picture would be too large.
 */
export async function drawPicture(report: ReportPicture, scale: number): Promise<Blob> {
  const { picture } = report;
  const measuring = new OffscreenCanvas(1, 1).getContext('2d')!;
  const widthIn =
    (font: string) =>
    (text: string): number => {
      measuring.font = font;
      return measuring.measureText(text).width;
    };
  const titles = wrapText(visibleText(report.title), picture.width, widthIn(TITLE_FONT));
  const subtitle = report.subtitle.flatMap((line) => wrapText(visibleText(line), picture.width, widthIn(TEXT_FONT)));
  const legend = legendLines(report.legend, picture.width, widthIn(TEXT_FONT));
  const belowTitle = PAD + Math.max(1, titles.length) * TITLE;
  const head = belowTitle + subtitle.length * LINE;
  const width = picture.width + 2 * PAD;
  const height = head + picture.rows * ROW + 2 * PAD + legend.length * LINE;
  const shown = Math.min(scale, MOST_PIXELS / width, MOST_PIXELS / height);
  const canvas = new OffscreenCanvas(Math.round(width * shown), Math.round(height * shown));
  const context = canvas.getContext('2d')!;
  context.scale(shown, shown);
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, width, height);
  const write = (text: string, x: number, y: number, font: string, colour: string): void => {
    context.font = font;
    context.fillStyle = colour;
    context.fillText(visibleText(text), x, y);
  };
  titles.forEach((line, place) => write(line, PAD, PAD + 14 + place * TITLE, TITLE_FONT, '#000000'));
  subtitle.forEach((line, place) => write(line, PAD, belowTitle + (place + 0.6) * LINE, TEXT_FONT, '#444c55'));
  for (const frame of picture.frames) {
    const row = picture.orientation === 'flame' ? picture.rows - 1 - frame.depth : frame.depth;
    const [left, top] = [PAD + frame.left, head + row * ROW];
    context.fillStyle = frame.fill;
    context.fillRect(left, top, Math.max(0.5, frame.width - 0.5), ROW - 1);
    const room = Math.floor((frame.width - 6 - frame.pins.length * 14) / CHARACTER);
    if (room >= 3)
      write(shortenMiddle(frame.name.slice(0, 2000), room), left + 3, top + 11.5, '12px monospace', '#1c232c');
    frame.pins.forEach((pin, place) => {
      const x = left + frame.width - 8 - place * 14;
      context.fillStyle = '#1c232c';
      context.beginPath();
      context.arc(x, top + 7.5, 6, 0, 2 * Math.PI);
      context.fill();
      write(String(pin), x - 3, top + 10.5, '9px sans-serif', '#ffffff');
    });
  }
  const foot = head + picture.rows * ROW + PAD;
  legend.forEach((line, place) => write(line, PAD, foot + (place + 0.8) * LINE, TEXT_FONT, '#444c55'));
  return canvas.convertToBlob({ type: 'image/png' });
}
