import { count, fitName, formsOfName } from '../../format.ts';

/** Space left free at the sides of a frame's label. */
const PADDING_PX = 9;
/** Narrow frames leave less space free. */
const NARROW_PX = 40;
const NARROW_PADDING_PX = 6;

/** Characters that are two cells wide in a monospaced font, or that a wider fallback font draws. */
const WIDE = /[\u1100-\u115f\u2400-\u243f\u2600-\u27bf\u2e80-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uffe6]/g;

/** Returns a frame's label: the name, shortened until it fits. `characterPx` is the width of one character. */
export function frameLabel(name: string, widthPx: number, characterPx: number): string {
  const fits = charactersThatFit(name, widthPx, characterPx);
  return fits < 1 ? '' : fitName(name, fits);
}

/** Returns a label with the sign if any text fits, and with the first tail with which all of it fits. */
export function deltaLabel(
  name: string,
  { sign, tails }: { readonly sign: string; readonly tails: readonly string[] },
  widthPx: number,
  characterPx: number,
): string {
  for (const tail of tails) {
    for (const text of formsOfName(name)) {
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

/** Returns `… 12 frames, 3.1 %` for frames too narrow to draw. */
export function fillerLabel(frames: number, share: string): string {
  return `… ${count(frames)} ${frames === 1 ? 'frame' : 'frames'}, ${share}`;
}

/** Long enough that rounding to whole pixels is negligible. */
const SAMPLE = '0'.repeat(100);

/**
 * Returns a function that measures the width of one character of an element's monospaced font, in CSS pixels. It
 * measures again when the font changes.
 */
export function createCharacterMeter(): (element: Element) => number {
  const paint = document.createElement('canvas').getContext('2d');
  let face = '';
  // Fallback if nothing can be measured; wide enough that no label overflows.
  let width = 8;
  return (element) => {
    const { font } = getComputedStyle(element);
    if (font !== face && paint !== null) {
      paint.font = font;
      width = paint.measureText(SAMPLE).width / SAMPLE.length;
      face = font;
    }
    return width;
  };
}
