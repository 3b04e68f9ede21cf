import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { homeFolder } from '../home-folder.ts';
import { createPart } from '../effects/part-file.ts';
import { makeCacheFolder } from '../effects/write.ts';
import { parseBuildId } from '../target/target-words.ts';
import { fetchBody, FETCH_LIMITS, type FetchLimits } from '../fetch/http-fetch.ts';
import { messageOf } from '#core/model/failure.ts';

/** What a server of debug information keeps of a build: what was stripped from the binary, and the binary. */
type DebugFileKind = 'debuginfo' | 'executable';

/** Servers of debug information that the user configured. */
export interface Debuginfod {
  /** Returns the path of the file, fetched if it is not cached; null if no server has it, reported to `onProblem`. */
  find(buildId: string, kind: DebugFileKind): Promise<string | null>;
}

interface DebuginfodOptions {
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /** One line for each request that begins. */
  readonly onFetch: (url: string) => void;
  /** One line for each file that could not be obtained. */
  readonly onProblem: (message: string) => void;
  readonly limits?: FetchLimits;
}

/** Further servers are not queried. */
const MAX_SERVERS = 8;

/** Returns the cache folder of debuginfod's own client, which other programs may have filled. */
export function debuginfodCache(environment: NodeJS.ProcessEnv): string {
  const home = environment['HOME'] ?? homeFolder();
  return (
    environment['DEBUGINFOD_CACHE_PATH'] ??
    join(environment['XDG_CACHE_HOME'] ?? join(home, '.cache'), 'debuginfod_client')
  );
}

/** Returns null if DEBUGINFOD_URLS (addresses separated by blanks) names no server; nothing is fetched then. */
export function createDebuginfod(options: DebuginfodOptions): Debuginfod | null {
  const { environment, onProblem } = options;
  const words = (environment['DEBUGINFOD_URLS'] ?? '').split(/\s+/).filter((word) => word !== '');
  const servers = words.filter(isServer).slice(0, MAX_SERVERS);
  if (words.length > servers.length) {
    onProblem(
      `DEBUGINFOD_URLS: ${words.length - servers.length} of ${words.length} entries are not used: only the first ${MAX_SERVERS} http and https addresses without a password are`,
    );
  }
  if (servers.length === 0) return null;
  const found = new Map<string, Promise<string | null>>();
  return {
    find(buildId, kind) {
      const key = `${kind} ${buildId}`;
      const known = found.get(key) ?? find(servers, buildId, kind, options);
      found.set(key, known);
      return known;
    },
  };
}

/** Accepts only addresses without secrets, because they are shown. */
function isServer(word: string): boolean {
  if (!URL.canParse(word)) return false;
  const { protocol, username, password } = new URL(word);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

async function find(
  servers: readonly string[],
  buildId: string,
  kind: DebugFileKind,
  { environment, signal, onFetch, onProblem, limits = FETCH_LIMITS }: DebuginfodOptions,
): Promise<string | null> {
  if (parseBuildId(buildId) === null) return null;
  const folder = await makeCacheFolder(debuginfodCache(environment), buildId).catch((error: unknown) => {
    onProblem(
      `no ${kind} of build id ${buildId}: ${messageOf(error)}; set DEBUGINFOD_CACHE_PATH to a folder of your own`,
    );
    return null;
  });
  if (folder === null) return null;
  const path = join(folder, kind);
  // debuginfod's client leaves an empty file if no server has it.
  const kept = await stat(path).catch(() => null);
  if (kept !== null && kept.isFile() && kept.size > 0) return path;
  const reasons: string[] = [];
  for (const server of servers) {
    const url = `${server.replace(/\/+$/, '')}/buildid/${buildId}/${kind}`;
    onFetch(url);
    try {
      await fetchTo(path, url, signal, limits);
      return path;
    } catch (error) {
      signal.throwIfAborted();
      reasons.push(messageOf(error));
    }
  }
  onProblem(`no ${kind} of build id ${buildId}: ${reasons.join('; ')}`);
  return null;
}

/** Fetches a file, which appears only once it is complete. */
async function fetchTo(path: string, url: string, signal: AbortSignal, limits: FetchLimits): Promise<void> {
  const part = createPart(dirname(path));
  try {
    await fetchBody({ url, options: {}, signal, limits, onChunk: (chunk) => Promise.resolve(part.write(chunk)) });
    part.becomes(path, null, 0o600);
  } catch (error) {
    part.discard();
    throw error;
  }
}
