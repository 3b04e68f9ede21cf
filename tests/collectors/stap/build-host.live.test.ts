import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { stapOptionsSchema, type StapOptions } from '#core/contract/stap.ts';
import { commandsOf, type RecordingOutcome } from '#collectors/collector.ts';
import { describePlan } from '#collectors/describe-plan.ts';
import { createStapCollector, stapCollector } from '#collectors/stap/collector.ts';
import type { StapPlan } from '#collectors/stap/plan.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import type { Target } from '#collectors/target/target.ts';
import { MemorySink } from '../../support/memory-sink.ts';
import { needing, type Need } from '../../support/needing.ts';
import { clock } from '../../support/perf-recording.ts';

const privateMounts: Need = {
  name: 'the right to have private mounts, as root',
  present: () => process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0,
};

/** Prints the passes, and what stap would read, into the module. */
const STAP = `#!/bin/sh
if [ "$1" = -V ]; then echo 'Systemtap translator/driver (version 5.2/0.192)' >&2; exit; fi
echo 'Pass 4: compiled C into "stap_x.ko"' >&2
mkdir -p "$SYSTEMTAP_DIR/cache"
{ head -n 1 /proc/kallsyms; printf '%s\\n' "$@"; } >"$SYSTEMTAP_DIR/cache/stap_x.ko"
echo "$SYSTEMTAP_DIR/cache/stap_x.ko"
`;
/** Prints a row, and the module to a file. */
const STAPRUN = `#!/bin/sh
for module; do :; done
cp "$module" "\${0%/*}/loaded"
echo '# flamebench stap type=cpu unit=samples stacks=kernel,user keys=pid,tid,comm rate=99 depth=64 module=stap_x'
printf 'kernel\\nuser\\n 0x1 : main+0x1/0x2 [/bin/a]\\nrow 3 1 1 a\\n# flamebench total=3 in_kernel=0 cycles=1 nanoseconds=1000000000\\n'
`;

let folder: string;
let recorded: ChildProcess;
const local = createLocalTarget();

beforeEach(async () => {
  recorded = spawn('sleep', ['600']);
  folder = await mkdtemp(join(tmpdir(), 'fb-build-host-'));
  for (const [name, text] of [
    ['stap', STAP],
    ['staprun', STAPRUN],
  ] as const) {
    await writeFile(join(folder, name), text);
    await chmod(join(folder, name), 0o755);
  }
});
afterEach(async () => {
  recorded.kill();
  await rm(folder, { recursive: true });
});

/** Returns this machine as two: one has only staprun, the other one stap and the kernel's headers. */
function machines(change: Partial<Record<'target' | 'builder', Partial<Target>>> = {}) {
  const having = (host: string, program: string): Target => ({
    ...local,
    host,
    findExecutable: (name) => Promise.resolve(name === program ? join(folder, program) : null),
  });
  const target: Target = { ...having('web-1', 'staprun'), ...change.target };
  const builder: Target = {
    ...having('build-1', 'stap'),
    run: (argv, options) => local.run(argv, { ...options, env: { ...options?.env, XDG_CACHE_HOME: folder } }),
    stat: (path) =>
      path.startsWith('/lib/modules/') ? Promise.resolve({ size: 1, uid: 0, modifiedAt: 0 }) : local.stat(path),
    ...change.builder,
  };
  return { target, collector: createStapCollector(() => Promise.resolve(builder)) };
}

const options = (stacks: 'user' | 'both' = 'user'): StapOptions =>
  stapOptionsSchema.parse({
    collector: 'stap',
    scope: { kind: 'pid', pid: recorded.pid!, startTicks: null },
    what: { kind: 'recipe', recipe: 'on-cpu', rateHz: 99, stacks },
    seconds: null,
    buildOn: 'ssh://build-1',
  });

async function record(
  { target, collector }: ReturnType<typeof machines>,
  asked: StapOptions,
): Promise<{ outcome: RecordingOutcome; loaded: string[]; messages: string[] }> {
  const { plan, checks } = await collector.preflight(target, asked);
  expect(checks.filter(({ status }) => status === 'failed')).toEqual([]);
  const recording = collector.start(target, plan!, new MemorySink(), clock);
  const messages = new Set<string>();
  recording.onProgress((progress) => progress.messages.forEach((line) => messages.add(line)));
  const outcome = await recording.outcome;
  return { outcome, messages: [...messages], loaded: (await readFile(join(folder, 'loaded'), 'utf8')).split('\n') };
}

