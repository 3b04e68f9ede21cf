import { runToEnd } from './run-to-end.ts';
import type { Target } from './target.ts';

/** Of one command's arguments. */
const FILES_AT_ONCE = 900;

/**
 * The first `length` bytes of many files of /proc, in order of `paths`; null where one can't be read. One command reads hundreds: a command
 * for each, as {@link Target.readRanges} may need, is too dear for what is asked again and again.
 */
export async function readTogether(
  target: Target,
  paths: readonly string[],
  length: number,
): Promise<(Uint8Array | null)[]> {
  const found: (Uint8Array | null)[] = [];
  for (let at = 0; at < paths.length; at += FILES_AT_ONCE) {
    const some = paths.slice(at, at + FILES_AT_ONCE);
    const printed = await runToEnd(target, ['head', '-v', '-c', String(length), ...some], {
      maxBytes: some.length * (length + 200),
    }).catch(() => null);
    const files = printed === null ? null : splitFiles(printed.stdout, some);
    if (files === null) found.push(...(await target.readRanges(some.map((path) => ({ path, offset: 0, length })))));
    else found.push(...some.map((path) => files.get(path) ?? null));
  }
  return found;
}

/**
 * `head -v` puts `==> PATH <==` before each file. A command line may hold such a line: then there are two for one path, or they are out of
 * order, and null says that the files must be read one by one. So it does where there is none at all: a `head` without `-v`.
 */
export function splitFiles(printed: Uint8Array, paths: readonly string[]): ReadonlyMap<string, Uint8Array> | null {
  const text = Buffer.from(printed.buffer, printed.byteOffset, printed.byteLength).toString('latin1');
  const headers = [...text.matchAll(/(?:^|\n)==> (\/proc\/\d+\/\w+) <==\n/g)];
  const files = new Map<string, Uint8Array>();
  let place = -1;
  for (const [index, header] of headers.entries()) {
    const path = header[1]!;
    const next = paths.indexOf(path, place + 1);
    if (next < 0) return null;
    place = next;
    const start = header.index + header[0].length;
    files.set(path, printed.subarray(start, headers[index + 1]?.index ?? printed.length));
  }
  return files.size === 0 && paths.length > 0 ? null : files;
}
