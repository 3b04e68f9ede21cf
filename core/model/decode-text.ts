const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes UTF-8; invalid UTF-8 is read as Latin-1, so that distinct bytes stay distinct text. */
export function decodeText(bytes: Uint8Array): { readonly text: string; readonly latin1: boolean } {
  try {
    return { text: utf8.decode(bytes), latin1: false };
  } catch {
    return { text: decodeLatin1(bytes), latin1: true };
  }
}

/** Decodes a document of many names; only the runs of non-ASCII bytes that are invalid UTF-8 are read as Latin-1. */
export function decodeDocument(bytes: Uint8Array): { readonly text: string; readonly latin1: boolean } {
  try {
    return { text: utf8.decode(bytes), latin1: false };
  } catch {
    const isAscii = (at: number): boolean => bytes[at]! < 0x80;
    let text = '';
    for (let at = 0; at < bytes.length;) {
      const start = at;
      while (at < bytes.length && isAscii(at) === isAscii(start)) at += 1;
      text += decodeText(bytes.subarray(start, at)).text;
    }
    return { text, latin1: true };
  }
}

export function decodeLatin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}