needing(privateMounts, () => {
  describe('a module compiled on another machine', () => {
    test('is compiled for the target’s kernel with its passes shown, copied there and loaded', async () => {
      const { outcome, loaded, messages } = await record(machines(), options());
      expect(outcome).toMatchObject({ state: 'finished', samples: 3, error: null });
      expect(messages).toContain('Pass 4: compiled C into "stap_x.ko"');
      const release = (await readFile('/proc/sys/kernel/osrelease', 'utf8')).trim();
      expect(loaded.join(' ')).toContain(`-v -p4 -r ${release} `);
      expect(loaded.join(' ')).not.toContain('--sysroot');
    });

    test('is compiled with the target’s symbols of the kernel, by stap alone', async () => {
      const table = new TextEncoder().encode('ffffffff81000000 T fb_of_target\nffffffffc0000000 t fb_gone\t[module]\n');
      const target: Partial<Target> = {
        run: (argv, given) =>
          local.run(argv.includes('/proc/kallsyms') ? ['printf', '%s', new TextDecoder().decode(table)] : argv, given),
        readRanges: (ranges) =>
          ranges[0]?.path === '/proc/kallsyms' ? Promise.resolve([table]) : local.readRanges(ranges),
      };
      const { outcome, loaded } = await record(machines({ target }), options('both'));
      expect(outcome.error).toBeNull();
      expect(loaded[0]).toBe('ffffffff81000000 T fb_of_target');
      expect(await readFile('/proc/kallsyms', 'utf8')).not.toContain('fb_of_target');
    });

    test('is not compiled with a part of the target’s symbols, and none of them are kept', async () => {
      const line = 'ffffffff81000000 T fb_of_target\\n';
      const target: Partial<Target> = {
        run: (argv, given) =>
          local.run(argv.includes('/proc/kallsyms') ? ['sh', '-c', `printf '${line}'; kill -KILL $$`] : argv, given),
        readRanges: (ranges) =>
          ranges[0]?.path === '/proc/kallsyms'
            ? Promise.resolve([new TextEncoder().encode(line)])
            : local.readRanges(ranges),
      };
      const { target: cut, collector } = machines({ target });
      const { plan } = await collector.preflight(cut, options('both'));
      const { error } = await collector.start(cut, plan!, new MemorySink(), clock).outcome;
      expect(error).toMatchObject({ code: 'build-host', message: expect.stringContaining('to their end') as string });
      expect(await readdir((plan as StapPlan).build!.folder)).not.toContain('kallsyms');
    });

    test('is compiled with the target’s binaries if the build host has others', async () => {
      const builder: Partial<Target> = { readRanges: (ranges) => Promise.resolve(ranges.map(() => null)) };
      const { outcome, loaded } = await record(machines({ builder }), options());
      expect(outcome.error).toBeNull();
      const root = loaded.find((word) => word.startsWith('--sysroot='))?.slice('--sysroot='.length) ?? '';
      expect(root).toContain('/root-');
      const sleep = await realpath('/usr/bin/sleep');
      expect((await readFile(root + sleep)).equals(await readFile(sleep))).toBe(true);
      const [release, ...others] = await readdir(join(root, 'lib/modules'));
      expect(others).toEqual([]);
      expect((await readdir(join(root, 'lib/modules', release!))).toSorted()).toEqual(['build', 'source']);
    });

    test('shows what is copied before anything runs', async () => {
      const { target, collector } = machines();
      const { plan } = await collector.preflight(target, options('both'));
      const [first, compile] = describePlan(plan!);
      expect(first).toBe(
        '# all but the last command on ssh://build-1, with the target’s /proc/kallsyms; the module is then copied to the target',
      );
      expect(compile).toContain('SYSTEMTAP_DIR=');
      expect(commandsOf(plan!)).toHaveLength(2);
    });
  });
});

/** A target that prints this as its kernel's release. */
const withRelease = (release: string): Partial<Target> => ({
  run: (argv, given) => local.run(argv[0] === 'uname' && argv[1] === '-r' ? ['printf', '%s', release] : argv, given),
});

/** A target whose process says that it has also mapped these files, all of which exist there. */
const mapping = (...paths: readonly string[]): Partial<Target> => ({
  async readRanges(ranges) {
    const read = await local.readRanges(ranges);
    return read.map((bytes, index) => {
      if (ranges[index]?.path.endsWith('/maps') !== true) return bytes;
      const rows = paths.map((path) => `7f0000000000-7f0000001000 r-xp 00000000 08:01 42 ${path}\n`).join('');
      return new TextEncoder().encode(new TextDecoder().decode(bytes ?? undefined) + rows);
    });
  },
  readFile: (path, most) =>
    paths.includes(path) ? Promise.resolve(new TextEncoder().encode('of the target')) : local.readFile(path, most),
  stat: (path) => (paths.includes(path) ? Promise.resolve({ size: 13, uid: 0, modifiedAt: 0 }) : local.stat(path)),
});

