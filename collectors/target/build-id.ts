/** Type of a program header and of a note, elf(5). */
const PT_NOTE = 4;
const NT_GNU_BUILD_ID = 3;
const GNU = 0x474e_5500;
const MAX_HEADERS = 100;
/** SHA-1 has 20; linkers take any that the user gives. */
const MAX_ID_BYTES = 64;

/**
 * The build id of a 64-bit ELF file, hexadecimal, from its first bytes: linkers put the note right after the program headers. Null where
 * they hold none.
 */
export function readBuildId(head: Uint8Array): string | null {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  // Magic, and class 2: 64 bits.
  if (head.length < 64 || view.getUint32(0) !== 0x7f45_4c46 || head[4] !== 2) return null;
  const little = head[5] === 1;
  const start = Number(view.getBigUint64(32, little));
  const entrySize = view.getUint16(54, little);
  const count = Math.min(view.getUint16(56, little), MAX_HEADERS);
  for (let index = 0; index < count; index++) {
    const at = start + index * entrySize;
    if (entrySize < 56 || at + 56 > head.length) return null;
    if (view.getUint32(at, little) !== PT_NOTE) continue;
    const offset = Number(view.getBigUint64(at + 8, little));
    const end = Math.min(offset + Number(view.getBigUint64(at + 32, little)), head.length);
    const align = Number(view.getBigUint64(at + 48, little)) === 8 ? 8 : 4;
    const found = findBuildId(view, offset, end, little, align);
    if (found !== null) return found;
  }
  return null;
}

/** Notes: name size, description size, type, name and description, each padded. */
function findBuildId(view: DataView, start: number, end: number, little: boolean, align: number): string | null {
  let at = start;
  while (at + 16 <= end) {
    const nameSize = view.getUint32(at, little);
    const size = view.getUint32(at + 4, little);
    const description = at + 12 + Math.ceil(nameSize / 4) * 4;
    const isGnu = nameSize === 4 && view.getUint32(at + 12) === GNU;
    if (
      isGnu &&
      view.getUint32(at + 8, little) === NT_GNU_BUILD_ID &&
      size <= MAX_ID_BYTES &&
      description + size <= end
    ) {
      const bytes = new Uint8Array(view.buffer, view.byteOffset + description, size);
      return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
    }
    at = Math.ceil((description + size) / align) * align;
  }
  return null;
}
