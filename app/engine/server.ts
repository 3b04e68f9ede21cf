import { createServer, type Server } from 'node:http';
import { escapeControls } from '#core/contract/escape-controls.ts';
import { FRAGMENT_KEY } from '#core/contract/paths.ts';
import { openCollectorMemory } from './recording/collector-memory.ts';
import { defaultConfigPath } from './config/config-path.ts';
import type { RecentFiles } from './config/recent-files.ts';
import { openUserConfig, type UserConfig } from './config/user-config.ts';
import { createConfirmations } from './recording/confirmations.ts';
import { endConnection, limitConnections } from './http/connections.ts';
import { createRecorder } from './recording/create-recorder.ts';
import type { Recorder } from './recording/recorder.ts';
import { createEventHub, type EventHub } from './http/events.ts';
import { errorCode, toRpcError } from './failure.ts';
import { keepSides, openExperiments } from './experiments/experiments.ts';
import { createFileHandles } from './files/file-handles.ts';
import { defaultLibraryPath } from './library/library-path.ts';
import { openLibrary, type Library } from './library/library.ts';
import { listenOnLoopback, type Loopback } from './http/loopback.ts';
import {
  createPendingRequests,
  filePaths,
  NOTHING_TO_OPEN,
  resolveOpenRequest,
  type OpenRequest,
} from './open-requests.ts';
import { createLiveSessions } from './live/live-sessions.ts';
import { rendererFolder, SAMPLES_FOLDER } from './program-files.ts';
import { recoverRecording } from './recording/recover-recording.ts';
import { hasSession } from './http/request-checks.ts';
import { createHostNames } from './http/request-guard.ts';
import { answerRequest } from './routes.ts';
import type { EngineParts } from './handlers/engine-parts.ts';
import { endLoads } from './handlers/load-handlers.ts';
import { createHandlers, pendingComparisons, pendingFiles } from './handlers/rpc-handlers.ts';
import { createSessionTokens, type SessionTokens } from './http/session-tokens.ts';
import type { Settings } from '#core/contract/settings-schema.ts';
import { expireTrash } from './library/expire-trash.ts';
import { createSourceService } from './source/source-service.ts';
import { createStaticFiles } from './http/static-files.ts';
import { openTargets } from './targets/targets.ts';

export interface EngineOptions {
  /** Defaults to {@link defaultLibraryPath}. */
  readonly libraryPath?: string;
  /** Folder of settings, recent files and the last session; defaults to {@link defaultConfigPath}. */
  readonly configPath?: string;
  /** Folder of the built page; defaults to {@link rendererFolder}. */
  readonly staticRoot?: string;
  /** Folder of the bundled captures; null for none. */
  readonly samplesPath?: string | null;
  /** Defaults to a free port. */
  readonly port?: number;
  /**
   * Further names and addresses under which pages are served; these pages ask for a code. The engine listens only on
   * loopback addresses in any case.
   */
  readonly hosts?: readonly string[];
  /**
   * True if the front end resolves the engine's random name itself, as Electron's shell does; the name is then used
   * even without IPv6.
   */
  readonly resolvesName?: boolean;
  /** For tests: the letters of the page's name, which are random otherwise. */
  readonly nameLetters?: string;
  /** For tests; see `LoopbackOptions`. */
  readonly ipv6Address?: string;
  /** Files and capture IDs to open first, as typed, relative to `cwd`. */
  readonly open?: readonly string[];
  /** True opens the guided comparison if there is nothing to open and no window has opened this library before. */
  readonly guide?: boolean;
  readonly cwd?: string;
  /** See `TargetsOptions`. */
  readonly sshConfigPath?: string;
  /** For tests. */
  readonly createRecorder?: typeof createRecorder;
  /** Receives internal errors; defaults to stderr. */
  readonly log?: (line: string) => void;
}

/** A running engine, the process behind every front end. */
export interface Engine {
  /** `http://<16 random letters>.localhost:<port>`, or `http://127.0.0.1:<port>` on a machine without IPv6. */
  readonly origin: string;
  /** Origins whose page asks for a code: those of `hosts`, and 127.0.0.1 on a machine without IPv6. */
  readonly plainOrigins: readonly string[];
  readonly libraryPath: string;
  /** The parts of `open` that could not be opened, one line each; the window shows them too. */
  readonly problems: readonly string[];
  /**
   * Returns an address for one window. Its fragment contains a token that works once, within 15 minutes; the address
   * without it grants no access.
   */
  newUrl(): string;
  /**
   * Returns six digits for a page of {@link plainOrigins}. They work once, within 60 s and 3 attempts; earlier codes
   * become invalid.
   */
  newCode(): string;
  /** Called whenever a window has connected. */
  onWindow(listener: () => void): void;
  /** Called whenever the last window has disconnected: it was closed, or is being reloaded. */
  onNoWindow(listener: () => void): void;
  /** Opens files or captures in the newest window, or in the next one if none is open. */
  openFiles(words: readonly string[], cwd: string): Promise<void>;
  /** Recently opened files. */
  readonly recent: Pick<RecentFiles, 'list' | 'onChange'>;
  /** Opens a recent file in the newest window, or in the next one if none is open; the window reports errors. */
  openRecent(id: string): Promise<void>;
  readonly recordings: RunningRecordings;
  /** Ends recordings, load tests and all connections, keeping the data, and writes the user's files. Idempotent. */
  close(): Promise<void>;
}

