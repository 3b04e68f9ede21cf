import { visibleText } from '../../analyze/function-label.ts';
import { escapeText } from '../markup.ts';
import type { FlamePicture, PictureFrame } from './flame-picture.ts';
import { INTERACTIVE_SCRIPT } from './interactive-script.ts';
import { legendLines, wrapText } from './wrap-text.ts';

export interface FlameSvgOptions {
  readonly title: string;
  /** Sentences below the title that describe the picture, each from a line of its own. */
  readonly subtitle: readonly string[];
  /** Texts of the pins, by number, below the graph. */
  readonly legend: readonly { readonly number: number; readonly text: string }[];
  /** Clicks zoom and Ctrl+F searches, as in flamegraph.pl. False: the picture has no script. */
  readonly isInteractive: boolean;
}

/** Pixels, as flamegraph.pl draws them by default. */
const PAD = 10;
const ROW = 16;
const FONT = 12;
const CHARACTER = 0.59 * FONT;
const TITLE_LINE = 26;
/** A character of the title, and the room beside it for the buttons on both sides. */
const TITLE_CHARACTER = 0.62 * 17;
const TITLE_ASIDE = 200;
const LINE = 16;

/**
 * Returns a flame graph as a standalone file. Its frames are written like those of flamegraph.pl and inferno (`title`
 * and `rect` in a `g`, names with count and share, `fg:x` and `fg:w` in weight), so that tools that read those files
 * read this one.
 */
export function flameSvg(picture: FlamePicture, options: FlameSvgOptions): string {
  const { frames, rows, width, orientation, total } = picture;
  const characters = Math.floor(width / CHARACTER);
  const titles = wrapText(visibleText(options.title), Math.floor((width - TITLE_ASIDE) / TITLE_CHARACTER));
  const subtitle = options.subtitle.flatMap((line) => wrapText(visibleText(line), characters));
  const legend = legendLines(options.legend, characters);
  const belowTitle = PAD + Math.max(1, titles.length) * TITLE_LINE;
  const head = belowTitle + subtitle.length * LINE + (options.isInteractive ? LINE : 0);
  const foot = PAD + LINE + legend.length * LINE;
  const height = head + rows * ROW + foot;
  const full = width + 2 * PAD;
  const top = (frame: PictureFrame): number =>
    head + (orientation === 'flame' ? rows - 1 - frame.depth : frame.depth) * ROW;
  const hidden =
    picture.hidden === 0
      ? ''
      : `${picture.hidden} ${picture.hidden === 1 ? 'frame is' : 'frames are'} too narrow to be drawn`;
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>',
    `<svg version="1.1" width="${full}" height="${height}" viewBox="0 0 ${full} ${height}" xmlns="http://www.w3.org/2000/svg" xmlns:fg="http://github.com/jonhoo/inferno"${options.isInteractive ? ' onload="init(evt)"' : ''}>`,
    `<style>${STYLE}</style>`,
    ...(options.isInteractive ? [`<script type="text/ecmascript"><![CDATA[${INTERACTIVE_SCRIPT}]]></script>`] : []),
    `<rect class="background" x="0" y="0" width="${full}" height="${height}" fill="#ffffff" />`,
    ...titles.map((line, place) => text('title', full / 2, PAD + 14 + place * TITLE_LINE, line, 'middle')),
    ...subtitle.map((line, place) => text('sub', PAD, belowTitle + (place + 0.6) * LINE, line, 'start')),
    ...(options.isInteractive
      ? [
          `<text id="unzoom" class="hide" x="${PAD}" y="${PAD + 14}">Reset zoom</text>`,
          `<text id="search" x="${full - PAD}" y="${PAD + 14}" text-anchor="end">Search</text>`,
          `<text id="matched" x="${full - PAD}" y="${height - foot + LINE}" text-anchor="end"> </text>`,
        ]
      : []),
    `<text id="details" x="${PAD}" y="${height - foot + LINE}">${escapeText(hidden === '' ? ' ' : hidden)}</text>`,
    // A sandwich has no whole stacks: readers of flame graphs must not take it for one.
    orientation === 'sandwich'
      ? '<g id="sandwich">'
      : `<g id="frames" fg:x="${PAD}" fg:w="${width}" total_samples="${plain(total)}">`,
    ...frames.map((frame) => frameText(frame, top(frame))),
    '</g>',
    ...legend.map((line, place) => text('legend', PAD, height - foot + (place + 2) * LINE, line, 'start')),
    '</svg>',
    '',
  ].join('\n');
}

const STYLE = [
  `text{font-family:monospace;font-size:${FONT}px;fill:#000000}`,
  '.title{font-size:17px}.sub,.legend{fill:#444c55}',
  '#search,#unzoom{opacity:0.5;cursor:pointer}#search:hover,#unzoom:hover,#search.show{opacity:1}',
  '.hide{display:none}.parent{opacity:0.5}#frames>*:hover{stroke:#000000;stroke-width:0.5;cursor:pointer}',
  '.pin{fill:#1c232c}.pin-number{fill:#ffffff;font-size:9px}',
].join('');

function text(className: string, x: number, y: number, words: string, anchor: string): string {
  return `<text class="${className}" x="${fixed(x)}" y="${fixed(y)}" text-anchor="${anchor}">${escapeText(words)}</text>`;
}

function frameText(frame: PictureFrame, top: number): string {
  const { width, fill, pins } = frame;
  const left = frame.left + PAD;
  const room = Math.floor((width - 6 - pins.length * 14) / CHARACTER);
  const label = room < 3 ? '' : cut(visibleText(frame.name.slice(0, 2000)), room);
  return [
    `<g><title>${escapeText(frame.title)}</title>`,
    `<rect x="${fixed(left)}" y="${top}" width="${fixed(width)}" height="${ROW - 1}" fill="${fill}" rx="2" ry="2" fg:x="${plain(frame.start)}" fg:w="${plain(frame.weight)}"/>`,
    `<text x="${fixed(left + 3)}" y="${top + 11.5}">${escapeText(label)}</text>`,
    ...pins.map((pin, place) => {
      const x = fixed(left + width - 8 - place * 14);
      return `<circle class="pin" cx="${x}" cy="${top + 7.5}" r="6"/><text class="pin-number" x="${x}" y="${top + 10.5}" text-anchor="middle">${pin}</text>`;
    }),
    '</g>',
  ].join('');
}

const cut = (name: string, room: number): string => (name.length <= room ? name : `${name.slice(0, room - 2)}..`);

const fixed = (value: number): string => String(Math.round(value * 100) / 100);

/** Formats integers without an exponent. */
const plain = (weight: number): string =>
  Number.isInteger(weight) && !Number.isSafeInteger(weight) ? BigInt(weight).toString() : String(weight);
