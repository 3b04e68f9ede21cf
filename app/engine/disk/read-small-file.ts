import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Thrown if something other than a regular file of limited size is found. */
export class NotASmallFile extends Error {
  constructor(path: string, maxBytes: number) {
    super(`${path} is not a regular file of at most ${maxBytes} bytes`);
    this.name = 'NotASmallFile';
  }
}

const isWindows = process.platform === 'win32';

/**
 * Reads a small file as a whole. Never waits for a writer, as reading a FIFO would, and never reads more than
 * `maxBytes`: throws a {@link NotASmallFile} in these cases, or a system error. `followLinks` defaults to false.
 */
export async function readSmallFile(
  path: string,
  maxBytes: number,
  { followLinks = false }: { readonly followLinks?: boolean } = {},
): Promise<Buffer> {
  const noFollow = isWindows || followLinks ? 0 : constants.O_NOFOLLOW;
  const file = await open(path, constants.O_RDONLY | noFollow | (isWindows ? 0 : constants.O_NONBLOCK));
  try {
    const found = await file.stat();
    if (!found.isFile() || found.size > maxBytes) throw new NotASmallFile(path, maxBytes);
    return await file.readFile();
  } finally {
    await file.close();
  }
}
