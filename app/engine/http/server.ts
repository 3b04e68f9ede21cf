import { createServer, type Server } from 'node:http';
import { escapeControls } from '#core/contract/escape-controls.ts';
import { FRAGMENT_KEY } from '#core/contract/contract.ts';
import { openCallGraphMemory } from '../recording/call-graph-memory.ts';
import { defaultConfigPath } from '../config/config-path.ts';
import type { RecentFiles } from '../config/recent-files.ts';
import { openUserConfig, type UserConfig } from '../config/user-config.ts';
import { createConfirmations } from '../recording/confirmations.ts';
import { endConnection, limitConnections } from './connections.ts';
import { createRecorder } from '../recording/create-recorder.ts';
import { createEventHub, type EventHub } from './events.ts';
import { errorCode, toRpcError } from '../failure.ts';
import { keepSides } from '../experiments/keep-sides.ts';
import { openExperiments } from '../experiments/experiments.ts';
import { createFileHandles } from '../files/file-handles.ts';
import { defaultLibraryPath } from '../library/library-path.ts';
import { openLibrary, type Library } from '../library/library.ts';
import { listenOnLoopback, type Loopback } from './loopback.ts';
import {
  createPendingRequests,
  filePaths,
  NOTHING_TO_OPEN,
  resolveOpenRequest,
  type OpenRequest,
} from '../files/open-requests.ts';
import { rendererFolder, SAMPLES_FOLDER } from '../program-files.ts';
import { recoverRecording } from '../recording/recover-recording.ts';
import { hasSession } from './request-checks.ts';
import { createHostNames } from './request-guard.ts';
import { answerRequest } from './routes.ts';
import type { EngineParts } from '../engine-parts.ts';
import { createHandlers, pendingComparisons, pendingFiles } from '../rpc-handlers.ts';
import { createSessionTokens, type SessionTokens } from './session-tokens.ts';
import { createSourceService } from '../source/source-service.ts';
import { createStaticFiles } from './static-files.ts';
import { openTargets } from '../targets/targets.ts';

export interface EngineOptions {
  /** Default: {@link defaultLibraryPath}. */
  readonly libraryPath?: string;
  /** Folder of settings, recent files and the last session; default: {@link defaultConfigPath}. */
  readonly configPath?: string;
  /** Folder of the built page; default: {@link rendererFolder}. */
  readonly staticRoot?: string;
  /** Folder of the bundled captures; null: none. */
  readonly samplesPath?: string | null;
  /** Default: one that is free. */
  readonly port?: number;
  /** Names and addresses under which pages are served as well; they ask for a code. The engine listens on loopback addresses only, whatever they are. */
  readonly hosts?: readonly string[];
  /** The front end looks up the engine's random name itself, as Electron's shell does: the name is used without IPv6, too. */
  readonly resolvesName?: boolean;
  /** For tests; see `LoopbackOptions`. */
  readonly ipv6Address?: string;
  /** Files and capture ids to open first, as the user wrote them, relative to `cwd`. Nothing: the samples where the library is empty. */
  readonly open?: readonly string[];
  readonly cwd?: string;
  /** See `TargetsOptions`. */
  readonly sshConfigPath?: string;
  /** For tests. */
  readonly createRecorder?: typeof createRecorder;
  /** Gets what is Flamebench's own fault; default: stderr. */
  readonly log?: (line: string) => void;
}

/** The process behind every front end, serving. */
export interface Engine {
  /** `http://<16 random letters>.localhost:<port>`, or `http://127.0.0.1:<port>` on a machine without IPv6. */
  readonly origin: string;
  /** Origins whose page asks for a code: those of `hosts`, and 127.0.0.1 on a machine without IPv6. */
  readonly plainOrigins: readonly string[];
  readonly libraryPath: string;
  /** What of `open` could not be opened; the window shows these lines, too. */
  readonly problems: readonly string[];
  /** An address for one window: its fragment carries a token that works once, within 60 s. The plain address carries none. */
  newUrl(): string;
  /** Six digits for a page of {@link plainOrigins}: they work once, within 60 s and 3 tries. Those before them work no longer. */
  newCode(): string;
  /** Called whenever a window has connected. */
  onWindow(listener: () => void): void;
  /** Opens files or captures in the newest window, or in the next one where there is none. */
  openFiles(words: readonly string[], cwd: string): Promise<void>;
  /** Files that were opened before. */
  readonly recent: Pick<RecentFiles, 'list' | 'onChange'>;
  /** Opens one of them in the newest window, or in the next one; says there why it can't be opened. */
  openRecent(id: string): Promise<void>;
  /** Ends recordings, keeping them, and all connections. Idempotent. */
  close(): Promise<void>;
}

