import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import type { ReportPicture } from '../../../core/report/report-picture.ts';

/** CSS pixels. */
const PAD = 10;
const ROW = 16;
const LINE = 16;
const TITLE = 26;
const CHARACTER = 7.2;
/** Maximum size of a canvas in browsers, in device pixels. */
const MOST_PIXELS = 16_000;

/**
 * Draws a report's picture as a PNG, with its title and the legend of its notes. `scale` is in device pixels per CSS
 * pixel and is reduced if the picture would be too large.
 */
export async function drawPicture({ picture, title, subtitle, legend }: ReportPicture, scale: number): Promise<Blob> {
  const head = PAD + TITLE + subtitle.length * LINE;
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
  write(title, PAD, PAD + 14, '17px sans-serif', '#000000');
  subtitle.forEach((line, place) => write(line, PAD, PAD + TITLE + (place + 0.6) * LINE, '12px sans-serif', '#444c55'));
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
  legend.forEach(({ number, text }, place) =>
    write(
      `${number}  ${text}`,
      PAD,
      head + picture.rows * ROW + PAD + (place + 0.8) * LINE,
      '12px sans-serif',
      '#444c55',
    ),
  );
  return canvas.convertToBlob({ type: 'image/png' });
}
