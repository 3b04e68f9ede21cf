import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { CaptureSink } from '#collectors/collector.ts';
import { removeFileOf } from '#collectors/effects/remove.ts';
import { createFile, replaceFile } from '#collectors/effects/write.ts';
import { EngineFailure, isMissing, storageFailure } from '../failure.ts';
import { checkRawFileName } from './captures/files.ts';

/** The raw files of a capture's folder. Calls run one after another; a failure affects only its own caller. */
interface RawFiles extends CaptureSink {
  /** Ends writing; `durable` syncs the data to disk first. */
  close(durable: boolean): Promise<void>;
}

export function openRawFiles(folder: string): RawFiles {
  const files = new Map<string, FileHandle>();
  let queue: Promise<unknown> = Promise.resolve();

  function inTurn<T>(action: () => Promise<T>): Promise<T> {
    const result = queue.then(action);
    queue = result.catch(() => undefined);
    return result;
  }

  async function appendNow(fileName: string, bytes: Uint8Array): Promise<void> {
    let file = files.get(fileName);
    if (file === undefined) {
      file = await open(join(folder, fileName), 'a', 0o600);
      files.set(fileName, file);
    }
    await file.appendFile(bytes);
  }

  async function swap(fileName: string, written: string): Promise<void> {
    await files.get(fileName)?.close();
    files.delete(fileName);
    await replaceFile(written, join(folder, fileName));
  }

  return {
    append: (fileName, bytes) =>
      attempt(fileName, () => inTurn(() => appendNow(fileName, bytes)), `write ${join(folder, fileName)}`),

    async *read(fileName) {
      checkRawFileName(fileName);
      let file: FileHandle;
      try {
        file = await openRegular(join(folder, fileName));
      } catch (error) {
        if (isMissing(error)) return;
        throw storageFailure(error, `read ${join(folder, fileName)}`);
      }
      // The stream closes the file, however the reader ends.
      yield* file.createReadStream({ highWaterMark: 1 << 18 }) as AsyncIterable<Uint8Array>;
    },

    async replace(fileName, chunks) {
      // No capture has a file whose name begins with a dot.
      const newName = `.${fileName}.new`;
      const written = join(folder, newName);
      const write = async (): Promise<void> => {
        await removeFileOf(folder, newName);
        await writeChunks(written, chunks);
        await inTurn(() => swap(fileName, written));
      };
      try {
        await attempt(fileName, write, `write ${written}`);
      } catch (error) {
        await removeFileOf(folder, newName);
        throw error;
      }
    },

    close: (durable) =>
      inTurn(async () => {
        const open = [...files.values()];
        files.clear();
        for (const file of open) {
          try {
            if (durable) await file.datasync();
          } finally {
            await file.close();
          }
        }
      }),
  };
}

/** Opens a regular file without blocking; a FIFO in its place would block the reader forever. */
async function openRegular(path: string): Promise<FileHandle> {
  const nonBlock = process.platform === 'win32' ? 0 : constants.O_NONBLOCK | constants.O_NOFOLLOW;
  const file = await open(path, constants.O_RDONLY | nonBlock);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new EngineFailure(
    'file-missing',
    `${path} is not a regular file.`,
    'Put the file back, or delete the capture.',
  );
}

async function attempt(fileName: string, action: () => Promise<void>, what: string): Promise<void> {
  checkRawFileName(fileName);
  try {
    await action();
  } catch (error) {
    // An error of the source is not one of the disk.
    throw error instanceof Error && 'syscall' in error ? storageFailure(error, what) : error;
  }
}

async function writeChunks(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await createFile(path);
  try {
    for await (const chunk of chunks) await file.appendFile(chunk);
    await file.datasync();
  } finally {
    await file.close();
  }
}
