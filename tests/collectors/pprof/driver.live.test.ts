import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { PprofOptions } from '#core/contract/pprof.ts';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import type { Recording, RecordingOutcome } from '#collectors/collector.ts';
import { pprofCollector } from '#collectors/pprof/collector.ts';
import { PPROF_RAW_FILE, STATES_FILE } from '#collectors/pprof/plan.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import type { Target } from '#collectors/target/target.ts';
import { MemorySink } from '../../support/memory-sink.ts';
import { needing, type Need } from '../../support/needing.ts';
import { clock } from '../../support/perf-recording.ts';
import { foldedLinesOf } from '../../support/perf-script-text.ts';
import { buildPprofServer, fgprof, startPprofServer, type PprofServer } from '../../support/pprof-server.ts';
import { sshHosts } from '../../support/sshd.ts';
import { ownHosts } from '../target/ssh-hosts.ts';

const GO: Need = { name: 'go', present: () => spawnSync('go', ['version']).status === 0 };

const asked = (url: string, more: Partial<PprofOptions> = {}): PprofOptions => ({
  collector: 'pprof',
  scope: { kind: 'url', url },
  kinds: ['heap'],
  seconds: 1,
  ...more,
});

async function begin(
  target: Target,
  options: PprofOptions,
): Promise<{ recordings: (() => Recording)[]; sink: MemorySink }> {
  const { plan, also = [], checks } = await pprofCollector.preflight(target, options);
  if (plan === null) throw new Error(JSON.stringify(checks));
  const sink = new MemorySink();
  return { recordings: [plan, ...also].map((one) => () => pprofCollector.start(target, one, sink, clock)), sink };
}

async function record(target: Target, options: PprofOptions): Promise<{ outcome: RecordingOutcome; sink: MemorySink }> {
  const { recordings, sink } = await begin(target, options);
  return { outcome: await recordings[0]!().outcome, sink };
}

const read = (sink: MemorySink): Promise<Profile> =>
  importProfile({ fileName: PPROF_RAW_FILE, size: null, chunks: () => sink.read(PPROF_RAW_FILE) });

/** Returns the weight of all stacks that contain the function. */
async function weightOf(sink: MemorySink, name: string): Promise<number> {
  const lines = foldedLinesOf(await read(sink)).map((line) => /^(.*) (\d+)$/.exec(line)!);
  const own = lines.filter(([, stack]) => stack!.split(';').includes(name));
  return own.reduce((sum, [, , weight]) => sum + Number(weight), 0);
}

const functionsOf = async (sink: MemorySink): Promise<readonly string[]> => {
  const profile = await read(sink);
  return profile.functions.name.length === 0 ? [] : [...profile.functions.name].map((name) => profile.strings[name]!);
};

