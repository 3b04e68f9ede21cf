import { shortenMiddle, visibleText } from '../analyze/function-label.ts';
import type { FlamePicture, PictureFrame } from '../export/svg/flame-picture.ts';
import { markup, type Markup } from '../export/markup.ts';

/** SVG units of a row, and of the widest characters of the labels' face at its size. */
const ROW = 18;
const CHARACTER = 6.7;
const LEAST_LABEL = 22;

/** Returns the picture as part of a page, as wide as the page. `label` describes it to screen readers. */
export function pictureMarkup(picture: FlamePicture, label: string): Markup {
  const height = picture.rows * ROW;
  return markup(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      class: 'flame-still',
      viewBox: `0 0 ${picture.width} ${height}`,
      role: 'img',
      'aria-label': label,
    },
    ...picture.frames.flatMap((frame) => frameMarkup(frame, picture)),
  );
}

/** Frames have no group: an element less for each is laid out sooner. Labels let the pointer through to the title. */
function frameMarkup(frame: PictureFrame, { orientation, rows }: FlamePicture): Markup[] {
  const top = (orientation === 'flame' ? rows - 1 - frame.depth : frame.depth) * ROW;
  const { left, width, fill, title, pins } = frame;
  const room = width - 8 - pins.length * 16;
  const label =
    width < LEAST_LABEL || room < CHARACTER * 2
      ? ''
      : shortenMiddle(visibleText(frame.name.slice(0, 1000)), Math.floor(room / CHARACTER));
  const box = { x: fixed(left), y: top, width: fixed(Math.max(0.5, width - 0.5)), height: ROW - 1, rx: 2, fill };
  return [
    markup('rect', box, markup('title', {}, title)),
    ...(label === '' ? [] : [markup('text', { x: fixed(left + 4), y: top + 13 }, label)]),
    ...pins.map((pin, place) => pinMarkup(pin, left + width - 9 - place * 16, top + ROW / 2)),
  ];
}

const pinMarkup = (pin: number, x: number, y: number): Markup =>
  markup(
    'a',
    { href: `#note-${pin}`, class: 'pin', 'aria-label': `note ${pin}` },
    markup('circle', { cx: fixed(x), cy: fixed(y), r: 7 }),
    markup('text', { x: fixed(x), y: fixed(y + 3.5), 'text-anchor': 'middle' }, String(pin)),
  );

const fixed = (value: number): string => String(Math.round(value * 100) / 100);
