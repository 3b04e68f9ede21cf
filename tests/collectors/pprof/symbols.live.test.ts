import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { PprofOptions } from '#core/contract/pprof.ts';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import type { SymbolSource } from '#core/symbols/symbols.ts';
import type { RecordingOutcome } from '#collectors/collector.ts';
import { pprofCollector } from '#collectors/pprof/collector.ts';
import { PPROF_RAW_FILE } from '#collectors/pprof/plan.ts';
import { NAMED_FILE } from '#collectors/pprof/read-back.ts';
import { createDebuginfod } from '#collectors/symbols/debuginfod.ts';
import { createTargetSymbols } from '#collectors/symbols/target-symbols.ts';
import { withElfFile } from '#collectors/target/elf-file.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import type { Target } from '#collectors/target/target.ts';
import { missingComponents } from '../../../scripts/components.mjs';
import { profileGoProgram } from '../../support/go-pprof.ts';
import { MemorySink } from '../../support/memory-sink.ts';
import { needing, type Need } from '../../support/needing.ts';
import { clock } from '../../support/perf-recording.ts';
import { rawSamples } from '../../support/pprof-raw.ts';
import { sshHosts } from '../../support/sshd.ts';
import { buildInlinedProgram, type InlinedProgram } from '../../support/inlined-program.ts';
import { withoutNames } from '../../support/strip-pprof.ts';
import { ownHosts } from '../target/ssh-hosts.ts';

const GPERFTOOLS: Need = {
  name: 'gperftools',
  present: () => missingComponents(['gperftools', 'compiler']).length === 0,
};
const COMPILER: Need = { name: 'compiler', present: () => missingComponents(['compiler']).length === 0 };
const GO: Need = { name: 'go', present: () => spawnSync('go', ['version']).status === 0 };

const folder = mkdtempSync(join(tmpdir(), 'flamebench-named-'));
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});
afterAll(() => rmSync(folder, { recursive: true }));

async function record(target: Target, options: PprofOptions): Promise<{ outcome: RecordingOutcome; sink: MemorySink }> {
  const { plan, checks } = await pprofCollector.preflight(target, options);
  if (plan === null) throw new Error(JSON.stringify(checks));
  const sink = new MemorySink();
  return { outcome: await pprofCollector.start(target, plan, sink, clock).outcome, sink };
}

const read = (sink: MemorySink, file: string): Promise<Profile> =>
  importProfile({ fileName: file, size: null, chunks: () => sink.read(file) });

/** Starts a service whose heap profile is `body`. */
async function serve(body: Uint8Array): Promise<PprofOptions> {
  const server: Server = createServer((_, response) => response.end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/debug/pprof/heap`;
  return { collector: 'pprof', scope: { kind: 'url', url }, kinds: ['heap'], seconds: 1 };
}

needing(GPERFTOOLS, () => {
  describe('a program that profiles itself with gperftools', () => {
    const path = join(folder, 'gperftools-server');
    const local = createLocalTarget();
    beforeAll(() => {
      const source = fileURLToPath(new URL('../../fixtures/gperftools-server/main.c', import.meta.url));
      const libraries = ['-Wl,--no-as-needed', '-lprofiler', '-lpthread', '-ldl'];
      execFileSync('gcc', ['-O1', '-fno-omit-frame-pointer', '-rdynamic', '-o', path, source, ...libraries]);
    });
    afterAll(() => local.dispose());

    async function serve(...argv: string[]): Promise<{ readonly port: number }> {
      const child = spawn(path, argv, { stdio: ['ignore', 'pipe', 'ignore'] });
      ends.push(() => void child.kill('SIGKILL'));
      return { port: Number(await firstLine(child)) };
    }
    const asked = (port: number): PprofOptions => ({
      collector: 'pprof',
      scope: { kind: 'url', url: `http://127.0.0.1:${port}/` },
      kinds: ['gperftools'],
      seconds: 1,
    });

    test('provides the names of its addresses, which are kept', async () => {
      const { port } = await serve();
      const { plan } = await pprofCollector.preflight(local, asked(port));
      expect(plan?.steps).toMatchObject([
        { method: 'GET', url: `http://127.0.0.1:${port}/pprof/profile?seconds=1` },
        { method: 'POST', url: `http://127.0.0.1:${port}/pprof/symbol` },
      ]);
      const { outcome, sink } = await record(local, asked(port));
      expect(outcome).toMatchObject({
        state: 'finished',
        error: null,
        primaryFile: NAMED_FILE,
        otherFiles: [PPROF_RAW_FILE],
        diagnostics: [],
      });
      const { strings } = await read(sink, NAMED_FILE);
      expect([...strings]).toEqual(expect.arrayContaining(['gp_leaf', 'gp_busy', 'gp_other']));
      expect([...(await read(sink, PPROF_RAW_FILE)).strings]).not.toContain('gp_leaf');
    });

    test('uses this machine’s binaries if the service has no names, and reports it', async () => {
      const { port } = await serve('without-symbols');
      const { outcome, sink } = await record(local, asked(port));
      expect(outcome).toMatchObject({ state: 'finished', error: null, primaryFile: NAMED_FILE });
      expect(outcome.diagnostics).toMatchObject([
        { code: 'names-not-fetched', message: expect.stringContaining('/pprof/symbol answered 404') },
      ]);
      expect([...(await read(sink, NAMED_FILE)).strings]).toContain('gp_leaf');
    });

    needing(sshHosts, () => {
      const hosts = ownHosts();
      test('on another host, through the connection', async () => {
        const host = await hosts.host();
        const there = hosts.target(host);
        const program = join(await there.makeTempDir(), 'gperftools-server');
        await there.writeFile(program, readFileSync(path), 0o755);
        const server = await there.run([program]);
        let said = '';
        for await (const chunk of server.stdout) {
          said += new TextDecoder().decode(chunk);
          if (said.includes('\n')) break;
        }
        const { outcome, sink } = await record(there, asked(Number(said)));
        expect(outcome).toMatchObject({ state: 'finished', error: null, primaryFile: NAMED_FILE });
        expect([...(await read(sink, NAMED_FILE)).strings]).toContain('gp_busy');
        server.kill('SIGKILL');
        await server.exit;
      });
    });
  });
});