needing(GO, () => {
  const target = createLocalTarget();
  const started: PprofServer[] = [];
  let built: { readonly path: string; remove(): void };
  beforeAll(() => {
    built = buildPprofServer();
  }, 300_000);
  afterEach(() => {
    for (const server of started.splice(0)) server.end();
  });
  afterAll(async () => {
    built.remove();
    await target.dispose();
  });
  async function serve(...flags: string[]): Promise<PprofServer> {
    const server = await startPprofServer(built.path, ...flags);
    started.push(server);
    return server;
  }

  describe('a Go service on this machine', () => {
    test('makes each kind a capture that is read as it will be opened', async () => {
      const { address } = await serve();
      const { recordings } = await begin(target, asked(`http://${address}/`, { kinds: ['cpu', 'heap', 'goroutine'] }));
      expect(recordings).toHaveLength(3);
      for (const [kind, main] of [
        ['cpu', 'main.burnAndAllocate'],
        ['heap', 'main.burnAndAllocate'],
        ['block', 'main.contend.func1'],
      ] as const) {
        const { outcome, sink } = await record(target, asked(`http://${address}`, { kinds: [kind] }));
        expect(outcome).toMatchObject({ state: 'finished', event: kind, error: null });
        expect(outcome.samples).toBeGreaterThan(0);
        // A heap profile does not cover the time that its request took.
        expect(outcome.durationMs === null).toBe(kind !== 'cpu');
        expect(await functionsOf(sink)).toContain(main);
      }
    });

    test('records goroutines with their states on request', async () => {
      const { address } = await serve();
      const options = asked(`http://${address}/debug/pprof/`, { kinds: ['goroutine'], goroutineStates: true });
      const { outcome, sink } = await record(target, options);
      expect(outcome).toMatchObject({ state: 'finished', otherFiles: [STATES_FILE] });
      expect(sink.text(STATES_FILE)).toMatch(/^goroutine \d+ \[running\]:$/m);
    });

    test('records a difference as the growth within a second', async () => {
      const { address } = await serve();
      const { outcome } = await record(target, asked(`http://${address}`, { kinds: ['block'], delta: true }));
      expect(outcome).toMatchObject({ state: 'finished', error: null });
      expect(outcome.durationMs).toBeGreaterThanOrEqual(900);
    });

    test('sends a path prefix, basic auth and a header, and stores none of them', async () => {
      const { address } = await serve('-prefix', '/ops', '-user', 'me:s3cret', '-header', 'X-Key: k3y');
      const headers = [
        { name: 'Authorization', value: `Basic ${Buffer.from('me:s3cret').toString('base64')}` },
        { name: 'X-Key', value: 'k3y' },
      ];
      const options = asked(`http://${address}/ops/`, { headers });
      const { plan } = await pprofCollector.preflight(target, options);
      expect(plan?.steps).toEqual([
        {
          kind: 'request',
          method: 'GET',
          url: `http://${address}/ops/debug/pprof/heap`,
          headers: ['Authorization', 'X-Key'],
        },
      ]);
      expect((await record(target, options)).outcome).toMatchObject({ state: 'finished' });
      expect((await record(target, asked(`http://${address}/ops/`))).outcome.error).toMatchObject({
        code: 'refused',
        message: expect.stringContaining('answered 401'),
      });
    });

    test('finds a process by its port, and refuses one without a port or a replaced one', async () => {
      const { address, pid } = await serve();
      const found = await pprofCollector.preflight(
        target,
        asked('', { scope: { kind: 'pid', pid, startTicks: null } }),
      );
      expect(found.checks).toMatchObject([{ status: 'ok', found: expect.stringContaining(address) }]);
      expect(found.plan?.steps).toMatchObject([{ url: `http://${address}/debug/pprof/heap` }]);
      const reused = await pprofCollector.preflight(
        target,
        asked('', { scope: { kind: 'pid', pid, startTicks: '1' } }),
      );
      expect(reused).toMatchObject({
        plan: null,
        checks: [{ found: expect.stringContaining('is no longer the selected process') }],
      });
      const idle = await target.run(['sleep', '60']);
      const none = await pprofCollector.preflight(
        target,
        asked('', { scope: { kind: 'pid', pid: idle.pid, startTicks: null } }),
      );
      expect(none).toMatchObject({
        plan: null,
        checks: [{ found: expect.stringContaining('listens on no TCP port') }],
      });
      idle.kill('SIGKILL');
    });

    test('refuses one of two simultaneous CPU profiles with the reason', async () => {
      const { address } = await serve();
      const options = asked(`http://${address}`, { kinds: ['cpu'], seconds: 60 });
      const both = [await begin(target, options), await begin(target, options)].map(({ recordings }) =>
        recordings[0]!(),
      );
      const refused = await Promise.race(both.map(async (recording, at) => ({ at, ...(await recording.outcome) })));
      expect(refused.error).toMatchObject({ code: 'already-profiling' });
      const other = both[1 - refused.at]!;
      await Promise.all([other.cancel(), other.cancel()]);
      expect(await other.outcome).toMatchObject({ state: 'cancelled', error: null });
    });

    test('reports that there is nothing to keep if stopped while the server samples', async () => {
      const { address } = await serve();
      const recording = (await begin(target, asked(`http://${address}`, { kinds: ['cpu'], seconds: 30 })))
        .recordings[0]!();
      await new Promise<void>((resolve) => {
        recording.onProgress(({ state }) => {
          if (state === 'recording') resolve();
        });
      });
      await recording.stop();
      expect(await recording.outcome).toMatchObject({
        state: 'failed',
        error: { code: 'stopped-early', message: expect.stringMatching(/of 30 s/) },
      });
    });

    test('reports an unknown TLS authority, a missing client certificate, and http in place of https', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'flamebench-tls-'));
      const at = (name: string): string => join(folder, name);
      const openssl = (...argv: string[]): void => void execFileSync('openssl', argv, { stdio: 'pipe' });
      const pem = (name: string): string => readFileSync(at(name), 'utf8');
      try {
        for (const name of ['server', 'client']) {
          const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1'];
          const files = ['-keyout', at(`${name}.key`), '-out', at(`${name}.pem`)];
          openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files);
        }
        const flags = ['-cert', at('server.pem'), '-key', at('server.key')];
        const { address } = await serve(...flags, '-client-ca', at('client.pem'));
        const errorOf = async (tls: PprofOptions['tls']): Promise<RecordingOutcome['error']> =>
          (await record(target, asked(`https://${address}/`, tls === undefined ? {} : { tls }))).outcome.error;
        expect(await errorOf(undefined)).toMatchObject({ code: 'tls', remedy: expect.stringContaining('--ca') });
        const ca = pem('server.pem');
        expect(await errorOf({ ca })).toMatchObject({
          code: 'tls',
          message: expect.stringContaining('TLS failed'),
          remedy: 'give a client certificate with --cert and --key',
        });
        expect(await errorOf({ ca, certificate: pem('client.pem'), key: pem('client.key') })).toBeNull();
        const plain = (await record(target, asked(`http://${address}/`))).outcome.error;
        expect(plain).toMatchObject({ code: 'tls', remedy: expect.stringContaining('https://') });
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  });

  needing(fgprof, () => {
    test('fgprof: records running and waiting goroutines, and reports a service without fgprof', async () => {
      const { path, remove } = buildPprofServer(['fgprof']);
      const server = await startPprofServer(path);
      started.push(server);
      try {
        const options = asked(`http://${server.address}`, { kinds: ['fgprof'] });
        const { outcome, sink } = await record(target, options);
        expect(outcome).toMatchObject({ state: 'finished', event: 'fgprof', error: null });
        expect(outcome.durationMs).toBeGreaterThanOrEqual(900);
        expect(await functionsOf(sink)).toEqual(expect.arrayContaining(['main.burnAndAllocate', 'main.waitForEver']));
        // Each tick counts both goroutines, whether they run or wait.
        const [running, waiting] = [await weightOf(sink, 'main.burn'), await weightOf(sink, 'main.waitForEver')];
        expect(running).toBeGreaterThan(0);
        expect(waiting / running).toBeGreaterThan(0.5);
        expect(waiting / running).toBeLessThan(2);
        const bare = await record(target, asked(`http://${(await serve()).address}`, { kinds: ['fgprof'] }));
        expect(bare.outcome.error).toMatchObject({ code: 'no-pprof', remedy: expect.stringContaining('fgprof') });
      } finally {
        remove();
      }
    }, 120_000);
  });

  needing(sshHosts, () => {
    const hosts = ownHosts();
    test('reaches a host’s loopback port through the ssh connection', async () => {
      const host = await hosts.host();
      const there = hosts.target(host);
      const program = join(await there.makeTempDir(), 'pprof-server');
      await there.writeFile(program, readFileSync(built.path), 0o755);
      const server = await there.run([program, '-address', '127.0.0.1:6061']);
      let said = '';
      for await (const chunk of server.stdout) {
        said += new TextDecoder().decode(chunk);
        if (said.includes('\n')) break;
      }
      const { outcome, sink } = await record(there, asked('http://localhost:6061/', { kinds: ['cpu'] }));
      expect(outcome).toMatchObject({ state: 'finished', error: null });
      expect(await functionsOf(sink)).toContain('main.burnAndAllocate');
      const pid = Number(said.trim().split(' ')[1]);
      const found = await pprofCollector.preflight(there, asked('', { scope: { kind: 'pid', pid, startTicks: null } }));
      expect(found.plan?.steps).toMatchObject([{ url: 'http://127.0.0.1:6061/debug/pprof/heap' }]);
      const nothing = await record(there, asked('http://127.0.0.1:6099/'));
      expect(nothing.outcome).toMatchObject({ state: 'failed', error: { code: 'connection-lost' } });
      server.kill('SIGKILL');
      await server.exit;
    });
  });
});
