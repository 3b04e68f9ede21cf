import { describe, expect, test } from 'vitest';
import { checkStap } from '#collectors/doctor/stap-check.ts';
import { parseSurvey } from '#collectors/doctor/survey.ts';
import { checkRecipes, knownBreak } from '#collectors/stap/availability.ts';
import type { Target } from '#collectors/target/target.ts';

interface Machine {
  /** Only `staprun`, which loads modules. */
  readonly installed?: boolean | 'staprun';
  readonly version?: string;
  readonly release?: string;
  /** What its kernel lacks for modules of any kind. */
  readonly kernel?: string;
  /** Sizes of the files that exist. */
  readonly files?: Readonly<Record<string, number>>;
}

/** /proc/self/status of root. */
const STATUS = 'Uid:\t0\t0\t0\t0\nCapEff:\t000001ffffffffff\n';

/** What the survey of a kernel that can load modules prints. */
const KERNEL = 'modules=yes\nkernel-config=CONFIG_MODULES=y CONFIG_KPROBES=y CONFIG_UPROBES=y read\n';

/** Makes a target for the checks: its programs print as SystemTap and uname do, and run as root. */
function machine({
  installed = true,
  version = '5.2',
  release = '6.12.1-amd64',
  kernel = KERNEL,
  files = {},
}: Machine): Target {
  const output = (argv: readonly string[]): string => {
    if (argv[0] === 'sh') return kernel;
    if (argv[0] === 'uname') return `${release}\n`;
    if (argv.includes('-V')) return `Systemtap translator/driver (version ${version}/0.192)\n`;
    return argv[0] === 'id' ? 'root\n' : '';
  };
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  return {
    host: 'web-1',
    findExecutable: (name: string) =>
      Promise.resolve(installed === true || installed === name ? `/usr/bin/${name}` : null),
    stat: (path: string) => Promise.resolve(path in files ? { size: files[path], uid: 0, modifiedAt: 0 } : null),
    readFile: () => Promise.reject(new Error('no such file')),
    readRanges: (ranges: readonly { readonly path: string }[]) =>
      Promise.resolve(ranges.map(({ path }) => (path === '/proc/self/status' ? bytes(STATUS) : null))),
    run: (argv: readonly string[]) =>
      Promise.resolve({
        stdout: (async function* () {
          yield await Promise.resolve(bytes(output(argv)));
        })(),
        stderr: (async function* () {})(),
        exit: Promise.resolve({ code: 0, signal: null }),
        kill: () => Promise.resolve(),
      }),
  } as unknown as Target;
}

const HEADERS = { '/lib/modules/6.12.1-amd64/build/Makefile': 1000 };
const TABLE = '/boot/System.map-6.12.1-amd64';

async function statusOf(of: Machine): Promise<{ onCpu: string; latency: string }> {
  const check = await checkRecipes(machine(of));
  const [onCpu, latency] = (['on-cpu', 'latency'] as const).map((recipe) => {
    const { status, found } = check(recipe);
    return `${status}: ${found}`;
  });
  return { onCpu: onCpu!, latency: latency! };
}

describe('which recipes SystemTap can run', () => {
  test('none if it is not installed', async () => {
    const absent = 'absent: SystemTap is not installed; perf does not need it';
    expect(await statusOf({ installed: false })).toEqual({ onCpu: absent, latency: absent });
  });

  test('none on a kernel that loads no modules, where doctor does not advise to install it either', async () => {
    const check = (await checkRecipes(machine({ installed: false, kernel: 'kernel-config=read\n' })))('on-cpu');
    const doctor = checkStap(parseSurvey('kernel-config=read\n', { before: 0, after: 0 }), ['debian']);
    expect(check).toEqual(doctor);
    expect(check).toEqual({
      id: 'stap',
      status: 'absent',
      found:
        'SystemTap can’t work on this kernel: it needs one that loads modules and one with kprobes and uprobes; perf does not need it',
      remedy: null,
    });
  });

  test('those that another host compiles, if only staprun is installed', async () => {
    const elsewhere = 'unknown: only staprun is installed: compile on another host (--build-on)';
    expect(await statusOf({ installed: 'staprun' })).toEqual({ onCpu: elsewhere, latency: elsewhere });
  });

  test('none without the kernel’s headers', async () => {
    const { onCpu } = await statusOf({});
    expect(onCpu).toBe('failed: the headers of the kernel 6.12.1-amd64 are not installed');
  });

  test('latency only with a table of the kernel’s symbols; Debian’s of one line does not count', async () => {
    const without = await statusOf({ files: { ...HEADERS, [TABLE]: 83 } });
    expect(without).toEqual({
      onCpu: 'ok: stap 5.2',
      latency: 'warning: SystemTap finds no table of the kernel’s symbols',
    });
    const { latency } = await statusOf({ files: { ...HEADERS, [TABLE]: 4_000_000 } });
    expect(latency).toBe('ok: the kernel has a table of symbols');
  });

  test.each([
    ['4.8', '6.1.0-49-amd64', /^stap 4\.8 does not compile/],
    ['5.1', '6.12.117+deb13-cloud-amd64', /^modules of stap 5\.1 do not start/],
    ['4.8', '5.10.0-30-amd64', null],
    ['5.2', '6.12.1-amd64', null],
    [null, null, null],
  ])('stap %s on %s', (version, release, found) => {
    const check = knownBreak(version, release);
    if (found === null) expect(check).toBeNull();
    else expect(check).toMatchObject({ status: 'warning', found: expect.stringMatching(found) as string });
  });
});
