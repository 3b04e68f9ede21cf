import { containerText } from './container-text.ts';
import { containsWords } from './contains-words.ts';
import type { CaptureDocument } from './schemas.ts';

/**
 * Returns a predicate for documents that contain every word of the query, ignoring case, in their name, tags, host,
 * process, container, command, load test or experiment under load.
 */
export function captureMatcher(query: string): (document: CaptureDocument) => boolean {
  if (query.trim() === '') return () => true;
  const contains = containsWords(query);
  return (document) => contains(searchedText(document));
}

/** A search reads all documents at each key. */
const searchedTexts = new WeakMap<CaptureDocument, string>();

/** Returns the text that is searched. The first call makes it, which takes too long at once for all of a long list. */
export function searchedText(document: CaptureDocument): string {
  const known = searchedTexts.get(document);
  if (known !== undefined) return known;
  const text = textOf(document);
  searchedTexts.set(document, text);
  return text;
}

function textOf(document: CaptureDocument): string {
  const { name, tags, target, process, container, collector, load } = document;
  const commands = collector?.commands.map((argv) => argv.join(' ')) ?? [];
  const owner = container === undefined ? '' : containerText(container);
  const during =
    load === undefined ? [] : [load.test, load.name, load.experiment?.id ?? '', load.experiment?.name ?? ''];
  return [name, ...tags, target?.host ?? '', process?.name ?? '', process?.command ?? '', owner, ...during, ...commands]
    .join('\n')
    .toLowerCase();
}
