/** JSON leaves DEL, C1 and bidi controls as they are; terminals obey them. */
export function escapeJsonControls(json: string): string {
  return json.replace(
    /[\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A document for scripts that steers no terminal. */
export const jsonText = (document: object): string => `${escapeJsonControls(JSON.stringify(document, null, 2))}\n`;
