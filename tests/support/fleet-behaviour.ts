import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callCli } from './call-cli.ts';
import { generateFleet } from './generated-fleet.ts';

/** An engine that keeps fleets. */
export interface FleetEngine {
  readonly name: string;
  /** Returns the path or address of a new fleet. */
  make(): Promise<string>;
}

interface Listed {
  readonly captures: {
    readonly name: string;
    readonly host: string | null;
    readonly labels: Record<string, string>;
    readonly samples: number;
    readonly release: string;
  }[];
}
interface Top {
  readonly total: number;
  readonly functions: { readonly name: string; readonly self: number; readonly total: number }[];
}

interface DiffJson {
  readonly method: string;
  readonly before: { readonly captures: { readonly name: string }[] };
  readonly functions: { readonly name: string; readonly verdict: { readonly self: string; readonly total: string } }[];
}

/** Ten hosts ran each of four releases three times; the third release made a function slower on eight of them. */
const RELEASES = ['1.0', '1.1', '1.2', '1.3'];
const SLOWED = 'checksum';

const HOSTILE = [
  `'; DROP TABLE captures; --`,
  '__proto__',
  'constructor',
  '"quoted" $1 \\',
  '\u202Egnp.exe',
  '<img src=x onerror=alert(1)>',
  'nul\u0000byte',
  'x'.repeat(1_000_000),
];