interface RunningRecordings {
  readonly count: () => number;
  /** Called at each change and about twice a second while recording. */
  readonly onChange: (listener: () => void) => void;
  /** Ends all that run and discards their data. */
  readonly discard: () => Promise<void>;
}

/** Between the runs of a series, a recording still runs. */
function runningRecordings(recorder: Recorder): RunningRecordings {
  const running = (): string[] =>
    recorder
      .list()
      .flatMap(({ state, recordingId }) =>
        state === 'finished' || state === 'failed' || state === 'cancelled' ? [] : [recordingId],
      );
  return {
    count: () => running().length,
    onChange: (listener) => recorder.onStatus(listener),
    discard: async () => {
      await Promise.all(running().map((id) => recorder.cancel(id)));
    },
  };
}

const PLAIN_ADDRESS = '127.0.0.1';

/** Time in ms during which changes of the library are combined into one message, because they come in bursts. */
const LIBRARY_CHANGED_MS = 100;

/** As many as the settings hold. */
const MAX_SOURCE_FOLDERS = 1000;

/** Starts the engine. Rejects with an `EngineFailure` if the port is taken or the library's path is not a folder. */
export async function startEngine(options: EngineOptions = {}): Promise<Engine> {
  const library = await openLibrary(options.libraryPath ?? defaultLibraryPath(), {
    recover: recoverRecording,
    samplesPath: options.samplesPath === undefined ? SAMPLES_FOLDER : options.samplesPath,
    configPath: options.configPath,
  });
  const experiments = await openExperiments(library);
  const configPath = options.configPath ?? defaultConfigPath();
  const memory = openCollectorMemory(configPath);
  const targets = await openTargets({ configPath, sshConfigPath: options.sshConfigPath });
  const recorder = (options.createRecorder ?? createRecorder)(library, targets, {
    keepSides: keepSides(experiments),
    journal: targets.journal,
    memory,
  });
  const tokens = createSessionTokens();
  const hosts = createHostNames(options.hosts, options.nameLetters);
  const events = createEventHub(tokens, hosts);
  const config = await openUserConfig(configPath, library.path);
  const first = await firstRequest(library, options, config);
  await config.recent.add(filePaths(first));
  const pending = createPendingRequests(first);
  const fileHandles = createFileHandles();
  const live = createLiveSessions({ library, targets, journal: targets.journal, memory, fileHandles });
  const sourceFolders = {
    list: () => config.settings.get().sourceFolders,
    add: async (folder: string) => {
      const added = (settings: Settings): Settings => ({
        ...settings,
        sourceFolders: [...settings.sourceFolders.filter((one) => one !== folder), folder].slice(-MAX_SOURCE_FOLDERS),
      });
      const settings = await config.settings.edit(added);
      events.broadcast({ kind: 'settings-changed', settings });
    },
  };
  const source = createSourceService(library, (id) => targets.open(id), sourceFolders);
  const log = options.log ?? ((line: string) => process.stderr.write(`flamebench engine: ${escapeControls(line)}\n`));
  const trash = expireTrash(library.path, config.settings, log);
  const loads: EngineParts['loads'] = new Map();
  let isNamed = false;
  const parts: EngineParts = {
    library,
    experiments,
    recorder,
    live,
    loads,
    targets,
    fileHandles,
    source,
    confirmations: createConfirmations('recording'),
    liveStarts: createConfirmations('live session'),
    connects: createConfirmations('connection'),
    pending,
    config,
    emptyTrash: () => trash.run(),
    broadcast: (event) => events.broadcast(event),
    newWindowToken: () => (isNamed ? tokens.newFragmentToken() : null),
  };
  const staticFiles = createStaticFiles(options.staticRoot ?? rendererFolder());
  const routes = {
    handlers: createHandlers(parts),
    library,
    experiments,
    fileHandles,
    tokens,
    hosts,
    staticFiles,
    log,
  };
  const server = createHttpServer(events, tokens);
  server.on('request', (request, response) => void answerRequest(routes, request, response));
  recorder.onStatus((status) => events.broadcast({ kind: 'recording', status }));
  live.onStatus((status) => events.broadcast({ kind: 'live', status }));
  targets.onEvent((event) => events.broadcast(event));
  const stopTelling = broadcastChanges(library, events);
  config.settings.onForeignChange((settings) => events.broadcast({ kind: 'settings-changed', settings }));
  config.recent.onChange(() => events.broadcast({ kind: 'recent-changed' }));

  const closeAll = async (): Promise<void> => {
    await Promise.all([recorder.dispose(), live.dispose(), endLoads(loads), source.dispose()]);
    await targets.dispose();
    stopTelling();
    trash.stop();
    events.close();
    loopback?.close();
    server.closeAllConnections();
    library.close();
    await Promise.all([config.close(), memory.close()]);
  };
  let closed: Promise<void> | null = null;
  let loopback: Loopback | null = null;
  try {
    loopback = await listenOnLoopback(server, { port: options.port ?? 0, ipv6Address: options.ipv6Address });
  } catch (error) {
    await closeAll();
    throw error;
  }
  const { port, hasIpv6 } = loopback;
  isNamed = hasIpv6 || options.resolvesName === true;
  if (!isNamed) hosts.allowPlain(PLAIN_ADDRESS);
  const origin = `http://${isNamed ? hosts.own : PLAIN_ADDRESS}:${port}`;
  const plainHosts = new Set([...(isNamed ? [] : [PLAIN_ADDRESS]), ...(options.hosts ?? [])]);
  async function openRequest(request: OpenRequest): Promise<void> {
    await config.recent.add(filePaths(request));
    const isSent = events.sendToNewest({
      kind: 'open-files',
      files: pendingFiles(request, fileHandles),
      captures: [...request.captures],
      experiments: [...request.experiments],
      comparisons: pendingComparisons(request, fileHandles),
      view: request.view,
      live: request.live,
      notices: [...request.problems],
    });
    if (!isSent) pending.add(request);
  }

  return {
    origin,
    plainOrigins: [...plainHosts].map((host) => `http://${host}:${port}`),
    libraryPath: library.path,
    problems: first.problems,
    newUrl: () => (isNamed ? `${origin}/#${FRAGMENT_KEY}=${tokens.newFragmentToken()}` : `${origin}/`),
    newCode: () => tokens.newCode(),
    onWindow: (listener) => events.onWindow(listener),
    onNoWindow: (listener) => events.onNoWindow(listener),
    openFiles: async (words, cwd) => openRequest(await resolveOpenRequest(words, cwd, library)),
    recent: config.recent,
    openRecent: async (id) => {
      const found = await config.recent.find(id).catch((error: unknown) => toRpcError(error));
      const problem = 'path' in found ? null : [found.message, found.remedy].filter(Boolean).join(' ');
      await openRequest({
        ...NOTHING_TO_OPEN,
        ...('path' in found ? { files: [found] } : {}),
        problems: problem === null ? [] : [problem],
      });
    },
    recordings: runningRecordings(recorder),
    close: () => (closed ??= closeAll()),
  };
}

