import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openGivenBinaries } from '#app/engine/symbols/given-binaries.ts';
import { createLocalSymbols } from '#app/engine/symbols/local-symbols.ts';
import { createDebuginfod } from '#collectors/symbols/debuginfod.ts';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import type { SymbolSource } from '#core/symbols/symbols.ts';
import { byteSource } from '../../../support/byte-source.ts';
import { goPprof, profileGoProgram } from '../../../support/go-pprof.ts';
import { needing } from '../../../support/needing.ts';
import { rawSamples } from '../../../support/pprof-raw.ts';
import { buildInlinedProgram, type InlinedProgram } from '../../../support/inlined-program.ts';
import { withoutNames } from '../../../support/strip-pprof.ts';

const folder = mkdtempSync(join(tmpdir(), 'flamebench-pprof-symbols-'));
afterAll(() => rmSync(folder, { recursive: true }));

const read = (bytes: Uint8Array, symbols?: SymbolSource): Promise<Profile> =>
  importProfile(byteSource(bytes, 'cpu.pprof'), { symbols });

const local = (more: Partial<Parameters<typeof createLocalSymbols>[0]> = {}): SymbolSource =>
  createLocalSymbols({ recordedBefore: Date.now(), ...more });

needing(goPprof, () => {
  describe('a CPU profile of a Go program without its names', () => {
    test.each([
      ['as it is built', []],
      ['-trimpath', ['-trimpath']],
      ['stripped', ['-trimpath', '-ldflags=-s -w']],
      ['position-independent', ['-buildmode=pie']],
      ['position-independent and stripped', ['-buildmode=pie', '-ldflags=-s -w']],
      ['with C code', ['-ldflags=-linkmode=external -extldflags=-Wl,--build-id']],
    ] as const)('%s: names, files, lines and inlined calls are those that Go wrote', async (name, flags) => {
      const own = join(folder, name.replaceAll(' ', '-'));
      mkdirSync(own, { recursive: true });
      profileGoProgram(own, { flags, cgo: name === 'with C code' });
      const profile = gunzipSync(readFileSync(join(own, 'after.cpu.pb.gz')));
      const bare = withoutNames(profile);
      const expected = rawSamples(await read(profile));
      expect(rawSamples(await read(bare))).not.toEqual(expected);
      const named = await read(bare, local());
      expect(rawSamples(named)).toEqual(expected);
      expect(named.frames.inline?.some((flag) => flag === 1)).toBe(true);
    });
  });
});

describe('a binary of C', () => {
  let path: string;
  let buildId: string;
  let profileOf: InlinedProgram['profileOf'];
  beforeAll(() => ({ path, buildId, profileOf } = buildInlinedProgram(folder)));
  const stackOf = (profile: Profile): string =>
    rawSamples(profile)[0]!
      .split('\n')
      .slice(1)
      .map((line) => line.replace(/^\S+ /, '').replaceAll(`${folder}/`, ''))
      .join(' < ');

  test('is found by its build id, whatever its path, and names addresses', async () => {
    expect(stackOf(await read(profileOf(buildId), local()))).toBe('outer :0 s=0');
    const moved = join(folder, 'binaries');
    mkdirSync(moved, { recursive: true });
    execFileSync('cp', [path, join(moved, 'gone')]);
    const environment = { PPROF_BINARY_PATH: `relative:${moved}` };
    expect(stackOf(await read(profileOf(buildId, '/srv/gone'), local({ environment })))).toBe('outer :0 s=0');
    const other = '0'.repeat(40);
    expect(stackOf(await read(profileOf(other), local()))).toMatch(/^0x\w+$/);
  });

  test('that the user gives adds lines and inlined calls; another build is not used and reported', async () => {
    const given = openGivenBinaries([path]);
    const symbols = local({ given });
    expect(stackOf(await read(profileOf(buildId), symbols))).toBe('leaf inlined.c:3 s=0 < outer inlined.c:6 s=0');
    expect(given.problems()).toEqual([]);
    await given.close();
    const wrong = openGivenBinaries([path]);
    await read(profileOf('12'.repeat(20)), local({ given: wrong }));
    expect(wrong.problems()).toEqual([
      expect.stringContaining(`is not used: the profile has build id ${'12'.repeat(20)}`),
    ]);
    await wrong.close();
    const trusted = openGivenBinaries([path]);
    expect(stackOf(await read(profileOf('', '/srv/inlined'), local({ given: trusted })))).toContain('leaf');
    expect(trusted.problems()).toEqual([expect.stringContaining('has no build id')]);
    await trusted.close();
    expect(() => openGivenBinaries(['/etc/hostname'])).toThrow('not a readable ELF file');
  });

  describe('servers of debug information', () => {
    const asked: string[] = [];
    let server: Server;
    let url: string;
    beforeAll(async () => {
      server = createServer(({ url: wanted = '' }, response) => {
        asked.push(wanted);
        if (wanted === `/buildid/${buildId}/executable`) response.end(readFileSync(path));
        else response.writeHead(404).end('not found');
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    afterAll(() => server.close());

    test('are queried only if configured, cache what they fetch, and report what none of them has', async () => {
      const environment = { DEBUGINFOD_URLS: `${url}/ file:///x`, DEBUGINFOD_CACHE_PATH: join(folder, 'debuginfod') };
      const said: string[] = [];
      const debuginfod = (env: NodeJS.ProcessEnv): ReturnType<typeof createDebuginfod> =>
        createDebuginfod({
          environment: env,
          signal: AbortSignal.timeout(60_000),
          onFetch: (what) => said.push(`GET ${what}`),
          onProblem: (what) => said.push(what),
        });
      expect(debuginfod({})).toBeNull();
      const gone = profileOf(buildId, '/srv/gone');
      expect(stackOf(await read(gone, local({ environment: {} })))).toMatch(/^0x/);
      expect(asked).toEqual([]);
      const symbols = local({ environment, debuginfod: debuginfod(environment) });
      expect(stackOf(await read(gone, symbols))).toBe('outer :0 s=0');
      expect(asked).toEqual([`/buildid/${buildId}/debuginfo`, `/buildid/${buildId}/executable`]);
      expect(said).toEqual([
        expect.stringContaining('1 of 2 entries are not used'),
        `GET ${url}/buildid/${buildId}/debuginfo`,
        expect.stringMatching(/no debuginfo of build id .* answered 404/),
        `GET ${url}/buildid/${buildId}/executable`,
      ]);
      expect(stackOf(await read(gone, local({ environment })))).toBe('outer :0 s=0');
      expect(asked).toHaveLength(2);
    });
  });
});
