import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { PprofOptions } from '#core/contract/pprof.ts';
import { startPprof } from '#collectors/pprof/driver.ts';
import { FETCH_LIMITS, type FetchLimits } from '#collectors/fetch/http-fetch.ts';
import { planPprof } from '#collectors/pprof/plan.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { MemorySink } from '../../support/memory-sink.ts';
import { clock } from '../../support/perf-recording.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const PROFILE = 'goroutine profile: total 1\n1 @ 0x1\n#\t0x1\tmain.main+0x1\t/a.go:1\n';

/** Header, one stack of one address with its count, trailer, memory map. */
const GPERFTOOLS_PROFILE = Buffer.concat([
  Buffer.from(BigUint64Array.of(0n, 3n, 0n, 10_000n, 0n, 5n, 1n, 0x401136n, 0n, 1n, 0n).buffer),
  Buffer.from('00400000-00500000 r-xp 00000000 08:01 7 /srv/gone\n'),
]);

function start(url: string, stopMs: number, more: Partial<PprofOptions> = {}) {
  const options: PprofOptions = {
    collector: 'pprof',
    scope: { kind: 'url', url },
    kinds: ['heap'],
    seconds: 1,
    ...more,
  };
  const [plan] = planPprof(options, url);
  const limits: FetchLimits = { ...FETCH_LIMITS, stopMs };
  const recording = startPprof(createLocalTarget(), plan!, new MemorySink(), clock, limits);
  const arrived = (bytes: number): Promise<void> =>
    new Promise((resolve) => {
      recording.onProgress((progress) => {
        if (progress.bytes >= bytes) resolve();
      });
    });
  return { recording, arrived };
}

describe('a stop', () => {
  test.each([['heap'], ['cpu']])('ends an endless %s body soon and says that a part is not a profile', async (kind) => {
    const url = await serve((_request, response) => {
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    });
    const { recording, arrived } = start(url, 100, { kinds: [kind] });
    await arrived(2);
    await recording.stop();
    expect(await recording.outcome).toMatchObject({
      state: 'failed',
      error: {
        code: 'stopped-midway',
        message: expect.stringMatching(/had sent the whole profile: the \d+ B that arrived/),
      },
    });
  });

  test('ends a request that is not answered', async () => {
    const asked = Promise.withResolvers<void>();
    const { recording } = start(await serve(() => asked.resolve()), 100);
    await asked.promise;
    await recording.stop();
    expect((await recording.outcome).error?.message).toContain('nothing has arrived');
  });

  test('keeps a profile whose rest arrives soon', async () => {
    const rest = Promise.withResolvers<void>();
    const url = await serve((_request, response) => {
      response.write(PROFILE.slice(0, 20));
      void rest.promise.then(() => response.end(PROFILE.slice(20)));
    });
    const { recording, arrived } = start(url, 60_000);
    await arrived(20);
    const stopped = recording.stop();
    rest.resolve();
    await stopped;
    expect(await recording.outcome).toMatchObject({ state: 'finished', samples: 1, error: null });
  });

  test('keeps a profile whose names do not arrive, with a warning', async () => {
    const asked = Promise.withResolvers<void>();
    const url = await serve(({ method }, response) => {
      if (method === 'POST') asked.resolve();
      else response.end(GPERFTOOLS_PROFILE);
    });
    const { recording } = start(url, 100, { kinds: ['gperftools'] });
    await asked.promise;
    await recording.stop();
    expect(await recording.outcome).toMatchObject({
      state: 'finished',
      samples: 5,
      primaryFile: 'raw.pprof',
      diagnostics: [{ code: 'unnamed-code' }, { code: 'names-stopped' }],
    });
  });

  test('keeps a profile whose states of goroutines have not arrived, with a warning', async () => {
    const asked = Promise.withResolvers<void>();
    const url = await serve(({ url: path }, response) => {
      if (path!.includes('debug=2')) asked.resolve();
      else response.end(PROFILE);
    });
    const more = { kinds: ['goroutine'], goroutineStates: true };
    const { recording } = start(url, 100, more);
    await asked.promise;
    await recording.stop();
    expect(await recording.outcome).toMatchObject({
      state: 'finished',
      samples: 1,
      otherFiles: [],
      diagnostics: [{ code: 'states-incomplete' }],
    });
  });
});
