import { count } from '../format.ts';
import { shortenMiddle } from '#core/analyze/function-label.ts';

/** What a frame's label leaves free at its sides. */
const PADDING_PX = 9;
/** Narrow frames have room for their text alone. */
const NARROW_PX = 40;
const NARROW_PADDING_PX = 6;

/** Under this many characters an ellipsis in the middle hides more than it tells: the start is cut off plainly. */
const MIN_SHORTENED = 9;

/** Characters that take two places of a monospaced face, or that it has not and another one draws wider. */
const WIDE = /[\u1100-\u115f\u2400-\u243f\u2600-\u27bf\u2e80-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uffe6]/g;

/** A frame's label: the name, or without its package's path, or shortened to what fits. `characterPx`: width of one character. */
export function frameLabel(name: string, widthPx: number, characterPx: number): string {
  const fits = charactersThatFit(name, widthPx, characterPx);
  if (fits < 1) return '';
  if (name.length <= fits) return name;
  const short = withoutPath(name);
  if (short.length <= fits) return short;
  return fits < MIN_SHORTENED ? short.slice(0, fits) : shortenMiddle(short, fits);
}

/** A label with what belongs to it: the sign wherever any text fits, the first of the tails with which all of it does. */
export function deltaLabel(
  name: string,
  { sign, tails }: { readonly sign: string; readonly tails: readonly string[] },
  widthPx: number,
  characterPx: number,
): string {
  for (const tail of tails) {
    for (const text of [name, withoutPath(name)]) {
      const whole = `${sign}${text}${tail}`;
      if (whole.length <= charactersThatFit(whole, widthPx, characterPx)) return whole;
    }
  }
  const label = frameLabel(name, widthPx - sign.length * characterPx, characterPx);
  return label === '' ? frameLabel(sign.trim(), widthPx, characterPx) : `${sign}${label}`;
}

function charactersThatFit(text: string, widthPx: number, characterPx: number): number {
  const places = Math.floor((widthPx - (widthPx < NARROW_PX ? NARROW_PADDING_PX : PADDING_PX)) / characterPx);
  const wide = text.match(WIDE)?.length ?? 0;
  return wide === 0 ? places : Math.floor((places * text.length) / (text.length + wide));
}

/** `cmd/compile/internal/ssa.Compile` → `ssa.Compile`. Slashes within brackets, arguments or after blanks are no path. */
export function withoutPath(name: string): string {
  const head = /^[^\s([{<]*/.exec(name)![0];
  return name.slice(head.lastIndexOf('/') + 1) || name;
}

/** `… 12 frames, 3.1 %` for frames too narrow to draw. */
export function fillerLabel(frames: number, share: string): string {
  return `… ${count(frames)} ${frames === 1 ? 'frame' : 'frames'}, ${share}`;
}
