import { constants } from 'node:fs';
import { open, readdir, type FileHandle } from 'node:fs/promises';
import { extname, join } from 'node:path';

interface StaticFile {
  readonly file: FileHandle;
  readonly size: number;
  readonly contentType: string;
}

export interface StaticFiles {
  /** Opens the file for a URL path; null if there is none. */
  open(urlPath: string): Promise<StaticFile | null>;
}

const CONTENT_TYPES: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.mjs', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.map', 'application/json; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.ico', 'image/x-icon'],
  ['.woff2', 'font/woff2'],
  ['.wasm', 'application/wasm'],
  ['.txt', 'text/plain; charset=utf-8'],
]);

/** Minimum time between two scans of the folder, in ms; the page may be rebuilt while it is served. */
const RESCAN_MS = 1000;

/**
 * Serves the regular files of a folder from a table of URL paths. Paths outside the table do not exist, so no spelling
 * of a path leads out of the folder. Links are not followed; hidden files and files of unknown type are not served.
 */
export function createStaticFiles(root: string): StaticFiles {
  let table: Promise<ReadonlyMap<string, string>> = Promise.resolve(new Map());
  let scanned = Number.NEGATIVE_INFINITY;

  async function pathOf(urlPath: string): Promise<string | undefined> {
    const known = (await table).get(urlPath);
    if (known !== undefined) return known;
    // Requests during a scan wait for its result.
    if (performance.now() - scanned >= RESCAN_MS) {
      scanned = performance.now();
      table = scan(root, '/');
    }
    return (await table).get(urlPath);
  }

  return {
    async open(urlPath) {
      const path = await pathOf(urlPath === '/' ? '/index.html' : urlPath);
      if (path === undefined) return null;
      const noFollow = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW;
      const file = await open(path, constants.O_RDONLY | noFollow).catch(() => null);
      if (file === null) return null;
      const { size } = await file.stat();
      return { file, size, contentType: CONTENT_TYPES.get(extname(path)) ?? 'application/octet-stream' };
    },
  };
}

async function scan(folder: string, prefix: string): Promise<Map<string, string>> {
  const table = new Map<string, string>();
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) {
      for (const [url, file] of await scan(path, `${prefix}${entry.name}/`)) table.set(url, file);
    } else if (entry.isFile() && CONTENT_TYPES.has(extname(entry.name))) {
      table.set(prefix + entry.name, path);
    }
  }
  return table;
}
