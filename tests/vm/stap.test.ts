import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseTargetId } from '#core/contract/target-id.ts';
import { stapOptionsSchema, type StapOptions } from '#core/contract/stap.ts';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { commandsOf, type Plan, type Recording, type RecordingOutcome } from '#collectors/collector.ts';
import { createStapCollector } from '#collectors/stap/collector.ts';
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
/** `fbvm-build` is the image's tree on this machine, which compiles without emulation; see vm.bash. */
function targetFor(host: 'fbvm' | 'fbvm-user' | 'fbvm-build'): SshTarget {
  const address = parseTargetId(`ssh://${host}`);
  if (address.kind === 'local') throw new Error('no ssh target');
  const target = createSshTarget(address, { configFile: `${cache}/ssh_config` });
  targets.push(target);
  return target;
}

let root: SshTarget;
let builder: SshTarget;
let pid = 0;
const stapCollector = createStapCollector(() => Promise.resolve(builder));
/** The programs leave some of the machine's two emulated CPUs to what records them. */
const YIELDING = ['nice', '-n', '5'];

beforeAll(async () => {
  await run('image.bash');
  await run('vm.bash', 'start');
  await run('vm.bash', 'build-host');
  root = targetFor('fbvm');
  builder = targetFor('fbvm-build');
  pid = (await root.run([...YIELDING, '/opt/fb/demo'])).pid;
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
    buildOn: 'ssh://fbvm-build',
    ...change,
  });

async function planned(change: Partial<StapOptions> = {}): Promise<Plan<StapOptions>> {
  const { plan, checks } = await stapCollector.preflight(root, options(change));
  expect(checks.filter(({ status }) => status === 'failed')).toEqual([]);
  return plan!;
}

/** Returns a plan that compiles in the machine itself, where stap's cache has the module already. */
async function plannedThere(): Promise<Plan<StapOptions>> {
  const { buildOn: _buildOn, ...there } = options();
  const { plan, checks } = await stapCollector.preflight(root, there);
  expect(checks.filter(({ status }) => status === 'failed')).toEqual([]);
  await run('vm.bash', 'compile', ...commandsOf(plan!)[0]!);
  return plan!;
}

interface Recorded {
  readonly outcome: RecordingOutcome;
  readonly sink: MemorySink;
  readonly messages: readonly string[];
}

/** Records until there are some rows, and checks that nothing is left in the machine. */
async function record(plan: Plan<StapOptions>, rows: number): Promise<Recorded> {
  const sink = new MemorySink();
  const recording = stapCollector.start(root, plan, sink, clock);
  const messages: string[] = [];
  recording.onProgress((progress) => messages.push(...progress.messages));
  await untilRows(recording, rows);
  await recording.stop();
  const outcome = await recording.outcome;
  expect(outcome).toMatchObject({ state: 'finished', error: null });
  expect(await leftThere()).toBe('');
  return { outcome, sink, messages };
}

const profileOf = ({ outcome, sink }: Recorded): Promise<Profile> =>
  importProfile(byteSource(sink.files.get(outcome.primaryFile)!, 'raw.stap.txt'));

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
  const plan = await planned({
    scope: { kind: 'pid', pid: ofProcess, startTicks: null },
    what: { kind: 'recipe', recipe: 'lua', rateHz: 199, stacks },
  });
  return profileOf(await record(plan, 30));
}

const codes = ({ diagnostics }: RecordingOutcome): string[] => diagnostics.map(({ code }) => code);

describe('SystemTap in a virtual machine, over ssh', () => {
  test.each([
    ['in the machine itself', plannedThere],
    ['on another host', planned],
  ])(
    'records the stacks of a process from main to the busy function with a module compiled %s',
    async (_where, plan) => {
      const recorded = await record(await plan(), 10);
      const { outcome, sink, messages } = recorded;
      expect(outcome.incomplete).toBe(false);
      expect(messages.some((line) => line.startsWith('Pass 4: '))).toBe(true);
      const profile = await profileOf(recorded);
      expect(profile.metadata.format).toBe('stap');
      const names = new Set(Array.from(profile.functions.name, (name) => profile.strings[name]!));
      for (const name of ['main', 'fb_handle_request', 'fb_mid_a', 'fb_leaf_hash', 'fb_leaf_sqrt']) {
        expect(names).toContain(name);
      }
      expect(outcome.samples + outcome.lost).toBeGreaterThan(0);
      const total = /^# flamebench total=(\d+) /m.exec(sink.text(outcome.primaryFile))?.[1];
      expect(profile.samples.weights[0]!.reduce((sum, weight) => sum + weight, 0)).toBeLessThanOrEqual(Number(total));
    },
    LONG,
  );

  test(
    'records two processes at the same time, one of which ends by itself',
    async () => {
      const short = await root.run([...YIELDING, '/opt/fb/demo']);
      const other = new MemorySink();
      const plan = await planned({ scope: { kind: 'pid', pid: short.pid, startTicks: null } });
      const recording = stapCollector.start(root, plan, other, clock);
      const sink = new MemorySink();
      const longer = stapCollector.start(root, await planned(), sink, clock);
      await Promise.all([untilRows(recording, 3), untilRows(longer, 3)]);
      short.kill('SIGKILL');
      expect(codes(await recording.outcome)).toContain('target-ended');
      await longer.stop();
      const outcomes = [await recording.outcome, await longer.outcome];
      for (const outcome of outcomes) expect(outcome).toMatchObject({ state: 'finished', error: null });
      expect(outcomes.every(({ samples }) => samples > 0)).toBe(true);
      expect(await leftThere()).toBe('');
    },
    LONG,
  );

  test(
    'keeps what fits on a full disk, and unloads the module',
    async () => {
      const recording = stapCollector.start(root, await planned(), new MemorySink(4000), clock);
      const outcome = await recording.outcome;
      expect(outcome).toMatchObject({ state: 'finished', incomplete: true });
      expect(codes(outcome)).toContain('disk-full');
      expect(await leftThere()).toBe('');
    },
    LONG,
  );

  test(
    'records which function of Lua is hot in an nginx under load, within its C stack',
    async () => {
      await runToEnd(root, [...YIELDING, 'nginx', '-c', '/opt/fb/lua/nginx.conf'], { timeoutMs: LONG });
      const load = await root.run([
        'sh',
        '-c',
        'while :; do busybox nice -n 5 wget -qO- http://127.0.0.1:8080/ >/dev/null; done',
      ]);
      const found = await runToEnd(root, ['pgrep', '-f', '^nginx: worker'], { timeoutMs: LONG });
      const worker = Number(new TextDecoder().decode(found.stdout));
      const profile = await recordLua(worker, 'user').finally(() => load.kill('SIGKILL'));
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
      const lua = await root.run([...YIELDING, '/opt/fb/luajit-gc32', '/opt/fb/lua/hot.lua', mode]);
      const self = selfOf(await recordLua(lua.pid, 'lua').finally(() => lua.kill('SIGKILL')));
      expect(self[0]![0]).toBe(hot);
    },
    LONG,
  );

  test(
    'keeps what was recorded when stapio is killed, and unloads the module',
    async () => {
      const sink = new MemorySink();
      const recording = stapCollector.start(root, await planned(), sink, clock);
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
      const user = await stapCollector.preflight(targetFor('fbvm-user'), options());
      expect(user.plan).toBeNull();
      expect(user.checks.find(({ id }) => id === 'permission')).toMatchObject({
        status: 'failed',
        remedy: expect.stringContaining('stapusr') as string,
      });
    },
    LONG,
  );
});
