import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Something else than a regular file of a bounded size lies in a small file's place. */
export class NotASmallFile extends Error {
  constructor(path: string, maxBytes: number) {
    super(`${path} is not a regular file of at most ${maxBytes} bytes`);
    this.name = 'NotASmallFile';
  }
}

const isWindows = process.platform === 'win32';

/**
 * Reads a small file as a whole. Never waits for a writer, as a FIFO in its place would, and never reads more than `maxBytes`: throws a
 * {@link NotASmallFile} then, or a system error. `followLinks`: default false.
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
