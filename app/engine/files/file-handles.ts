import { newToken } from '../http/session-tokens.ts';

/** A file that a page may read: once as a whole, and stretches of it. */
export interface HandledFile {
  readonly path: string;
  readonly fileName: string;
}

export interface FileHandles {
  add(file: HandledFile): string;
  /** The file that a handle stands for, to read as a whole: a second time null, as for a handle that was never given or is too old. */
  take(handle: string): HandledFile | null;
  /** The same to read stretches of it, which workers of one page do side by side: also after `take`. */
  forStretch(handle: string): HandledFile | null;
}

/** A page reads what it asked for at once; a tab in the background may be slow. */
const HANDLE_MS = 600_000;
/** More are never waiting unless something leaks. */
const MAX_HANDLES = 1000;

export function createFileHandles(monotonic: () => number = () => performance.now()): FileHandles {
  const handles = new Map<string, { file: HandledFile; expires: number; taken: boolean }>();
  const find = (handle: string) => {
    const found = handles.get(handle);
    return found === undefined || found.expires <= monotonic() ? null : found;
  };
  return {
    add(file) {
      for (const [handle, { expires }] of handles) {
        if (expires <= monotonic() || handles.size >= MAX_HANDLES) handles.delete(handle);
        else break;
      }
      const handle = newToken();
      handles.set(handle, { file, expires: monotonic() + HANDLE_MS, taken: false });
      return handle;
    },
    take(handle) {
      const found = find(handle);
      if (found === null || found.taken) return null;
      found.taken = true;
      return found.file;
    },
    forStretch: (handle) => find(handle)?.file ?? null,
  };
}
