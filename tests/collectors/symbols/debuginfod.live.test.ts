import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ElfFile } from '#core/symbols/elf.ts';
import { createDebuginfod } from '#collectors/symbols/debuginfod.ts';
import { createTargetSymbols } from '#collectors/symbols/target-symbols.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { FETCH_LIMITS } from '#collectors/fetch/http-fetch.ts';
import { createRandom, mutate } from '../../../scripts/fuzz-mutants.ts';

const BINARY = Uint8Array.from(
  readFileSync(join(import.meta.dirname, '../../../node_modules/node-pty/build/Release/pty.node')),
);
const BUILD_ID = 'c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00';
const LIMITS = { ...FETCH_LIMITS, headMs: 1000, idleMs: 500, bodyMs: 2000, bodyBytes: 1 << 20 };

/** Asks a server of debug information that answers as `answer` does. */
async function ask(answer: RequestListener) {
  const cache = mkdtempSync(join(tmpdir(), 'flamebench-debuginfod-'));
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    rmSync(cache, { recursive: true });
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const problems: string[] = [];
  const client = createDebuginfod({
    environment: { DEBUGINFOD_URLS: origin, DEBUGINFOD_CACHE_PATH: cache },
    signal: AbortSignal.timeout(60_000),
    onFetch: () => {},
    onProblem: (problem) => problems.push(problem),
    limits: LIMITS,
  })!;
  const files = (): string[] =>
    readdirSync(cache, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? entry.name : []));
  return { client, problems, files };
}

describe('an answer of a hostile debuginfod server', () => {
  const endless: RequestListener = (_, response) => {
    response.on('error', () => {});
    const send = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x')));
    };
    response.on('drain', send);
    send();
  };
  const bomb = gzipSync(Buffer.alloc(64 << 20));
  test.each<[string, RequestListener]>([
    ['that never ends', endless],
    [
      'of which a byte comes at a time',
      (_, response) => {
        const timer = setInterval(() => response.write('x'), 100);
        response.on('close', () => clearInterval(timer));
      },
    ],
    ['whose head never comes', () => {}],
    [
      'that names a length and sends less',
      (_, response) => void response.writeHead(200, { 'content-length': 5000 }).write('x'),
    ],
    [
      'that leads to another server',
      (_, response) => void response.writeHead(302, { location: 'http://127.0.0.2:1/' }).end(),
    ],
    ['that leads to a file', (_, response) => void response.writeHead(302, { location: 'file:///etc/passwd' }).end()],
    ['that leads to itself', ({ url }, response) => void response.writeHead(302, { location: url }).end()],
    ['that breaks off', (_, response) => void response.write('x', () => response.destroy())],
  ])('%s is given up with a reason, and leaves no file', async (_, answer) => {
    const { client, problems, files } = await ask(answer);
    const started = performance.now();
    expect(await client.find(BUILD_ID, 'debuginfo')).toBeNull();
    expect(performance.now() - started).toBeLessThan(8000);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^no debuginfo of build id c0ffee[0-9a-f]*: \S/);
    expect(problems[0]).not.toMatch(/\n/);
    expect(files()).toEqual([]);
  });

  test('that is packed is kept as it came, and not unpacked beyond the limit', async () => {
    const { client, files } = await ask(
      (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    const path = await client.find(BUILD_ID, 'debuginfo');
    const kept = path === null ? 0 : readFileSync(path).length;
    expect(kept).toBeLessThanOrEqual(LIMITS.bodyBytes);
    expect(files().length).toBeLessThanOrEqual(1);
  });

  test('that is a damaged binary of the build gives names or none', { timeout: 60_000 }, async () => {
    const random = createRandom(5);
    const { buildId } = new ElfFile((start, length) => BINARY.subarray(start, start + length));
    const target = createLocalTarget();
    onTestFinished(() => target.dispose());
    const problems: (string | null)[] = [];
    const file = { kind: 'file', path: '/gone/pty.node', file: null, hostName: null, kernel: null } as const;
    for (let count = 0; count < 40; count++) {
      const { client } = await ask((_, response) => void response.end(mutate(BINARY, random)));
      const symbols = createTargetSymbols(target, {
        debuginfod: client,
        signal: AbortSignal.timeout(50_000),
        onBinary: ({ problem }) => problems.push(problem),
      });
      const addresses = [0x5000n, 0x5100n];
      const table = await symbols({ ...file, reference: null, module: '', buildId, addresses });
      for (const address of addresses) table?.nameAt(address);
    }
    expect(problems).toHaveLength(40);
    expect(problems).toContain(null);
  });
});
