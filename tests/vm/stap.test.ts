import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseTargetId } from '#core/contract/target-id.ts';
import { stapOptionsSchema, type StapOptions } from '#core/contract/stap.ts';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { commandsOf, type Plan, type Recording, type RecordingOutcome } from '#collectors/collector.ts';
import { stapCollector } from '#collectors/stap/collector.ts';
import { runToEnd } from '#collectors/target/run-to-end.ts';
import { createSshTarget, type SshTarget } from '#collectors/target/ssh/ssh-target.ts';
import { byteSource } from '../support/byte-source.ts';
import { MemorySink } from '../support/memory-sink.ts';
import { clock } from '../support/perf-recording.ts';

/** A whole machine is emulated, so everything takes long, and how long depends on what else this machine does. */
const LONG = 600_000;
const cache = `${process.env['XDG_CACHE_HOME'] ?? `${process.env['HOME']}/.cache`}/flamebench/vm-bookworm`;
const execute = promisify(execFile);
/** Must not block: the connections to the machine end what they started if this process falls silent. */
async function run(script: string, ...args: readonly string[]): Promise<void> {
  await execute('bash', [fileURLToPath(new URL(`./${script}`, import.meta.url)), ...args], {
    env: { ...process.env, FB_VM_DIR: cache },
    maxBuffer: 1 << 26,
  });
}

const targets: SshTarget[] = [];
function targetFor(user: 'root' | 'fb'): SshTarget {
  const address = parseTargetId(user === 'root' ? 'ssh://fbvm' : 'ssh://fbvm-user');
  if (address.kind === 'local') throw new Error('no ssh target');
  const target = createSshTarget(address, { configFile: `${cache}/ssh_config` });
  targets.push(target);
  return target;
}

let root: SshTarget;
let pid = 0;

beforeAll(async () => {
  await run('image.bash');
  await run('vm.bash', 'start');
  root = targetFor('root');
  pid = (await root.run(['/opt/fb/demo'])).pid;
}, 1_500_000);

afterAll(async () => {
  for (const target of targets) await target.dispose();
  if (process.env['FB_VM_KEEP'] === undefined) await run('vm.bash', 'stop');
}, LONG);

const options = (change: Partial<StapOptions> = {}): StapOptions =>
  stapOptionsSchema.parse({
    collector: 'stap',
    scope: { kind: 'pid', pid, startTicks: null },
    what: { kind: 'recipe', recipe: 'on-cpu', rateHz: 199, stacks: 'user' },
    seconds: null,
    ...change,
  });

/** Compiles what the plan compiles; the module is then in the machine's cache. */
async function planned(target: SshTarget, change: Partial<StapOptions> = {}): Promise<Plan<StapOptions>> {
  const { plan, checks } = await stapCollector.preflight(target, options(change));
  expect(checks.filter(({ status }) => status === 'failed')).toEqual([]);
  await run('vm.bash', 'compile', ...commandsOf(plan!)[0]!);
  return plan!;
}

const untilRows = (recording: Recording, rows: number): Promise<void> =>
  new Promise((resolve) => {
    recording.onProgress(({ samples, state }) => {
      if (samples >= rows || ['finished', 'failed', 'cancelled'].includes(state)) resolve();
    });
  });

/** Returns what is left of recordings on the machine. */
async function leftThere(): Promise<string> {
  const said = await runToEnd(
    root,
    ['sh', '-c', 'grep -o "^stap_[^ ]*" /proc/modules; pgrep -x "stap|staprun|stapio"; true'],
    {
      timeoutMs: LONG,
    },
  );
  return new TextDecoder().decode(said.stdout);
}

/** Self weight of each function, the heaviest first. */
function selfOf(profile: Profile): [name: string, share: number][] {
  const sums = new Map<string, number>();
  let total = 0;
  for (const [row, stack] of profile.samples.stack.entries()) {
    const weight = profile.samples.weights[0]![row]!;
    const frame = profile.stacks.frame[stack];
    const name = frame === undefined ? '' : profile.strings[profile.functions.name[profile.frames.func[frame]!]!]!;
    sums.set(name, (sums.get(name) ?? 0) + weight);
    total += weight;
  }
  return [...sums].map(([name, weight]): [string, number] => [name, weight / total]).sort(([, a], [, b]) => b - a);
}

async function recordLua(ofProcess: number, stacks: 'user' | 'lua'): Promise<Profile> {
  const sink = new MemorySink();
  const change: Partial<StapOptions> = {
    scope: { kind: 'pid', pid: ofProcess, startTicks: null },
    what: { kind: 'recipe', recipe: 'lua', rateHz: 199, stacks },
  };
  const recording = stapCollector.start(root, await planned(root, change), sink, clock);
  await untilRows(recording, 30);
  await recording.stop();
  const outcome = await recording.outcome;
  expect(outcome).toMatchObject({ state: 'finished', error: null });
  expect(await leftThere()).toBe('');
  return importProfile(byteSource(sink.files.get(outcome.primaryFile)!, 'raw.stap.txt'));
}

