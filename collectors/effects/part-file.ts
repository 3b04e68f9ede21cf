import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  writeSync,
  type BigIntStats,
} from 'node:fs';
import { join } from 'node:path';
import { LOCKING_OPEN, lockOpened } from './kernel-lock.ts';
import { isOwn, isSameFile, removeMadeSync } from './remove.ts';
import { NO_FOLLOW } from './write.ts';

/** A file that is written under a temporary name next to its final one, private until it has that. */
export interface PartFile {
  /** Appends a chunk, completely. */
  write(chunk: Uint8Array): void;
  /**
   * Completes the file. It replaces `existing`, the regular file at the path, with the same owner and permissions; one
   * that has further hard links, or whose owner this process can't set, gets the content instead. `mode` is that of a new
   * file; by default that of the umask.
   */
  becomes(path: string, existing: BigIntStats | null, mode?: number): void;
  discard(): void;
}

const NAME = /^\.flamebench-[0-9a-f]{16}\.part$/;
const CREATE = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW | LOCKING_OPEN;
/** Another run can take a new file for a dead run's, before its lock is taken. */
const MOST_TRIES = 8;

/** Creates a part file in the folder, and deletes those that killed runs left there: nobody holds their locks. */
export function createPart(folder: string): PartFile {
  deleteDead(folder);
  for (let tries = 1; ; tries++) {
    const path = join(folder, `.flamebench-${randomBytes(8).toString('hex')}.part`);
    const descriptor = openSync(path, CREATE, 0o600);
    const made = fstatSync(descriptor, { bigint: true });
    const named =
      lockOpened(descriptor) === 'held' ? undefined : lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (named !== undefined && isSameFile(named, made)) return partFile(path, descriptor, made);
    closeSync(descriptor);
    if (tries === MOST_TRIES) throw new Error(`${path} was deleted by another program`);
  }
}

function partFile(part: string, descriptor: number, made: BigIntStats): PartFile {
  const close = closeOnce(descriptor);
  const discard = (): void => {
    removeMadeSync(part, made);
    close();
  };
  return {
    write: (chunk) => writeFully(descriptor, chunk, null),
    becomes(path, existing, mode = 0o666 & ~process.umask()) {
      if (existing !== null && (existing.nlink > 1n || !takesOwner(descriptor, made, existing))) {
        copyInto(path, existing, descriptor);
        return discard();
      }
      fchmodSync(descriptor, existing === null ? mode : Number(existing.mode & 0o777n));
      // The old content goes only when the new one is safe; NFS reports a full disk here.
      if (existing !== null) fsyncSync(descriptor);
      renameSync(part, path);
      close();
    },
    discard,
  };
}

function takesOwner(descriptor: number, made: BigIntStats, { uid, gid }: BigIntStats): boolean {
  if (made.uid === uid && made.gid === gid) return true;
  try {
    fchownSync(descriptor, Number(uid), Number(gid));
    return true;
  } catch {
    return false;
  }
}

const CHUNK_BYTES = 1 << 18;

function copyInto(path: string, existing: BigIntStats, from: number): void {
  const into = openSync(path, constants.O_WRONLY | NO_FOLLOW);
  try {
    if (!isSameFile(fstatSync(into, { bigint: true }), existing)) throw new Error(`${path} was replaced meanwhile`);
    ftruncateSync(into);
    const buffer = new Uint8Array(CHUNK_BYTES);
    for (let at = 0; ;) {
      const length = readSync(from, buffer, 0, CHUNK_BYTES, at);
      if (length === 0) return;
      writeFully(into, buffer.subarray(0, length), at);
      at += length;
    }
  } finally {
    closeSync(into);
  }
}

function writeFully(descriptor: number, chunk: Uint8Array, position: number | null): void {
  for (let written = 0; written < chunk.length;) {
    const at = position === null ? null : position + written;
    written += writeSync(descriptor, chunk, written, chunk.length - written, at);
  }
}

function deleteDead(folder: string): void {
  for (const name of namesIn(folder)) if (NAME.test(name)) deleteIfDead(join(folder, name));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A folder that others may only enter; what is wrong otherwise, creating the file tells.
    return [];
  }
}

function deleteIfDead(path: string): void {
  const named = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (named?.isFile() !== true || !isOwn(named)) return;
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | NO_FOLLOW | LOCKING_OPEN);
  } catch {
    // It is in use, or gone by now.
    return;
  }
  try {
    if (lockOpened(descriptor) === 'taken') removeMadeSync(path, fstatSync(descriptor, { bigint: true }));
  } finally {
    closeSync(descriptor);
  }
}

/** Returns a function that closes a descriptor once; one whose closing failed counts as closed. */
export function closeOnce(descriptor: number): () => void {
  let isOpen = true;
  return () => {
    if (!isOpen) return;
    isOpen = false;
    closeSync(descriptor);
  };
}
