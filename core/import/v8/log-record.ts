/**
 * The fields of a line of V8's log. Commas and line ends of names are escaped (`\x2C`, `\n`, `\u0041`, `\\`); before V8 6 names stood
 * in quotes instead, doubled within. Source: src/logging/log-file.cc of V8 and tools/csvparser.mjs.
 */
export function splitV8Record(line: string, isQuoted: boolean): string[] {
  const fields = isQuoted && line.includes('"') ? splitQuoted(line) : line.split(',');
  return line.includes('\\') ? fields.map(unescapeField) : fields;
}

const ESCAPE = /\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|(n)|(\\))/g;

function unescapeField(field: string): string {
  return field.replace(ESCAPE, (_, byte?: string, unit?: string, newline?: string) => {
    const code = byte ?? unit;
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return newline === undefined ? '\\' : '\n';
  });
}

function splitQuoted(line: string): string[] {
  const fields: string[] = [];
  let at = 0;
  while (at <= line.length) {
    const quoted = line[at] === '"';
    let end = quoted ? endOfQuoted(line, at + 1) : line.indexOf(',', at);
    if (end < 0) end = line.length;
    fields.push(quoted ? line.slice(at + 1, end).replaceAll('""', '"') : line.slice(at, end));
    at = quoted ? end + 2 : end + 1;
  }
  return fields;
}

/** Where the quote that ends a field is. */
function endOfQuoted(line: string, from: number): number {
  for (let at = line.indexOf('"', from); at >= 0; at = line.indexOf('"', at + 2)) {
    if (line[at + 1] !== '"') return at;
  }
  return -1;
}
