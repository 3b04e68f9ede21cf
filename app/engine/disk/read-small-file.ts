import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';

/** Thrown if something other than a regular file of limited size is found. */
export class NotASmallFile extends Error {
  constructor(path: string, maxBytes: number) {
    super(`${path} is not a regular file of at most ${maxBytes} bytes`);
    this.name = 'NotASmallFile';
  }
}

const isWindows = process.platform === 'win32';

/** Opening neither follows a link nor waits for the writer of a FIFO. */
const READ = constants.O_RDONLY | (isWindows ? 0 : constants.O_NOFOLLOW | constants.O_NONBLOCK);

/**
 * Reads a small file as a whole. Never waits for a writer, as reading a FIFO would, and never reads more than
 * `maxBytes`: throws a {@link NotASmallFile} in these cases, or a system error. `followLinks` defaults to false.
 */
export async function readSmallFile(
  path: string,
  maxBytes: number,
  { followLinks = false }: { readonly followLinks?: boolean } = {},
): Promise<Buffer> {
  const file = await open(path, followLinks && !isWindows ? READ & ~constants.O_NOFOLLOW : READ);
  try {
    refuseOther(await file.stat(), path, maxBytes);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Does the same at once: for thousands of files it takes a tenth of the time. Files that are not `wanted` are refused. */
export function readSmallFileNow(
  path: string,
  maxBytes: number,
  wanted: (found: Stats) => boolean = () => true,
): Buffer {
  const file = openSync(path, READ);
  try {
    const found = fstatSync(file);
    refuseOther(found, path, maxBytes);
    if (!wanted(found)) throw new NotASmallFile(path, maxBytes);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

function refuseOther(found: Stats, path: string, maxBytes: number): void {
  if (!found.isFile() || found.size > maxBytes) throw new NotASmallFile(path, maxBytes);
}
