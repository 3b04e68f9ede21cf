/** Returns whether bytes begin with a resource, its scope, its profile and the type of its samples. */
export function isOtlpMessage(bytes: Uint8Array): boolean {
  let at = 0;
  const length = (): number => {
    let value = 0;
    for (let scale = 1; scale < 2 ** 32; scale *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) break;
    }
    return value;
  };
  /** Enters field 1 or 2, after field 1 if it may come before. */
  const enter = (tag: number, before: number): boolean => {
    if (bytes[at] === before) {
      at += 1;
      const skipped = length();
      at += skipped;
    }
    if (bytes[at] !== tag) return false;
    at += 1;
    return length() > 0;
  };
  return enter(0x0a, -1) && enter(0x12, 0x0a) && enter(0x12, 0x0a) && enter(0x0a, -1) && bytes[at] === 0x08;
}
