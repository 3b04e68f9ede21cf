import { newToken } from '../http/session-tokens.ts';

/** A file that a page may read once. */
export interface HandledFile {
  readonly path: string;
  readonly fileName: string;
}

export interface FileHandles {
  add(file: HandledFile): string;
  /** The file that a handle stands for; null for a handle that was taken before, was never given or has expired. */
  take(handle: string): HandledFile | null;
}

/** A page reads what it asked for at once; a tab in the background may be slow. */
const HANDLE_MS = 600_000;
/** More are never waiting unless something leaks. */
const MAX_HANDLES = 1000;

export function createFileHandles(monotonic: () => number = () => performance.now()): FileHandles {
  const handles = new Map<string, { readonly file: HandledFile; readonly expires: number }>();
  return {
    add(file) {
      for (const [handle, { expires }] of handles) {
        if (expires <= monotonic() || handles.size >= MAX_HANDLES) handles.delete(handle);
        else break;
      }
      const handle = newToken();
      handles.set(handle, { file, expires: monotonic() + HANDLE_MS });
      return handle;
    },
    take(handle) {
      const found = handles.get(handle);
      handles.delete(handle);
      return found === undefined || found.expires <= monotonic() ? null : found.file;
    },
  };
}
