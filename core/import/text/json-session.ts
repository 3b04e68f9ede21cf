import { ImportFailure, JsonDepth } from '../../model/failure.ts';
import type { Profile } from '../../model/profile.ts';
import { ByteCollector } from './byte-collector.ts';
import type { ImportSession } from '../importer.ts';

/**
 * V8's maximum string length, in UTF-16 units (v8-primitive.h, String::kMaxLength of 64-bit builds): text of more bytes
 * may not fit.
 */
const MAX_JSON_BYTES = 2 ** 29 - 24;

/** Completes text that a tool may leave unfinished; null if that is impossible. */
export type Mend = (text: string) => { readonly text: string; readonly note: string } | null;

/** Collects JSON text and passes on its value. `mend` is tried if the text is not valid JSON. */
export class JsonSession implements ImportSession {
  readonly #build: (json: unknown, note: string | null) => Profile;
  readonly #bytes: ByteCollector;
  readonly #mend: Mend;
  readonly #depth = new JsonDepth();

  constructor(what: string, build: (json: unknown, note: string | null) => Profile, mend: Mend = () => null) {
    this.#build = build;
    this.#bytes = new ByteCollector(what, MAX_JSON_BYTES);
    this.#mend = mend;
  }

  push(chunk: Uint8Array): void {
    this.#depth.push(chunk);
    this.#bytes.push(chunk);
  }

  finish(): Profile {
    const text = new TextDecoder().decode(this.#bytes.finish());
    const whole = parseJson(text);
    if (!(whole instanceof ImportFailure)) return this.#build(whole.json, null);
    const mended = this.#mend(text);
    const again = mended === null ? whole : parseJson(mended.text);
    if (again instanceof ImportFailure) throw whole;
    return this.#build(again.json, mended?.note ?? null);
  }
}

/** Returns the value of JSON text, or a failure with the byte offset of the error. */
export function parseJson(text: string): { readonly json: unknown } | ImportFailure {
  try {
    return { json: JSON.parse(text) as unknown };
  } catch {
    const units = jsonErrorAt(text);
    const what = units >= text.length ? 'the JSON text is truncated' : 'this is not JSON';
    return new ImportFailure('malformed', what, { byte: new TextEncoder().encode(text.slice(0, units)).length });
  }
}

/** RFC 8259. Whitespace before a token is not part of it. */
const BLANKS = /[ \t\n\r]*/y;
const SCALAR =
  /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

type Expected = 'value' | 'first-item' | 'first-key' | 'key' | 'colon' | 'next' | 'end';

/**
 * Returns the position, in UTF-16 units, at which a text stops being JSON; its length if it ends too early. Engines'
 * own messages lack the position of some errors.
 */
export function jsonErrorAt(text: string): number {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let at = 0;
  const scalar = (): string | null => {
    SCALAR.lastIndex = at;
    return SCALAR.exec(text)?.[0] ?? null;
  };
  const afterValue = (): Expected => (open.length === 0 ? 'end' : 'next');
  for (;;) {
    BLANKS.lastIndex = at;
    at += BLANKS.exec(text)![0].length;
    const character = text[at];
    if (character === undefined || expected === 'end') return at;
    const closes = character === (open.at(-1) === '{' ? '}' : ']') && open.length > 0;
    if (closes && (expected === 'next' || expected === 'first-item' || expected === 'first-key')) {
      open.pop();
      expected = afterValue();
      at += 1;
    } else if (expected === 'next') {
      if (character !== ',') return at;
      expected = open.at(-1) === '{' ? 'key' : 'value';
      at += 1;
    } else if (expected === 'colon') {
      if (character !== ':') return at;
      expected = 'value';
      at += 1;
    } else if (expected === 'key' || expected === 'first-key') {
      const key = character === '"' ? scalar() : null;
      if (key === null) return at;
      expected = 'colon';
      at += key.length;
    } else if (character === '{' || character === '[') {
      open.push(character);
      expected = character === '{' ? 'first-key' : 'first-item';
      at += 1;
    } else {
      const value = scalar();
      if (value === null) return at;
      expected = afterValue();
      at += value.length;
    }
  }
}
