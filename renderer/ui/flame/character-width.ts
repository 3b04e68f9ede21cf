/** Enough that rounding to whole pixels does not show. */
const SAMPLE = '0'.repeat(100);

/** Measures the width of one character of an element's monospaced face, in CSS pixels; again where the face has changed. */
export function createCharacterMeter(): (element: Element) => number {
  const paint = document.createElement('canvas').getContext('2d');
  let face = '';
  // Where nothing can be measured: wide enough that no label runs over.
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
