import { ImportFailure } from './failure.ts';

/** Trees of 25,000 frames, where a node is an object in an array. What a parser makes of deeper nesting is many times the text. */
const MAX_JSON_DEPTH = 50_000;

const [QUOTE, BACKSLASH] = [0x22, 0x5c] as const;
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d] as const;

/** Counts the levels of JSON text in UTF-8 as its bytes come, so that it is refused before it is parsed. */
export class JsonDepth {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #read = 0;

  /** Throws `ImportFailure` beyond {@link MAX_JSON_DEPTH} levels. */
  push(bytes: Uint8Array): void {
    let [depth, isInString, isEscaped] = [this.#depth, this.#isInString, this.#isEscaped];
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isInString = false;
      } else if (byte === QUOTE) isInString = true;
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        depth += 1;
        if (depth > MAX_JSON_DEPTH) throw tooDeep(this.#read + at);
      } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1;
    }
    this.#depth = depth;
    this.#isInString = isInString;
    this.#isEscaped = isEscaped;
    this.#read += bytes.length;
  }
}

/** Throws `ImportFailure` where a text of JSON within a file is nested too deep. */
export function refuseDeepJson(text: string): void {
  const depth = new JsonDepth();
  const encoder = new TextEncoder();
  for (let at = 0; at < text.length; at += PIECE) depth.push(encoder.encode(text.slice(at, at + PIECE)));
}

/** UTF-16 units that are looked at together: a copy of the whole text would be as long as it. */
const PIECE = 2 ** 16;

function tooDeep(byte: number): ImportFailure {
  return new ImportFailure(
    'too-large',
    `JSON nested more than ${MAX_JSON_DEPTH.toLocaleString('en')} levels deep; export the profile again with shorter stacks`,
    { byte },
  );
}
