import type { CaptureDocument } from './schemas.ts';

/**
 * Returns a predicate for documents that contain every word of the query, ignoring case, in their name, tags, host,
 * process or command.
 */
export function captureMatcher(query: string): (document: CaptureDocument) => boolean {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return () => true;
  return (document) => {
    const text = searchedText(document);
    return words.every((word) => text.includes(word));
  };
}

function searchedText(document: CaptureDocument): string {
  const { name, tags, target, process, collector } = document;
  const commands = collector?.commands.map((argv) => argv.join(' ')) ?? [];
  return [name, ...tags, target?.host ?? '', process?.name ?? '', process?.command ?? '', ...commands]
    .join('\n')
    .toLowerCase();
}