describe('a hostile target', () => {
  const lacking: Partial<Target> = { readRanges: (ranges) => Promise.resolve(ranges.map(() => null)) };

  test.each(['../../../../victim', '..', '/etc', '6.1 x', '6.1\n/etc', '$(id)', ''])(
    'names no kernel for which something is compiled: %j',
    async (release) => {
      const { target, collector } = machines({ target: withRelease(release), builder: lacking });
      const { plan, checks } = await collector.preflight(target, options());
      expect(plan).toBeNull();
      expect(checks.map(({ found }) => found)).toContain('uname -r names no kernel release on web-1');
      expect((await readdir(folder)).toSorted()).toEqual(['stap', 'staprun']);
    },
  );

  test.each(['/lib/modules/6.1/build/Makefile', '/usr/lib/modules/6.1/x', '/boot/System.map-6.1'])(
    'gives stap no makefile and no table of symbols as a binary: %s',
    async (path) => {
      const { target, collector } = machines({ target: mapping(path), builder: lacking });
      const { plan, checks } = await collector.preflight(target, options());
      expect(plan).toBeNull();
      expect(checks.map(({ found }) => found).join('\n')).toContain(path);
    },
  );

  needing(privateMounts, () => {
    test('writes no file outside of the folder for its binaries, and its other files there', async () => {
      const hostile = ['/../../../x', '/../../../../fb-x', '/usr/../../../x', '/a/./b', '/a//b', '/..', '/a/'];
      const target = mapping(...hostile, '/opt/$(id)/-rf lib.so');
      const { outcome, loaded } = await record(machines({ target, builder: lacking }), options());
      expect(outcome.error).toBeNull();
      expect((await readdir(folder)).toSorted()).toEqual(['flamebench', 'loaded', 'stap', 'staprun']);
      expect(await readdir(join(folder, 'flamebench'))).toHaveLength(1);
      const root = loaded.find((word) => word.startsWith('--sysroot='))?.slice('--sysroot='.length) ?? '';
      expect(await readFile(join(root, 'opt/$(id)/-rf lib.so'), 'utf8')).toBe('of the target');
      expect(loaded.filter((word) => hostile.includes(word))).toEqual([]);
      for (const part of [root, join(root, 'opt'), join(root, '..')])
        expect((await stat(part)).mode & 0o777).toBe(0o700);
    });

    test('finds no link in that folder that leads out of it', async () => {
      const { target, collector } = machines({ target: mapping('/opt/lib.so'), builder: lacking });
      const { plan } = await collector.preflight(target, options());
      const { root } = (plan as StapPlan).build!;
      await mkdir(root!, { recursive: true, mode: 0o700 });
      await mkdir(join(folder, 'outside'));
      await symlink(join(folder, 'outside'), join(root!, 'opt'));
      const { state, error } = await collector.start(target, plan!, new MemorySink(), clock).outcome;
      expect({ state, code: error?.code }).toEqual({ state: 'failed', code: 'build-host' });
      expect(error?.message).toContain('leads elsewhere');
      expect(await readdir(join(folder, 'outside'))).toEqual([]);
    });
  });

  test('shares no table of symbols and no module with another target that names the same kernel', async () => {
    const folderOf = async (host: string) => {
      const { target, collector } = machines({ target: { host } });
      const plan: StapPlan | null = (await collector.preflight(target, options())).plan;
      return plan?.build?.folder;
    };
    expect(await folderOf('web-1')).toBe(await folderOf('web-1'));
    expect(await folderOf('web-1')).not.toBe(await folderOf('web-2'));
  });
});

describe('compiling elsewhere is refused', () => {
  const refusal = async (...[target, collector]: [Target, ReturnType<typeof createStapCollector>]) => {
    const { plan, checks } = await collector.preflight(target, options());
    expect(plan).toBeNull();
    return checks.filter(({ status }) => status === 'failed').map(({ found }) => found);
  };

  test('where no other machine can be opened, or it can’t be reached', async () => {
    const { target } = machines();
    expect(await refusal(target, stapCollector)).toEqual(['nothing can be compiled on another machine here']);
    const away = createStapCollector(() => Promise.reject(new Error('build-1 can’t be reached.')));
    expect(await refusal(target, away)).toEqual(['ssh://build-1: build-1 can’t be reached']);
  });

  test('without headers of the target’s kernel, without stap there, and without staprun here', async () => {
    const nowhere = (path: string) => local.stat(`/nowhere${path}`);
    const bare = machines({
      target: { stat: nowhere, findExecutable: () => Promise.resolve(null) },
      builder: { stat: nowhere, findExecutable: () => Promise.resolve(null) },
    });
    const found = await refusal(bare.target, bare.collector);
    expect(found).toContain('SystemTap is not installed on build-1');
    expect(found).toContain('SystemTap’s staprun is not installed on web-1');
    expect(found.join('\n')).toMatch(/headers of the kernel \S+ are not installed on build-1/);
  });

  test('but not because only root and a group may run staprun, with which sudo can', async () => {
    const file = { size: 1, uid: 0, modifiedAt: 0 };
    const stat: Target['stat'] = (path) => (path === '/usr/bin/staprun' ? Promise.resolve(file) : local.stat(path));
    const { target, collector } = machines({ target: { stat, findExecutable: () => Promise.resolve(null) } });
    const { checks } = await collector.preflight(target, options());
    expect(checks.map(({ found }) => found).join('\n')).not.toContain('staprun is not installed');
  });

  test('if the kernel hides the addresses of its symbols', async () => {
    const hidden = new TextEncoder().encode('0000000000000000 T _stext\n');
    const { target, collector } = machines({
      target: { readRanges: (ranges) => Promise.resolve(ranges.map(() => hidden)) },
    });
    const { checks, plan } = await collector.preflight(target, options('both'));
    expect(plan).toBeNull();
    expect(checks.find(({ id }) => id === 'kernel-symbols')?.remedy).toContain('kptr_restrict');
  });
});
