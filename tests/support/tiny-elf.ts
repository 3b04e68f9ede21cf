import type { FileRange, Target } from '#collectors/target/target.ts';

const SYMBOL_TABLE = 2;

/** Returns an ELF file of 64 bits with these sections, of which `.symtab` has its type. */
export function tinyElf(sections: readonly (readonly [name: string, content: Uint8Array])[]): Uint8Array {
  const names = new TextEncoder().encode(`\0${sections.map(([name]) => `${name}\0`).join('')}.names\0`);
  const contents = [new Uint8Array(0), ...sections.map(([, content]) => content), names];
  const at = contents.map((_, index) => 64 + contents.slice(0, index).reduce((sum, { length }) => sum + length, 0));
  const table = at.at(-1)! + names.length;
  const file = new Uint8Array(table + 64 * contents.length);
  const view = new DataView(file.buffer);
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1]);
  view.setUint16(18, 62, true);
  view.setBigUint64(40, BigInt(table), true);
  view.setUint16(58, 64, true);
  view.setUint16(60, contents.length, true);
  view.setUint16(62, contents.length - 1, true);
  let name = 1;
  for (const [index, content] of contents.entries()) {
    file.set(content, at[index]);
    view.setUint32(table + 64 * index, index === 0 ? 0 : name, true);
    if (sections[index - 1]?.[0] === '.symtab') view.setUint32(table + 64 * index + 4, SYMBOL_TABLE, true);
    view.setBigUint64(table + 64 * index + 24, BigInt(at[index]!), true);
    view.setBigUint64(table + 64 * index + 32, BigInt(content.length), true);
    if (index > 0) name += (sections[index - 1]?.[0].length ?? 0) + 1;
  }
  return file;
}

/** A target on which every path is this file; null: it can't be read. */
export const targetWithFile = (file: Uint8Array | null): Target =>
  ({
    readRanges: (ranges: readonly FileRange[]) =>
      Promise.resolve(
        ranges.map(({ offset, length }) => (file === null ? null : file.subarray(offset, offset + length))),
      ),
    stat: () => Promise.resolve(null),
  }) as unknown as Target;
