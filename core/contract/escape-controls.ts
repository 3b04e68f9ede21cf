/**
 * Characters that control a terminal, or hide or reorder text: C0, DEL, C1, line and paragraph separators,
 * bidirectional and zero-width controls, interlinear annotation, tags (Unicode 16, general categories Cc, Zl, Zp, and
 * Cf as far as terminals act on them).
 */
const STEERING =
  '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}';

/** One of the characters that {@link escapeControls} replaces. */
export const CONTROL = new RegExp(`[${STEERING}]`, 'u');

const CONTROLS = new RegExp(CONTROL, 'gu');

/** Returns the text as one line, with controls written as `\x1b`, `\u202e` or `\u{e0041}`. Idempotent. */
export const escapeControls = (text: string): string => text.replace(CONTROLS, escapeCharacter);

/** Returns the text with its line ends and tabs; all other controls are escaped. */
export const escapeLines = (text: string): string =>
  text.replace(CONTROLS, (character) =>
    character === '\n' || character === '\t' ? character : escapeCharacter(character),
  );

/**
 * Escapes the prompts of ssh and sudo: keeps tabs, line ends and the backspace that the line discipline echoes, and
 * escapes other controls.
 */
export const escapePrompt = (text: string): string =>
  text.replace(CONTROLS, (character) => ('\b\t\n\r'.includes(character) ? character : escapeCharacter(character)));

function escapeCharacter(character: string): string {
  const hex = character.codePointAt(0)!.toString(16);
  if (hex.length <= 2) return `\\x${hex.padStart(2, '0')}`;
  return hex.length === 5 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}
