import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Method, Params } from '#core/contract/contract.ts';
import { PATHS, TOKEN_HEADER } from '#core/contract/paths.ts';
import type { RecordingStatus } from '#core/contract/schemas.ts';
import type { Recorder } from '#app/engine/recording/recorder.ts';
import { startEngine, type Engine, type EngineOptions } from '#app/engine/server.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly bytes: Buffer;
}

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface TestEngine {
  readonly engine: Engine;
  readonly folder: string;
  readonly port: number;
  /** The Host header that a page of this engine sends. */
  readonly host: string;
  /** The internal errors that the engine logged. */
  readonly log: string[];
  readonly recorder: TestRecorder;
  /** Sends a request with only the given headers, those that HTTP requires, and by default the engine's own host. */
  readonly send: (path: string, options?: RequestOptions) => Promise<Answer>;
  /** Returns a session token. */
  readonly session: () => Promise<string>;
  /** Calls a method as the page does, with its own session. */
  readonly call: (method: string, params: unknown) => Promise<unknown>;
  readonly result: <M extends Method>(method: M, params: Params<M>) => Promise<unknown>;
}

/** Starts an engine with a temporary library and a page of one line. The test provides recordings. */
export async function startTestEngine(options: EngineOptions = {}): Promise<TestEngine> {
  const folder = mkdtempSync(join(tmpdir(), 'flamebench-test-'));
  const staticRoot = join(folder, 'page');
  mkdirSync(join(staticRoot, 'assets'), { recursive: true });
  writeFileSync(join(staticRoot, 'index.html'), '<!doctype html><title>page</title>');
  writeFileSync(join(staticRoot, 'assets', 'main-1a.js'), 'export {};');
  const log: string[] = [];
  const recorder = createTestRecorder();
  const engine = await startEngine({
    libraryPath: join(folder, 'library'),
    configPath: join(folder, 'config'),
    staticRoot,
    samplesPath: null,
    createRecorder: () => recorder,
    log: (line) => log.push(line),
    ...options,
  });
  onTestFinished(async () => {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const { host, port: portText } = new URL(engine.origin);
  const port = Number(portText);
  // The system need not resolve names under .localhost as browsers do.
  const send = (path: string, given: RequestOptions = {}): Promise<Answer> =>
    sendRequest(port, path, { ...given, headers: { host, ...given.headers } });
  const session = async (): Promise<string> => {
    const fragmentToken = new URLSearchParams(new URL(engine.newUrl()).hash.slice(1)).get('token');
    const body = JSON.stringify({ fragmentToken });
    const answer = await send(PATHS.session, { method: 'POST', headers: { origin: engine.origin }, body });
    return (JSON.parse(answer.text) as { sessionToken: string }).sessionToken;
  };
  let own: Promise<string> | null = null;
  const call = async (method: string, params: unknown): Promise<unknown> => {
    const token = await (own ??= session());
    const headers = { origin: engine.origin, [TOKEN_HEADER]: token };
    const answer = await send(PATHS.rpc + method, { method: 'POST', headers, body: JSON.stringify(params) });
    return JSON.parse(answer.text);
  };
  const result = async (method: Method, params: unknown): Promise<unknown> => {
    const answer = (await call(method, params)) as { ok: boolean; result: unknown };
    if (!answer.ok) throw new Error(JSON.stringify(answer));
    return answer.result;
  };
  return { engine, folder, port, host, log, recorder, send, session, call, result };
}

/**
 * Sends a request to 127.0.0.1 with the engine's name as the `host` header, because the system need not resolve that
 * name.
 */
export function sendRequest(port: number, path: string, { method, headers, body }: RequestOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path, method: method ?? 'GET', headers: headers ?? {}, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: bytes.toString(), bytes });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** A recorder that records nothing: it keeps the requests and reports what the test tells it to. */
export interface TestRecorder extends Recorder {
  readonly started: (readonly (readonly string[])[])[];
  tell(status: RecordingStatus): void;
  disposed: number;
}

export const STATUS: RecordingStatus = {
  recordingId: 'r1',
  captureId: 'c1',
  state: 'recording',
  elapsedMs: 10,
  samples: 1,
  lost: 0,
  bytes: 100,
  run: 0,
  runs: 1,
  messages: [],
  error: null,
  hosts: [],
};

function createTestRecorder(): TestRecorder {
  const listeners: ((status: RecordingStatus) => void)[] = [];
  const recorder: TestRecorder = {
    started: [],
    disposed: 0,
    tell: (status) => {
      for (const listener of listeners) listener(status);
    },
    plan: ({ name, options }) => {
      const commands = [['perf', 'record', '-F', String(options.collector === 'perf' ? options.rateHz : 0)]];
      const start = (): Promise<RecordingStatus> => {
        recorder.started.push(commands);
        return Promise.resolve(STATUS);
      };
      const hosts = [
        { targetId: 'local', commands, requests: [], lines: commands.map((argv) => argv.join(' ')), checks: [] },
      ];
      return Promise.resolve({ hosts, start: name === 'impossible' ? null : start });
    },
    planRestart: () => Promise.reject(new Error('not in this test')),
    growing: () => {
      throw new Error('no recording runs');
    },
    list: () => [],
    stop: () => Promise.resolve({ ...STATUS, state: 'finished' }),
    cancel: () => Promise.resolve({ ...STATUS, state: 'cancelled' }),
    onStatus: (listener) => listeners.push(listener),
    dispose: () => {
      recorder.disposed++;
      return Promise.resolve();
    },
  };
  return recorder;
}