/** Declares what each engine does alike. */
export function behavesAsFleet(engine: FleetEngine): void {
  let folder: string;
  let file: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'flamebench-fleet-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const write = (name: string, text: string): string => {
    const written = path.join(folder, name);
    writeFileSync(written, text);
    return written;
  };
  const push = (...args: string[]) => callCli(['fleet', 'push', ...args, '--to', file]);
  const fleet = async (...args: string[]) => {
    const run = await callCli(['fleet', ...args, '--in', file]);
    expect(run.stderr).not.toContain('Internal error');
    return run;
  };
  const jsonOf = async (...args: string[]) => JSON.parse((await fleet(...args, '--json')).stdout) as never;

  describe(`pushes to ${engine.name}`, () => {
    beforeEach(async () => {
      file = await engine.make();
    });

    test('a capture is pushed once, whatever its path and the options', async () => {
      const one = write('one.folded', 'main;parse 3\nmain;parse;read 4\nmain 1\n');
      const first = await push(one, '--host', 'web-1', '--release', '1.0');
      expect(first).toMatchObject({ code: 0, stdout: `${file}: 1 capture added, 0 already there\n` });
      const copy = write('copy.folded', readFileSync(one, 'utf8'));
      const again = await push(one, copy, '--host', 'web-2', '--release', '1.1');
      expect(again.stdout).toBe(`${file}: 0 captures added, 2 already there\n`);
      expect(again.stderr).toContain('copy.folded: already there; nothing was added');
      const { captures }: Listed = await jsonOf('list', '--captures');
      expect(captures).toMatchObject([{ name: 'one.folded', host: 'web-1', release: '1.0', samples: 8 }]);
      const top: Top = await jsonOf('top');
      expect(top.total).toBe(8);
      expect(top.functions.map(({ name, self, total }) => [name, self, total])).toEqual([
        ['read', 4, 4],
        ['parse', 3, 7],
        ['main', 1, 8],
      ]);
    });

    test('what was read before a capture that is refused is pushed', async () => {
      const good = write('good.folded', 'main;a 3\n');
      const refused = await push(good, write('empty.folded', 'main 0\n'));
      expect(refused).toMatchObject({ stdout: '' });
      expect(refused.code).not.toBe(0);
      expect(refused.stderr).toContain('good.folded: added, 3 samples');
      expect(await jsonOf('top')).toMatchObject({ total: 3 });
    });

    test('sums of captures add up, and only selected ones count', async () => {
      await push(write('a.folded', 'main;a 3\n'), '--host', 'h1', '--label', 'env=prod', '--commit', 'c1');
      await push(write('b.folded', 'main;a 5\nmain;b 1\n'), '--host', 'h2', '--label', 'env=test', '--commit', 'c2');
      expect(await jsonOf('top')).toMatchObject({ total: 9 });
      expect(await jsonOf('top', '--label', 'env=prod')).toMatchObject({ total: 3 });
      expect(await jsonOf('top', '--host', 'h1', '--host', 'h2')).toMatchObject({ total: 9 });
      expect(await jsonOf('top', '--commit', 'c2')).toMatchObject({ total: 6 });
      expect(await jsonOf('list', '--captures', '--since', '2999-01-01')).toEqual({ captures: [] });
      expect(await jsonOf('list', '--captures', '--until', '2999-01-01')).toMatchObject({ captures: [{}, {}] });
    });

    test('hostile names are stored, found and compared as they are', { timeout: 180_000 }, async () => {
      for (const [place, text] of HOSTILE.entries()) {
        const own = text.replaceAll(';', ',');
        const profile = write(`${place}.folded`, `main;${own} ${place + 2}\nmain 1\n`);
        const fields = [
          '--service',
          text,
          '--release',
          text,
          '--commit',
          text,
          '--host',
          text,
          '--label',
          `${text}=${text}`,
        ];
        // A command line contains no NUL, but it is what the names of a profile may contain.
        const run = await push(profile, ...(text.includes('\0') ? ['--host', 'nul'] : fields), '--redact', 'none');
        expect(run.code, text.slice(0, 40)).toBe(0);
      }
      const { captures }: Listed = await jsonOf('list', '--captures');
      expect(captures).toHaveLength(HOSTILE.length);
      expect(captures.map(({ host }) => host).filter((host) => host !== 'nul')).toEqual(
        HOSTILE.filter((text) => !text.includes('\0')),
      );
      for (const [place, text] of HOSTILE.entries()) {
        const own = text.replaceAll(';', ',');
        const found: { functions: { name: string; total: number }[] } = await jsonOf('search', own.slice(0, 100_000));
        expect(found.functions).toMatchObject([{ name: own, total: place + 2 }]);
        if (text.includes('\0')) continue;
        const label = text.includes('=') ? [] : ['--label', `${text}=${text}`];
        const top: Top = await jsonOf('top', '--release', text, '--host', text, '--service', text, ...label);
        expect(top.total, text.slice(0, 40)).toBe(place + 3);
      }
      const table = await fleet('list', '--captures');
      expect(table.stdout).not.toContain('\u202E');
      expect(table.stdout).not.toContain('\0');
      expect(table.stdout.length).toBeLessThan(10_000);
    });

    test('names of users and hosts are replaced before anything is stored, and labels with secrets', async () => {
      const one = write('one.folded', 'main;/home/ada/build/app.so 3\nmain;poll_db-eu7 2\n');
      const run = await push(
        one,
        '--host',
        'db-eu7',
        '--label',
        'token=ghp_0123456789abcdefghij',
        '--label',
        'env=prod',
      );
      expect(run.stderr).toContain('home replaced by user-1');
      const left = `the first capture of ${file}; what redaction leaves:
  1 capture: one.folded
  1 host: db-eu7
  3 functions: /home/user-1/build/app.so, main, poll_host-1
one.folded: added`;
      expect(run.stderr.replaceAll(`${folder}/`, '').split('\n').slice(-6).join('\n')).toContain(left);
      expect((await push(write('two.folded', 'main 1\n'))).stderr).not.toContain('what redaction leaves');
      const { captures }: Listed = await jsonOf('list', '--captures');
      expect(captures[0]).toMatchObject({ host: 'db-eu7', labels: { token: '‹redacted›', env: 'prod' } });
      const { functions }: Top = await jsonOf('top');
      expect(functions.map(({ name }) => name).sort()).toEqual(['/home/user-1/build/app.so', 'main', 'poll_host-1']);
    });
  });

  describe(`comparisons in ${engine.name}`, () => {
    beforeAll(async () => {
      file = await engine.make();
      const planted = { func: SLOWED, release: '1.2', factor: 1.6, hosts: 8 };
      await generateFleet(file, { hosts: 10, releases: RELEASES, captures: 3, samples: 1500, planted });
    }, 180_000);

    test('diff finds the planted regression with hosts as replicates', async () => {
      const run = await fleet(
        'diff',
        '--before',
        'release=1.1',
        '--after',
        'release=1.2',
        '--json',
        '--normalize',
        'share',
      );
      const found = JSON.parse(run.stdout) as DiffJson;
      expect(run.stderr).toContain('30 captures merged to 10 replicates, one per host');
      expect(found.method).toContain('paired t');
      expect(found.before.captures).toHaveLength(10);
      expect(found.before.captures[0]!.name).toBe('web-1 (3 captures)');
      expect(found.functions.find(({ name }) => name === SLOWED)!.verdict.self).toBe('grew');
    });

    test('--fail-on decides the exit code', async () => {
      const sides = ['--before', 'release=1.1', '--after', 'release=1.2', '--normalize', 'share'];
      expect((await fleet('diff', ...sides, '--fail-on', `self(^${SLOWED}$) > +5%`)).code).toBe(1);
      const calm = ['--before', 'release=1.0', '--after', 'release=1.1', '--normalize', 'share'];
      expect((await fleet('diff', ...calm, '--fail-on', `self(^${SLOWED}$) > +50%`)).code).toBe(0);
    });

    test('history names the first release in which the function grew', async () => {
      const found: {
        firstGrew: string;
        releases: { release: string; hosts: number; self: number; verdict: string | null }[];
      } = await jsonOf('history', SLOWED, '--sort', 'self');
      expect(found.firstGrew).toBe('1.2');
      expect(found.releases.map(({ release, hosts }) => [release, hosts])).toEqual(RELEASES.map((one) => [one, 10]));
      expect(found.releases.map(({ verdict }) => verdict)).toEqual([null, 'noise', 'grew', 'shrank']);
      expect((await fleet('history', SLOWED, '--sort', 'self')).stdout).toContain('First grew in 1.2.');
    });

    test('--captures lists the hosts that carry the delta first', async () => {
      const found: { captures: { side: string; host: string; release: string }[] } = await jsonOf(
        'diff',
        '--before',
        'release=1.1',
        '--after',
        'release=1.2',
        '--captures',
        SLOWED,
      );
      expect(found.captures).toHaveLength(60);
      const slowed = new Set(Array.from({ length: 8 }, (_, host) => `web-${host + 1}`));
      for (const { side, host } of found.captures.slice(0, 12))
        expect([side, slowed.has(host)]).toEqual(['after', true]);
    });

    test('minutes of a host before and after a time are replicates, and so are those of several hosts', async () => {
      const times = ['--before', 'until=2026-01-03T00:00Z', '--after', 'since=2026-01-03T00:00Z'];
      const sides = [...times, '--until', '2026-01-04', '--normalize', 'share', '--replicates', 'minutes', '--json'];
      const one = await fleet('diff', ...sides, '--host', 'web-1');
      expect(one.stderr).toContain('before: 6 replicates, one per minute');
      const found = JSON.parse(one.stdout) as DiffJson;
      expect(found.before.captures.map(({ name }) => name)).toEqual(
        ['01', '02'].flatMap((day) => ['00:00', '00:01', '00:02'].map((time) => `2026-01-${day}T${time}Z`)),
      );
      expect(found.functions.find(({ name }) => name === SLOWED)!.verdict.self).toBe('grew');
      const all = await fleet('diff', ...sides);
      expect(all.stderr).toContain('before: 60 captures merged to 6 replicates, one per minute');
      const merged = JSON.parse(all.stdout) as DiffJson;
      expect(merged.before.captures[0]!.name).toBe('2026-01-01T00:00Z (10 captures)');
      expect(merged.functions.find(({ name }) => name === SLOWED)!.verdict.self).toBe('grew');
    });

    test('minutes of different hosts are refused', async () => {
      const sides = [
        '--before',
        'host=web-1',
        '--before',
        'host=web-2',
        '--after',
        'host=web-1',
        '--after',
        'host=web-3',
      ];
      const releases = ['--before', 'release=1.0', '--after', 'release=1.1'];
      const run = await fleet('diff', ...sides, ...releases, '--replicates', 'minutes');
      expect(run).toMatchObject({ code: 2, stdout: '' });
      expect(run.stderr).toContain("hosts that are on one side only (web-2, web-3) can't be compared by minute");
    });

    test('a delta leads to the capture that carries it, which is opened by its id', async () => {
      const found: { captures: { id: string; total: number; whole: number }[] } = await jsonOf(
        'diff',
        '--before',
        'release=1.1',
        '--after',
        'release=1.2',
        '--captures',
        SLOWED,
      );
      const { id, total, whole } = found.captures[0]!;
      const output = path.join(folder, 'carrier.flamebench');
      expect((await fleet('open', '--id', id, '-o', output)).stderr).toContain('1 capture merged');
      const opened = JSON.parse((await callCli(['top', output, '--json'])).stdout) as Top;
      expect(opened.total).toBe(whole);
      expect(opened.functions.find(({ name }) => name === SLOWED)!.total).toBe(total);
    });

    test('one host a side is at most maybe', async () => {
      const found: DiffJson = await jsonOf(
        'diff',
        '--before',
        'release=1.1',
        '--after',
        'release=1.2',
        '--host',
        'web-1',
        '--normalize',
        'share',
      );
      const verdicts = new Set(found.functions.flatMap(({ verdict }) => [verdict.self, verdict.total]));
      expect(verdicts).toContain('suggestive');
      expect([...verdicts].filter((one) => one === 'grew' || one === 'shrank')).toEqual([]);
    });

    test('different hosts on each side are two samples of one fleet', async () => {
      const hosts = (side: string, first: number): string[] =>
        [0, 1, 2, 3].flatMap((place) => [side, `host=web-${first + place}`]);
      const sides = [
        '--before',
        'release=1.1',
        ...hosts('--before', 1),
        '--after',
        'release=1.2',
        ...hosts('--after', 5),
      ];
      const run = await fleet('diff', ...sides, '--json', '--normalize', 'share');
      expect(run.stderr).toContain('hosts are compared as two samples');
      const found = JSON.parse(run.stdout) as DiffJson;
      expect(found.functions.find(({ name }) => name === SLOWED)!.verdict.self).toBe('grew');
    });

    test('list, top, search and open agree on the sums', async () => {
      const listed: { releases: { release: string; hosts: number; captures: number; samples: number }[] } =
        await jsonOf('list');
      expect(listed.releases.map(({ hosts, captures, samples }) => [hosts, captures, samples])).toEqual(
        RELEASES.map(() => [10, 30, 45_000]),
      );
      const top: { total: number; functions: { name: string; self: number; total: number }[] } = await jsonOf(
        'top',
        '--release',
        '1.2',
        '--type',
        'cpu-clock/nanoseconds',
      );
      const searched: { functions: { name: string; hosts: number; captures: number; self: number; total: number }[] } =
        await jsonOf('search', SLOWED.toUpperCase(), '--release', '1.2');
      const { name, self, total } = top.functions.find((one) => one.name === SLOWED)!;
      expect(searched.functions.find((one) => one.name === SLOWED)).toMatchObject({
        name,
        self,
        total,
        hosts: 10,
        captures: 30,
      });
      const output = path.join(folder, 'merged.flamebench');
      expect((await fleet('open', '--release', '1.2', '-o', output)).code).toBe(0);
      const opened = JSON.parse((await callCli(['top', output, '--json'])).stdout) as typeof top;
      expect(opened.total).toBe(top.total);
      expect(opened.functions).toEqual(top.functions);
    });

    test('refuses sides that overlap, sums that depend on the number of captures, and histories of two services', async () => {
      const overlap = await fleet('diff', '--before', 'release=1.1', '--after', 'env=test');
      expect(overlap).toMatchObject({ code: 2 });
      expect(overlap.stderr).toContain('is on both sides');
      const raw = await fleet('diff', '--before', 'release=1.1', '--after', 'release=1.2', '--normalize', 'raw');
      expect(raw.stderr).toContain('depend on how many captures were pushed');
      const none = await fleet('diff', '--before', 'release=1.1', '--after', 'release=9');
      expect(none).toMatchObject({ code: 3 });
      expect(none.stderr).toContain('no captures of: release 9');
    });
  });
}
