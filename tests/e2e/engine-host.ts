import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { EngineOptions } from '#app/engine/server.ts';
import { root, toolEnvironment } from '../../scripts/run-command.ts';

export interface HostRequest {
  /** Number of the engine, chosen by the parent. */
  readonly id: number;
  /** Null closes the engine. */
  readonly start: EngineOptions | null;
}

export interface HostAnswer {
  readonly id: number;
  readonly url: string | null;
  readonly failure: string | null;
}

/** An engine with its own library and settings. */
export interface HostedEngine {
  /** The link of its first window, which works once. */
  readonly url: string;
  /** Idempotent. */
  close(): Promise<void>;
}

export interface EngineHost {
  start(options: EngineOptions): Promise<HostedEngine>;
  close(): Promise<void>;
}

/**
 * Starts a process for the engines of one worker's tests. Engines share nothing but their code, which takes a process
 * of its own much longer to load and compile than to start an engine.
 */
export async function startEngineHost(): Promise<EngineHost> {
  const child = spawn('node', [path.join(import.meta.dirname, 'engine-host-process.ts')], {
    cwd: root,
    env: toolEnvironment(),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const waiting = new Map<number, (answer: HostAnswer) => void>();
  child.on('message', (answer: HostAnswer) => waiting.get(answer.id)?.(answer));
  child.once('exit', (code, signal) => {
    const failure = `the process of the engines ended with ${code ?? signal}`;
    for (const [id, answer] of waiting) answer({ id, url: null, failure });
  });
  await once(child, 'spawn');

  const ask = async (request: HostRequest): Promise<string | null> => {
    const answer = await new Promise<HostAnswer>((resolve, reject) => {
      waiting.set(request.id, resolve);
      child.send(request, (error) => {
        if (error !== null) reject(error);
      });
    });
    waiting.delete(request.id);
    if (answer.failure !== null) throw new Error(answer.failure);
    return answer.url;
  };

  let started = 0;
  return {
    start: async (options) => {
      const id = ++started;
      const url = await ask({ id, start: options });
      if (url === null) throw new Error('the engine has no link');
      let closed: Promise<unknown> | null = null;
      return { url, close: async () => void (await (closed ??= ask({ id, start: null }))) };
    },
    close: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
