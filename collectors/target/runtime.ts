/** Bytes at the start of an executable that {@link guessRuntime} looks at. The linkers put the notes there. */
export const EXECUTABLE_HEAD_BYTES = 8192;

const BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/^(?:node|nodejs|electron|bun|deno)$/, 'node'],
  [/^(?:java|javac|jsvc)$/, 'jvm'],
  [/^(?:python|pypy)[0-9.]*$/, 'python'],
  [/^(?:nginx|openresty|angie|tengine)$/, 'nginx'],
  [/^luajit(?:-[0-9.a-z-]+)?$/, 'luajit'],
  [/^ruby[0-9.]*$/, 'ruby'],
  [/^(?:php|php-fpm|php-cgi)[0-9.]*$/, 'php'],
  [/^perl[0-9.]*$/, 'perl'],
  [/^beam(?:\.smp)?$/, 'erlang'],
  [/^dotnet$/, 'dotnet'],
  [/^postgres$/, 'postgres'],
];

/**
 * `go`, `node`, `jvm`… of a process, from the path and the first {@link EXECUTABLE_HEAD_BYTES} of its executable; null where not
 * known. A Go binary carries a `Go` note (build id) that its linker writes right after the program headers.
 */
export function guessRuntime(executable: string | null, head: Uint8Array | null): string | null {
  const base = (executable ?? '').replace(/ \(deleted\)$/, '').replace(/^.*\//, '');
  for (const [pattern, runtime] of BY_NAME) if (pattern.test(base)) return runtime;
  return head !== null && holdsGoNote(head) ? 'go' : null;
}

/** An ELF note: name size 4, any description, type 4 (either byte order), name `Go\0\0`. */
function holdsGoNote(head: Uint8Array): boolean {
  if (head[0] !== 0x7f || head[1] !== 0x45 || head[2] !== 0x4c || head[3] !== 0x46) return false;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  for (let at = 64; at + 16 <= head.length; at += 4) {
    if (view.getUint32(at + 12) !== 0x47_6f_00_00) continue;
    for (const littleEndian of [true, false]) {
      if (view.getUint32(at, littleEndian) === 4 && view.getUint32(at + 8, littleEndian) === 4) return true;
    }
  }
  return false;
}