const codes = ({ diagnostics }: RecordingOutcome): string[] => diagnostics.map(({ code }) => code);

describe('SystemTap in a virtual machine, over ssh', () => {
  test(
    'records the stacks of a process from main to the busy function, and leaves nothing',
    async () => {
      const sink = new MemorySink();
      const recording = stapCollector.start(root, await planned(root), sink, clock);
      const passes: string[] = [];
      recording.onProgress(({ messages }) => passes.push(...messages));
      await untilRows(recording, 10);
      await recording.stop();
      const outcome = await recording.outcome;
      expect(outcome).toMatchObject({ state: 'finished', incomplete: false, error: null });
      expect(passes.some((line) => line.startsWith('Pass 4: '))).toBe(true);
      const profile = await importProfile(byteSource(sink.files.get(outcome.primaryFile)!, 'raw.stap.txt'));
      expect(profile.metadata.format).toBe('stap');
      const names = new Set(Array.from(profile.functions.name, (name) => profile.strings[name]!));
      for (const name of ['main', 'fb_handle_request', 'fb_mid_a', 'fb_leaf_hash', 'fb_leaf_sqrt']) {
        expect(names).toContain(name);
      }
      expect(outcome.samples + outcome.lost).toBeGreaterThan(0);
      const total = /^# flamebench total=(\d+) /m.exec(sink.text(outcome.primaryFile))?.[1];
      expect(profile.samples.weights[0]!.reduce((sum, weight) => sum + weight, 0)).toBeLessThanOrEqual(Number(total));
      expect(await leftThere()).toBe('');
    },
    LONG,
  );

  test(
    'records which function of Lua is hot in an nginx under load, within its C stack',
    async () => {
      await runToEnd(root, ['nginx', '-c', '/opt/fb/lua/nginx.conf'], { timeoutMs: LONG });
      const load = await root.run([
        'sh',
        '-c',
        'while :; do busybox wget -qO- http://127.0.0.1:8080/ >/dev/null; done',
      ]);
      const found = await runToEnd(root, ['pgrep', '-f', '^nginx: worker'], { timeoutMs: LONG });
      const profile = await recordLua(Number(new TextDecoder().decode(found.stdout)), 'user');
      load.kill('SIGKILL');
      const self = selfOf(profile);
      expect(self[0]![0]).toBe('@/opt/fb/lua/hot.lua:8');
      expect(self[0]![1]).toBeGreaterThan(0.3);
      const names = new Set(Array.from(profile.functions.name, (name) => profile.strings[name]!));
      for (const line of [0, 14, 18]) expect(names).toContain(`@/opt/fb/lua/hot.lua:${line}`);
      expect(names).toContain('ngx_http_lua_run_thread');
      await runToEnd(root, ['nginx', '-c', '/opt/fb/lua/nginx.conf', '-s', 'stop'], { timeoutMs: LONG });
    },
    LONG,
  );

  test.each([
    ['interpreter', '@/opt/fb/lua/hot.lua:8'],
    ['compiler', 'T:@/opt/fb/lua/hot.lua:8'],
  ])(
    'reads the stack of a LuaJIT of GC32 whose functions run in the %s',
    async (mode, hot) => {
      const lua = await root.run(['/opt/fb/luajit-gc32', '/opt/fb/lua/hot.lua', mode]);
      const self = selfOf(await recordLua(lua.pid, 'lua'));
      lua.kill('SIGKILL');
      expect(self[0]![0]).toBe(hot);
    },
    LONG,
  );

  test(
    'keeps what was recorded when stapio is killed, and unloads the module',
    async () => {
      const sink = new MemorySink();
      const recording = stapCollector.start(root, await planned(root), sink, clock);
      await untilRows(recording, 5);
      await runToEnd(root, ['pkill', '-KILL', '-x', 'stapio'], { timeoutMs: LONG });
      const outcome = await recording.outcome;
      expect(outcome).toMatchObject({ state: 'finished', incomplete: true });
      expect(codes(outcome)).toContain('collector-failed');
      expect(outcome.samples).toBeGreaterThan(0);
      expect(await leftThere()).toBe('');
    },
    LONG,
  );

  test(
    'refuses a missing process, and a user who may not load modules',
    async () => {
      const gone = await stapCollector.preflight(
        root,
        options({ scope: { kind: 'pid', pid: 4_194_000, startTicks: null } }),
      );
      expect(gone.plan).toBeNull();
      expect(gone.checks).toContainEqual(expect.objectContaining({ id: 'target', status: 'failed' }));
      const user = await stapCollector.preflight(targetFor('fb'), options());
      expect(user.plan).toBeNull();
      expect(user.checks.find(({ id }) => id === 'permission')).toMatchObject({
        status: 'failed',
        remedy: expect.stringContaining('stapusr') as string,
      });
    },
    LONG,
  );
});