function createHttpServer(events: EventHub, tokens: SessionTokens): Server {
  const server = createServer({
    maxHeaderSize: 16 << 10,
    // Drops connections that send nothing, or send slowly. Bodies have their own timeouts, since an upload may take
    // long.
    headersTimeout: 5000,
    requestTimeout: 0,
    keepAliveTimeout: 5000,
    connectionsCheckingInterval: 1000,
  });
  const connections = limitConnections(server, (request) => hasSession(tokens, request));
  server.on('upgrade', (request, socket, head) => {
    if (events.upgrade(request, socket, head)) connections.release(socket);
  });
  server.on('clientError', (error, socket) => {
    // Browsers open connections in advance; an answer on one that timed out would be taken for the answer to its first
    // request.
    const isLate = errorCode(error) === 'ERR_HTTP_REQUEST_TIMEOUT';
    if (socket.writable && !isLate)
      endConnection(socket, 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    else socket.destroy();
  });
  return server;
}

/** Broadcasts changes of the library and returns the function that stops it. */
function broadcastChanges(library: Library, events: EventHub): () => void {
  let timer: NodeJS.Timeout | null = null;
  const stop = library.onChange(() => {
    timer ??= setTimeout(() => {
      timer = null;
      events.broadcast({ kind: 'library-changed' });
    }, LIBRARY_CHANGED_MS).unref();
  });
  return () => {
    stop();
    if (timer !== null) clearTimeout(timer);
  };
}

/** Returns what the first window opens. */
async function firstRequest(
  library: Library,
  options: EngineOptions,
  { sessions, settings }: UserConfig,
): Promise<OpenRequest> {
  const words = options.open ?? [];
  if (words.length > 0) return resolveOpenRequest(words, options.cwd ?? process.cwd(), library);
  // Without sessions, each start would be the first.
  const guide = options.guide === true && sessions.isFirst && settings.get().restoreSession;
  return { ...NOTHING_TO_OPEN, guide };
}