const PLAIN_ADDRESS = '127.0.0.1';

/** Changes of the library come in bursts: one message for those of this time. */
const LIBRARY_CHANGED_MS = 100;

/** Starts the engine. Rejects with an `EngineFailure` where the port is taken or the library's place is no folder. */
export async function startEngine(options: EngineOptions = {}): Promise<Engine> {
  const library = await openLibrary(options.libraryPath ?? defaultLibraryPath(), {
    recover: recoverRecording,
    samplesPath: options.samplesPath === undefined ? SAMPLES_FOLDER : options.samplesPath,
    configPath: options.configPath,
  });
  const experiments = await openExperiments(library);
  const configPath = options.configPath ?? defaultConfigPath();
  const memory = await openCallGraphMemory(configPath);
  const targets = await openTargets({ configPath, sshConfigPath: options.sshConfigPath });
  const recorder = (options.createRecorder ?? createRecorder)(library, targets, {
    keepSides: keepSides(experiments),
    journal: targets.journal,
    memory,
  });
  const tokens = createSessionTokens();
  const hosts = createHostNames(options.hosts);
  const events = createEventHub(tokens, hosts);
  const config = await openUserConfig(configPath, library.path);
  const first = await firstRequest(library, config, options);
  await config.recent.add(filePaths(first));
  const pending = createPendingRequests(first);
  const fileHandles = createFileHandles();
  const source = createSourceService(library, (id) => targets.open(id));
  const parts: EngineParts = {
    library,
    experiments,
    recorder,
    targets,
    fileHandles,
    source,
    confirmations: createConfirmations('recording'),
    connects: createConfirmations('connection'),
    pending,
    config,
    broadcast: (event) => events.broadcast(event),
  };
  const log = options.log ?? ((line: string) => process.stderr.write(`flamebench engine: ${escapeControls(line)}\n`));
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
  targets.onEvent((event) => events.broadcast(event));
  const stopTelling = tellOfChanges(library, events);
  config.settings.onForeignChange((settings) => events.broadcast({ kind: 'settings-changed', settings }));
  config.recent.onChange(() => events.broadcast({ kind: 'recent-changed' }));

  const closeAll = async (): Promise<void> => {
    await Promise.all([recorder.dispose(), source.dispose()]);
    await targets.dispose();
    stopTelling();
    events.close();
    loopback?.close();
    server.closeAllConnections();
    library.close();
    config.close();
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
  const isNamed = hasIpv6 || options.resolvesName === true;
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
    close: () => (closed ??= closeAll()),
  };
}

function createHttpServer(events: EventHub, tokens: SessionTokens): Server {
  const server = createServer({
    maxHeaderSize: 16 << 10,
    // A connection that says nothing, or says it slowly, is dropped. Bodies have clocks of their own: an upload may take long.
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
    // Browsers open connections ahead of need: an answer on one that waited too long would be taken for that of its first request.
    const isLate = errorCode(error) === 'ERR_HTTP_REQUEST_TIMEOUT';
    if (socket.writable && !isLate)
      endConnection(socket, 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    else socket.destroy();
  });
  return server;
}

/** Returns the way to stop it. */
function tellOfChanges(library: Library, events: EventHub): () => void {
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

/** What the first window opens. */
async function firstRequest(library: Library, config: UserConfig, options: EngineOptions): Promise<OpenRequest> {
  const words = options.open ?? [];
  if (words.length > 0) return resolveOpenRequest(words, options.cwd ?? process.cwd(), library);
  const { captures } = await library.list();
  const isFirst = config.sessions.isFirstRun() && captures.every(({ origin }) => origin === 'sample');
  return isFirst ? { ...NOTHING_TO_OPEN, captures: firstSamples(captures) } : NOTHING_TO_OPEN;
}

/** One sample of each series, at most two: before and after. */
function firstSamples(captures: Awaited<ReturnType<Library['list']>>['captures']): string[] {
  const firstRuns = captures.filter(({ series }) => series === null || series.run === 0);
  return firstRuns
    .toReversed()
    .slice(0, 2)
    .map(({ id }) => id);
}
