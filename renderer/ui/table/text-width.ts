/** Width in CSS pixels of a character of the 12-px monospaced font. */
export const MONO_PX = 7.23;
/** Horizontal padding of a cell in CSS pixels. */
export const PADDING_PX = 20;

/** Returns the width in CSS pixels of a column that is as wide as asked, or wider if the text does not fit. */
export const fitting = (px: number, text: string): number =>
  Math.max(px, PADDING_PX + Math.ceil(text.length * MONO_PX));
