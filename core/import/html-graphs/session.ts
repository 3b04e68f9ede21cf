import type { Profile } from '../../model/profile.ts';
import type { ImportSession } from '../importer.ts';
import { ByteCollector } from '../text/byte-collector.ts';
import { decodeDocument } from '../text/decode-text.ts';

const MAX_BYTES = 2 ** 29 - 24;

/** Collects a page and passes on its text. */
export class HtmlSession implements ImportSession {
  readonly #bytes = new ByteCollector('a flame graph in HTML', MAX_BYTES);
  readonly #build: (text: string) => Profile;

  constructor(build: (text: string) => Profile) {
    this.#build = build;
  }

  push(chunk: Uint8Array): void {
    this.#bytes.push(chunk);
  }

  finish(): Profile {
    return this.#build(decodeDocument(this.#bytes.finish()).text);
  }
}
