import { demangle } from '#core/symbols/demangle/demangle.ts';

/** A name that is not the output of a demangler. */
const PLAIN = /^[\w.$@]*$/;
/** Names that {@link demangle} reads: Itanium's C++, Rust's. */
const MANGLED = /\s(_[RZ][^\s]*?)(?:\+0x[0-9a-f]+)?\s\(/;
/** A function with samples of its own occurs long before this many bytes. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Returns the name that `perf script` used for a function: some builds of perf can't demangle, so the importer did.
 * Searches the text of a recording for the name itself and for one that demangles to it; returns the name itself if
 * neither occurs.
 */
export async function findSymbolName(text: AsyncIterable<Uint8Array>, name: string): Promise<string> {
  if (PLAIN.test(name)) return name;
  const asItIs = [` ${name}+0x`, ` ${name} (`];
  const seen = new Set<string>();
  const decoder = new TextDecoder();
  let bytes = 0;
  let rest = '';
  for await (const chunk of text) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (asItIs.some((part) => line.includes(part))) return name;
      const mangled = MANGLED.exec(line)?.[1];
      if (mangled === undefined || seen.has(mangled)) continue;
      if (demangle(mangled) === name) return mangled;
      seen.add(mangled);
    }
    bytes += chunk.length;
    if (bytes > MAX_BYTES) break;
  }
  return name;
}