needing(COMPILER, () => {
  describe('C code with debug information', () => {
    // Go refuses to build in a folder with C files.
    const own = join(folder, 'c');
    let program: InlinedProgram;
    const linesOf = async (bytes: Uint8Array, symbols: SymbolSource): Promise<string> =>
      stackOf(await importProfile({ fileName: 'x', size: null, chunks: () => once(bytes) }, { symbols }));
    const stackOf = (profile: Profile): string =>
      rawSamples(profile)[0]!
        .split('\n')
        .slice(1)
        .map((line) => line.replace(/^\S+ /, '').replaceAll(`${own}/`, ''))
        .join(' < ');
    const LINES = 'leaf inlined.c:3 s=0 < outer inlined.c:6 s=0';
    beforeAll(() => {
      mkdirSync(own);
      program = buildInlinedProgram(own);
    });

    test('has lines and inlined calls when the recording ends', async () => {
      const target = createLocalTarget();
      const { outcome, sink } = await record(target, await serve(program.profileOf(program.buildId)));
      expect(outcome).toMatchObject({ state: 'finished', primaryFile: NAMED_FILE, diagnostics: [] });
      expect(stackOf(await read(sink, NAMED_FILE))).toBe(LINES);
      await target.dispose();
    });

    test('stripped, or missing here: has them from a configured server of debug information', async () => {
      const stripped = join(own, 'stripped');
      execFileSync('strip', ['-o', stripped, program.path]);
      const debug = `${stripped}.debug`;
      execFileSync('objcopy', ['--only-keep-debug', program.path, debug]);
      const files: Record<string, string> = { debuginfo: debug, executable: stripped };
      const server = createServer(({ url = '' }, response) => response.end(readFileSync(files[url.split('/')[3]!]!)));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      ends.push(() => server.close());
      const fetched: string[] = [];
      const debuginfod = createDebuginfod({
        environment: {
          DEBUGINFOD_URLS: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
          DEBUGINFOD_CACHE_PATH: join(own, 'debuginfod'),
        },
        signal: AbortSignal.timeout(60_000),
        onFetch: (url) => fetched.push(url.replace(/^.*\//, '')),
        onProblem: (problem) => fetched.push(problem),
      });
      const target = createLocalTarget();
      const symbols = createTargetSymbols(target, {
        debuginfod,
        signal: AbortSignal.timeout(60_000),
        onBinary: () => undefined,
      });
      expect(await linesOf(program.profileOf(program.buildId, stripped), symbols)).toBe(LINES);
      expect(fetched).toEqual(['debuginfo']);
      expect(await linesOf(program.profileOf(program.buildId, '/srv/gone'), symbols)).toBe(LINES);
      expect(fetched).toEqual(['debuginfo', 'executable']);
      await target.dispose();
    });

    test('does not use another build at the same path, and reports it', async () => {
      const target = createLocalTarget();
      const { outcome, sink } = await record(target, await serve(program.profileOf('ff'.repeat(20))));
      expect(outcome).toMatchObject({
        state: 'finished',
        primaryFile: PPROF_RAW_FILE,
        diagnostics: [
          {
            code: 'unnamed-code',
            message: expect.stringMatching(/inlined.*: .*\/inlined on .* is another build now/),
          },
        ],
      });
      expect([...(await read(sink, PPROF_RAW_FILE)).strings]).not.toContain('outer');
      await target.dispose();
    });

    needing(sshHosts, () => {
      const hosts = ownHosts();
      test('on another host, where addr2line runs', async () => {
        const host = await hosts.host();
        const there = hosts.target(host);
        const path = join(await there.makeTempDir(), 'moved');
        await there.writeFile(path, readFileSync(program.path), 0o755);
        const symbols = createTargetSymbols(there, {
          debuginfod: null,
          signal: AbortSignal.timeout(60_000),
          onBinary: () => undefined,
        });
        expect(await linesOf(program.profileOf(program.buildId, path), symbols)).toBe(LINES);
      });
    });
  });
});

needing(GO, () => {
  describe('a service that sends addresses of binaries with build ids', () => {
    let named: Uint8Array;
    beforeAll(() => {
      profileGoProgram(folder, { flags: ['-ldflags=-s -w'] });
      named = gunzipSync(readFileSync(join(folder, 'after.cpu.pb.gz')));
    });

    test('the target’s binary names them, also stripped: as Go itself does', async () => {
      const target = createLocalTarget();
      const { outcome, sink } = await record(target, await serve(withoutNames(named)));
      expect(outcome).toMatchObject({ state: 'finished', primaryFile: NAMED_FILE, diagnostics: [] });
      const expected = await importProfile({ fileName: 'x', size: null, chunks: () => once(named) });
      expect(rawSamples(await read(sink, NAMED_FILE))).toEqual(rawSamples(expected));
      await target.dispose();
    });

    test('reports a binary that is missing on the target, and keeps the addresses', async () => {
      const target = createLocalTarget();
      const foreign = Buffer.from(withoutNames(named));
      const path = join(folder, 'fresh');
      // Of the same length, so that nothing else of the message changes.
      foreign.write(`${path.slice(0, -5)}other`, foreign.indexOf(path));
      const { outcome } = await record(target, await serve(foreign));
      expect(outcome).toMatchObject({
        state: 'finished',
        primaryFile: PPROF_RAW_FILE,
        diagnostics: [{ code: 'unnamed-code', message: expect.stringMatching(/other: .* can’t be read on /) }],
      });
      await target.dispose();
    });

    needing(sshHosts, () => {
      const hosts = ownHosts();
      test('on another host its binary is read through the connection', async () => {
        const host = await hosts.host();
        const there = hosts.target(host);
        const temp = await there.makeTempDir();
        const path = join(temp, 'server');
        await there.writeFile(path, readFileSync(join(folder, 'fresh')), 0o755);
        const request = {
          module: path,
          path,
          kind: 'file',
          buildId: buildIdOf(join(folder, 'fresh')),
          file: null,
          reference: null,
          hostName: null,
          kernel: null,
        } as const;
        const problems: (string | null)[] = [];
        const symbols = createTargetSymbols(there, {
          debuginfod: null,
          signal: AbortSignal.timeout(60_000),
          onBinary: ({ problem }) => problems.push(problem),
        });
        const table = await symbols(request);
        const expected = await importProfile({ fileName: 'x', size: null, chunks: () => once(named) });
        const names = new Set(expected.strings);
        const offset =
          expected.frames.address!.find((address) => address > 0x401000n && address < 0x800000n)! - 0x400000n;
        expect(names).toContain(table?.nameAt(offset));
        expect(await symbols({ ...request, buildId: 'ff'.repeat(20) })).toBeNull();
        expect(problems).toEqual([null, expect.stringContaining('is another build now')]);
      });
    });
  });
});

const buildIdOf = (path: string): string => withElfFile(path, ({ elf }) => elf.buildId)!;

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function firstLine(child: ChildProcess): Promise<string> {
  let said = '';
  for await (const chunk of child.stdout!.setEncoding('utf8')) {
    said += String(chunk);
    if (said.includes('\n')) break;
  }
  return said.trim();
}
