import { newToken } from '../http/session-tokens.ts';

/** Content that a page may read once: a file, or bytes in memory. */
type HandledFile = { readonly fileName: string } & (
  | { readonly path: string }
  | { readonly chunks: readonly Uint8Array[] }
);

export interface FileHandles {
  add(file: HandledFile): string;
  /** Returns the file of a handle; null if the handle was used before, is unknown or has expired. */
  take(handle: string): HandledFile | null;
  /** Forgets a handle that will not be read. */
  drop(handle: string): void;
}

/** Lifetime of a handle in ms. Pages read immediately, but a background tab may be slow. */
const HANDLE_MS = 600_000;
/** Maximum number of handles; more would mean a leak. */
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
    drop: (handle) => void handles.delete(handle),
    take(handle) {
      const found = handles.get(handle);
      handles.delete(handle);
      return found === undefined || found.expires <= monotonic() ? null : found.file;
    },
  };
}
