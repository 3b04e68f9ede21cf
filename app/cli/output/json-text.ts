import { CONTROL } from '#core/contract/escape-controls.ts';

const CONTROLS = new RegExp(CONTROL, 'gu');

/**
 * Escapes DEL, C1, bidirectional and zero-width controls as JSON escapes, which readers decode. JSON allows them
 * unescaped, but terminals act on them.
 */
export const escapeJsonControls = (json: string): string =>
  json.replace(CONTROLS, (character) =>
    character === '\n'
      ? character
      : Array.from({ length: character.length }, (_, unit) => jsonEscape(character.charCodeAt(unit))).join(''),
  );

const jsonEscape = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;

/** Returns a JSON document that is safe to print on a terminal. */
export const jsonText = (document: object): string => `${escapeJsonControls(JSON.stringify(document, null, 2))}\n`;
