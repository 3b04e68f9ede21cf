import { constants } from 'node:fs';
import { open, readlink, rm, stat, symlink, type FileHandle } from 'node:fs/promises';
import process from 'node:process';

/** A file of this machine that can be read after it has been deleted or replaced, until it is released. */
export interface HeldFile {
  /** Path by which other processes of this user open it. */
  readonly path: string;
  /** Returns whether a path still names it. */
  isAt(path: string): Promise<boolean>;
  /** Returns bytes from a position; fewer at the end of the file. */
  read(position: number, length: number): Promise<Uint8Array>;
  /** Makes a link to it, which lasts until it is released. Does nothing if there is something at the path. */
  linkAt(path: string): Promise<void>;
  release(): Promise<void>;
}

/**
 * Returns null if there is no such regular file, or if it can't be opened. A link as the last part of the path is not
 * followed unless `isLink`: a process chooses what links in its own root lead to.
 */
export async function holdFile(path: string, { isLink = false } = {}): Promise<HeldFile | null> {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | (isLink ? 0 : constants.O_NOFOLLOW);
  const file = await open(path, flags).catch(() => null);
  if (file === null) return null;
  const facts = await file.stat().catch(() => null);
  if (facts?.isFile() === true) return new Held(file);
  await file.close();
  return null;
}

class Held implements HeldFile {
  readonly path: string;
  readonly #file: FileHandle;
  #link: string | null = null;

  constructor(file: FileHandle) {
    this.path = `/proc/${process.pid}/fd/${file.fd}`;
    this.#file = file;
  }

  async isAt(path: string): Promise<boolean> {
    const [held, there] = await Promise.all([this.#file.stat(), stat(path).catch(() => null)]);
    return there !== null && there.ino === held.ino && there.dev === held.dev;
  }

  async read(position: number, length: number): Promise<Uint8Array> {
    const { buffer, bytesRead } = await this.#file.read(new Uint8Array(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  }

  async linkAt(path: string): Promise<void> {
    const isMade = await symlink(this.path, path).then(
      () => true,
      () => false,
    );
    if (isMade) this.#link = path;
  }

  async release(): Promise<void> {
    const link = this.#link;
    // Something else may be there by now.
    if (link !== null && (await readlink(link).catch(() => null)) === this.path) await rm(link, { force: true });
    await this.#file.close();
  }
}
