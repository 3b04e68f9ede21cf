import { JsonDepth, malformed, refuseDeepJson, type ImportFailure } from '../../model/failure.ts';
import type { Profile } from '../../model/profile.ts';
import { diagnostic } from '../../model/diagnostics.ts';
import { NOT_UTF8 } from '../common-diagnostics.ts';
import { ByteCollector } from './byte-collector.ts';
import { decodeDocument } from '../../model/decode-text.ts';
import { jsonErrorAt } from './json-error.ts';
import type { ImportSession } from '../importer.ts';
import { jsonValue } from '../../model/json-value.ts';

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
    const { text, latin1 } = decodeDocument(this.#bytes.finish());
    const profile = this.#read(text);
    if (!latin1) return profile;
    return { ...profile, diagnostics: [...profile.diagnostics, diagnostic(...NOT_UTF8, { severity: 'info' })] };
  }

  #read(text: string): Profile {
    const whole = jsonValue(text);
    if (whole !== undefined) return this.#build(whole, null);
    const mended = this.#mend(text);
    const again = mended === null ? undefined : jsonValue(mended.text);
    if (again === undefined) throw notJson(text);
    return this.#build(again, mended?.note ?? null);
  }
}

/** Returns the value of JSON text. Throws `ImportFailure` with the byte offset of the error. */
export function parseJson(text: string): unknown {
  refuseDeepJson(text);
  const json = jsonValue(text);
  if (json === undefined) throw notJson(text);
  return json;
}

function notJson(text: string): ImportFailure {
  const units = jsonErrorAt(text);
  const what = units >= text.length ? 'the JSON text is truncated' : 'this is not JSON';
  return malformed(what, { byte: new TextEncoder().encode(text.slice(0, units)).length });
}
