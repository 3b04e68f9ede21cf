import { beforeEach, describe, expect, test } from 'vitest';
import { bpftraceOptionsSchema } from '#core/contract/bpftrace.ts';
import type { ProcessRow } from '#core/contract/schemas.ts';
import { checkFunction } from '#collectors/bpftrace/checks.ts';
import { installPackage } from '#collectors/install-package.ts';
import { findBinaries } from '#collectors/mapped-binaries.ts';
import { nameCompiledCode } from '#collectors/perf/late-names.ts';
import { TEXT_FILE } from '#collectors/perf/plan.ts';
import { readProcessFacts } from '#collectors/perf/process-facts.ts';
import { parseListeners } from '#collectors/target/listeners.ts';
import { createTargetSymbols } from '#collectors/symbols/target-symbols.ts';
import { readGoProcess } from '#collectors/target/go-process.ts';
import { parseListeningPorts } from '#collectors/target/listening-ports.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { findProcess } from '#collectors/target/processes.ts';
import type { Target } from '#collectors/target/target.ts';
import { MemorySink } from '../support/memory-sink.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const local = createLocalTarget();

/** Every path and argument that the target was given. */
let given: string[] = [];
beforeEach(() => void (given = []));

/** A target with these files of process 7, and links. */
function saying(files: Readonly<Record<string, string>>, links: Readonly<Record<string, string>> = {}): Target {
  const read = (path: string): Uint8Array | null => {
    given.push(path);
    return path in files ? bytes(files[path]!) : null;
  };
  return {
    ...local,
    kind: 'ssh',
    host: 'web-1',
    run: (argv, options) => {
      given.push(...argv);
      return local.run(['false'], options);
    },
    readFile: async (path) => read(path) ?? Promise.reject(new Error(`no ${path}`)),
    readRanges: (ranges) =>
      Promise.resolve(ranges.map(({ path, offset, length }) => read(path)?.slice(offset, offset + length) ?? null)),
    readLinks: (paths) => Promise.resolve(paths.map((path) => links[path] ?? null)),
    stat: (path) => {
      given.push(path);
      return Promise.resolve(null);
    },
  };
}

const STAT = `7 (work) S 1 ${'0 '.repeat(17)}42 0 0`;
const map = (path: string): string => `7f0000000000-7f0000001000 r-xp 00000000 08:01 42 ${path}\n`;
const PROCESS = {
  '/proc/7/stat': STAT,
  '/proc/stat': 'btime 1\n',
  '/proc/7/status': 'Name:\twork\nUid:\t0\t--version\t0\t0\nNSpid:\t7\t../../x\n',
  '/proc/7/cgroup': '0::/../../system.slice/x,/other\n',
  '/proc/7/maps': map('/tmp/../../etc/jit-1.dump') + map('/usr/lib/libc.so.6'),
};
const HOSTILE = /\.\.|--version/;

describe('what a target says of its processes', () => {
  test('is no path that leads elsewhere, and no option', async () => {
    const target = saying(PROCESS, { '/proc/7/exe': '/usr/../../etc/x' });
    expect(await findProcess(target, 7)).toBeNull();
    const status = 'Uid:\t0\t1000\t0\t0\nNSpid:\t7\t../../x\n';
    const row = await findProcess(saying({ ...PROCESS, '/proc/7/status': status }, { '/proc/7/exe': '/a/../x' }), 7);
    expect(row).toMatchObject({ executable: null, cgroup: null, innerPid: null, user: '1000' });
    expect(await readProcessFacts(target, 7)).toBeNull();
    await readGoProcess(target, 7);
    expect(given.filter((word) => HOSTILE.test(word))).toEqual([]);
  });

  test('names no binary and no list of compiled code elsewhere', async () => {
    const target = saying(PROCESS);
    const row = { pid: 7, executable: '/a/../x' } as ProcessRow;
    expect(await findBinaries(target, row)).toMatchObject({
      paths: ['/usr/lib/libc.so.6'],
      check: {
        status: 'warning',
        found:
          '"/tmp/../../etc/jit-1.dump" is mapped, which is not a path in normal form: left out, so it has no names',
      },
    });
    expect((await findBinaries(saying({}), row)).paths).toEqual([]);
    const sink = new MemorySink();
    await sink.append(TEXT_FILE, bytes('a 7/7 1.0: 1 cpu-clock: \n\t 1004 [unknown] (/tmp/perf-7.map)\n\n'));
    const noted = new Map([[7, '/../../etc/jit-7.dump']]);
    await nameCompiledCode(target, sink, new Set(['/tmp/perf-7.map', '/tmp/perf-99999999999.map']), noted);
    expect(given.filter((word) => /\.\.|9999/.test(word))).toEqual([]);
    expect(given).toContain('/tmp/jit-7.dump');
  });

  test('ports are numbers of 16 bits, addresses those of IP', () => {
    const line = (local: string) => `0: ${local} 00000000:0000 0A 0:0 0:0 0 0 0 77`;
    for (const odd of ['0100007F:FFFFF', '0100007F:', '0100:1F90', '0100007F:1F90:1F90', 'x@evil:1F90']) {
      expect(parseListeners(line(odd), new Set(['77']))).toEqual([]);
    }
    expect(parseListeningPorts(line('0100007F:FFFFFFFF')).size).toBe(0);
    expect(parseListeners(line('0100007F:1F90'), new Set(['77']))).toEqual([{ host: '127.0.0.1', port: 8080 }]);
    expect([...parseListeningPorts(line('0100007F:1F90')).values()]).toEqual([8080]);
  });
});

describe('what a service says of its binaries', () => {
  test.each([
    ['/usr/bin/x', '../../../../etc/x'],
    ['/usr/../../etc/x', 'ab12'],
    ['/x/../proc/kcore', 'ab12'],
  ])('is no path that leads elsewhere: %s of build %s', async (path, buildId) => {
    const problems: (string | null)[] = [];
    const symbols = createTargetSymbols(saying({}), {
      debuginfod: null,
      signal: AbortSignal.timeout(10_000),
      onBinary: ({ problem }) => problems.push(problem),
    });
    const request = {
      kind: 'file',
      path,
      buildId,
      file: null,
      hostName: null,
      kernel: null,
      reference: null,
      module: '',
    } as const;
    expect(await symbols({ ...request, addresses: [1n] })).toBeNull();
    expect(problems).toHaveLength(1);
    expect(given.filter((word) => /\.\.|^\/proc/.test(word))).toEqual([]);
  });
});

describe('advice with a target’s words', () => {
  test('is a command of known package managers only', () => {
    expect(installPackage(['constructor', '__proto__'], 'perf')).toBe('install the package perf of your distribution');
    expect(installPackage(['x', 'debian'], 'perf')).toBe('run: sudo apt install perf');
  });

  test('is quoted for the shell', async () => {
    const what = { kind: 'recipe', recipe: 'latency', function: 'f', rateHz: 99, stacks: 'user' };
    const scope = { kind: 'pid', pid: 7, startTicks: null };
    const options = bpftraceOptionsSchema.parse({ collector: 'bpftrace', scope, what, seconds: null });
    const target: Target = { ...local, run: (_argv, given) => local.run(['true'], given) };
    const row = { executable: '/tmp/x;reboot' } as ProcessRow;
    const check = await checkFunction(target, { path: '/usr/bin/bpftrace', version: null }, options, row);
    expect(check?.remedy).toContain("nm -C '/tmp/x;reboot';");
  });
});
