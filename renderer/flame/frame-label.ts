import { shortenMiddle } from '#core/analyze/function-label.ts';

/** Width of one character of the 11-px mono face, and what a frame's label leaves free at its sides. */
const CHARACTER_PX = 6.63;
const PADDING_PX = 9;
/** Narrow frames have room for their text alone. */
const NARROW_PX = 40;
const NARROW_PADDING_PX = 6;

/** Under this many characters an ellipsis in the middle hides more than it tells: the start is cut off plainly. */
const MIN_SHORTENED = 9;

/** A frame's label: the name, or without its package's path, or shortened to what fits. */
export function frameLabel(name: string, widthPx: number): string {
  const fits = Math.floor((widthPx - (widthPx < NARROW_PX ? NARROW_PADDING_PX : PADDING_PX)) / CHARACTER_PX);
  if (fits < 1) return '';
  if (name.length <= fits) return name;
  const short = withoutPath(name);
  if (short.length <= fits) return short;
  return fits < MIN_SHORTENED ? short.slice(0, fits) : shortenMiddle(short, fits);
}

/** `cmd/compile/internal/ssa.Compile` → `ssa.Compile`. Slashes within brackets, arguments or after blanks are no path. */
export function withoutPath(name: string): string {
  const head = /^[^\s([{<]*/.exec(name)![0];
  return name.slice(head.lastIndexOf('/') + 1) || name;
}

const count = new Intl.NumberFormat();

/** `… 12 frames, 3.1 %` for frames too narrow to draw. */
export function fillerLabel(frames: number, share: string): string {
  return `… ${count.format(frames)} ${frames === 1 ? 'frame' : 'frames'}, ${share}`;
}

/** Control characters would move or hide text; each shows as `␀`-like picture, the rest as U+FFFD. */
export function visibleText(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f]|[\u0080-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? '␡' : '\ufffd';
  });
}
