import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Library } from './library/library.ts';

/** What the user asked to open, sorted out. */
export interface OpenRequest {
  /** Absolute paths of regular files. */
  readonly files: readonly { readonly path: string; readonly fileName: string; readonly size: number }[];
  /** Ids of captures in the library. */
  readonly captures: readonly string[];
  /** One line, with the remedy, for each word that is neither. */
  readonly problems: readonly string[];
}

export const NOTHING_TO_OPEN: OpenRequest = { files: [], captures: [], problems: [] };

/** Words of a command line, or paths from the system: each a file, or the id of a capture where no such file exists. */
export async function resolveOpenRequest(
  words: readonly string[],
  cwd: string,
  library: Library,
): Promise<OpenRequest> {
  const files: OpenRequest['files'][number][] = [];
  const captures: string[] = [];
  const problems: string[] = [];
  for (const word of words) {
    const path = resolve(cwd, word);
    const found = await stat(path).catch(() => null);
    if (found?.isFile() === true) files.push({ path, fileName: basename(path), size: found.size });
    else if (found !== null)
      problems.push(`${word} is ${found.isDirectory() ? 'a folder' : 'no regular file'}; name a file`);
    // A desktop shell makes a path of every word that it passes on.
    else if (await hasCapture(library, basename(word))) captures.push(basename(word));
    else problems.push(`${word} is neither a file nor the id of a capture in ${library.path}; check the spelling`);
  }
  return { files, captures, problems };
}

async function hasCapture(library: Library, id: string): Promise<boolean> {
  return library.get(id).then(
    () => true,
    () => false,
  );
}

/** What waits for a window to open it. */
export interface PendingRequests {
  readonly get: () => OpenRequest;
  readonly add: (request: OpenRequest) => void;
  /** A window has opened what `get` last told. */
  readonly forget: () => void;
}

export function createPendingRequests(first: OpenRequest): PendingRequests {
  let waiting = [first];
  let told: readonly OpenRequest[] = [];
  return {
    get: () => {
      told = waiting;
      return {
        files: waiting.flatMap(({ files }) => files),
        captures: waiting.flatMap(({ captures }) => captures),
        problems: waiting.flatMap(({ problems }) => problems),
      };
    },
    add: (request) => {
      waiting = [...waiting, request];
    },
    forget: () => {
      waiting = waiting.filter((request) => !told.includes(request));
    },
  };
}
