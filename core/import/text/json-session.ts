import { ImportFailure } from '../../model/failure.ts';
import type { Profile } from '../../model/profile.ts';
import { ByteCollector } from './byte-collector.ts';
import { JsonDepth } from '../../model/json-depth.ts';
import type { ImportSession } from '../importer.ts';
import { jsonErrorAt } from './json-error.ts';

/** V8's longest string, in UTF-16 units (v8-primitive.h, String::kMaxLength of 64-bit builds): text of more bytes may not fit. */
const MAX_JSON_BYTES = 2 ** 29 - 24;

/** Makes the text whole that a tool may leave unfinished; null where it can't. */
export type Mend = (text: string) => { readonly text: string; readonly note: string } | null;

/** Collects JSON text and hands over what it says. `mend` is tried where the text is no JSON. */
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

/** What JSON text says, or where it is none: a byte of the text. */
export function parseJson(text: string): { readonly json: unknown } | ImportFailure {
  try {
    return { json: JSON.parse(text) as unknown };
  } catch {
    const units = jsonErrorAt(text);
    const what = units >= text.length ? 'the JSON text is truncated' : 'this is no JSON';
    return new ImportFailure('malformed', what, { byte: new TextEncoder().encode(text.slice(0, units)).length });
  }
}
