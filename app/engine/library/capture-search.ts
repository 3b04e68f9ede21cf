import type { CaptureDocument } from '#core/contract/schemas.ts';

/** A predicate: every word of the query occurs, whatever its case, in name, tags, host, process or command. */
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
