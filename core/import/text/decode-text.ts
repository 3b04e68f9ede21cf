const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes UTF-8; invalid UTF-8 is read as Latin-1, so that distinct bytes stay distinct text. */
export function decodeText(bytes: Uint8Array): { readonly text: string; readonly latin1: boolean } {
  try {
    return { text: utf8.decode(bytes), latin1: false };
  } catch {
    return { text: decodeLatin1(bytes), latin1: true };
  }
}

function decodeLatin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}
