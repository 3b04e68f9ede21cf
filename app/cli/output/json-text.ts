import { CONTROL } from '#core/contract/escape-controls.ts';

const CONTROLS = new RegExp(CONTROL, 'gu');

/** JSON leaves DEL, C1, bidirectional and zero-width controls as they are, which terminals obey. As JSON escapes, readers get them back. */
export const escapeJsonControls = (json: string): string =>
  json.replace(CONTROLS, (character) =>
    character === '\n'
      ? character
      : Array.from({ length: character.length }, (_, unit) => jsonEscape(character.charCodeAt(unit))).join(''),
  );

const jsonEscape = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;

/** A document for scripts that steers no terminal. */
export const jsonText = (document: object): string => `${escapeJsonControls(JSON.stringify(document, null, 2))}\n`;
