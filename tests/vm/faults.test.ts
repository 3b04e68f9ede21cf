import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { MemorySink } from '../support/memory-sink.ts';
import { clock } from '../support/perf-recording.ts';
import {
  continuePrograms,
  endPrograms,
  LONG,
  shell,
  sshConfig,
  startDemo,
  startProgram,
  targetFor,
} from './machine.ts';
import {
  begun,
  codes,
  disconnect,
  namesOf,
  nothingIsLeft,
  options,
  planned,
  profileOf,
  record,
  root,
  stapCollector,
  untilRows,
} from './recording.ts';

let pid = 0;
const user = targetFor('fbvm-user');
beforeEach(async () => {
  pid = await startDemo();
}, LONG);
// Programs must not load the machine for other tests.
afterEach(() => endPrograms(), LONG);
afterAll(async () => {
  await user.dispose();
  await disconnect();
}, LONG);

test(
  'records two processes at the same time, one of which ends by itself',
  async () => {
    const short = await startDemo();
    const recording = stapCollector.start(root, await planned(options(short)), new MemorySink(), clock);
    const longer = stapCollector.start(root, await planned(options(pid)), new MemorySink(), clock);
    await Promise.all([begun(recording), begun(longer)]);
    await Promise.all([untilRows(recording, 3), untilRows(longer, 3)]);
    await shell(`kill -9 ${short}`);
    expect(codes(await recording.outcome)).toContain('target-ended');
    await longer.stop();
    for (const outcome of [await recording.outcome, await longer.outcome]) {
      expect(outcome).toMatchObject({ state: 'finished', error: null, incomplete: false });
      expect(outcome.samples).toBeGreaterThan(0);
    }
    await nothingIsLeft();
  },
  LONG,
);

test(
  'goes on while processes of another PID namespace, as of a container, take all CPUs',
  async () => {
    const hogs = await Promise.all([1, 2].map(() => startProgram('unshare -fp sh -c "while :; do :; done"')));
    await record(await planned(options(pid)), 12);
    await shell(`pkill -9 -P ${hogs.join(',')}; true`);
    await nothingIsLeft();
  },
  LONG,
);

test(
  'keeps what fits on a full disk, and unloads the module',
  async () => {
    const recording = stapCollector.start(root, await planned(options(pid)), new MemorySink(4000), clock);
    await begun(recording);
    const outcome = await recording.outcome;
    expect(outcome).toMatchObject({ state: 'finished', incomplete: true });
    expect(codes(outcome)).toContain('disk-full');
    const full = outcome.diagnostics.find(({ code }) => code === 'disk-full');
    expect(full?.message).toMatch(/^Kept [\d,]+ samples?; the rest is lost: [^.]+\.$/);
    await nothingIsLeft();
  },
  LONG,
);

test(
  'keeps what had arrived when the link is cut, and leaves nothing in the machine',
  async () => {
    const other = targetFor('fbvm');
    const recording = stapCollector.start(other, await planned(options(pid), other), new MemorySink(), clock);
    await begun(recording);
    await untilRows(recording, 5);
    // The server's process of the connection that has stapio among its descendants.
    await shell(
      'p=$(pgrep -x stapio); until grep -q "^sshd" /proc/$p/comm; do p=$(cut -d" " -f4 /proc/$p/stat); done; kill -9 $p',
    );
    const outcome = await recording.outcome;
    expect(outcome).toMatchObject({ state: 'finished', incomplete: true });
    expect(codes(outcome)).toContain('link-lost');
    expect(outcome.samples).toBeGreaterThan(0);
    await other.dispose();
    await nothingIsLeft();
  },
  LONG,
);

test(
  'leaves nothing in the machine after kill -9 of Flamebench, and keeps what had been written',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'flamebench-vm-'));
    const argv = ['record', 'stap', '--recipe', 'on-cpu', '--stacks', 'user', '--rate', '199', '--pid', String(pid)];
    const flamebench = spawn(
      process.execPath,
      [
        'app/cli/flamebench.mjs',
        ...argv,
        '--target',
        'ssh://fbvm',
        '--build-on',
        'ssh://fbvm-build',
        '--library',
        folder,
      ],
      {
        env: { ...process.env, FLAMEBENCH_SSH_CONFIG: sshConfig },
        stdio: ['ignore', 'inherit', 'inherit'],
      },
    );
    await continuePrograms();
    const raw = (): string | undefined =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((path) => path.endsWith('raw.stap.txt'));
    await expect
      .poll(
        () => (raw() === undefined ? 0 : (readFileSync(join(folder, raw()!), 'utf8').match(/^row /gm) ?? []).length),
        {
          timeout: LONG,
        },
      )
      .toBeGreaterThan(5);
    flamebench.kill('SIGKILL');
    await nothingIsLeft();
    expect(existsSync(join(folder, raw()!))).toBe(true);
    rmSync(folder, { recursive: true });
  },
  LONG,
);

test(
  'refuses a missing process, and a user who may not load modules, until sudo or the groups allow it',
  async () => {
    const gone = await stapCollector.preflight(root, options(4_194_000));
    expect(gone.plan).toBeNull();
    expect(gone.checks).toContainEqual(expect.objectContaining({ id: 'target', status: 'failed' }));

    const refused = await stapCollector.preflight(user, options(pid));
    expect(refused.plan).toBeNull();
    expect(refused.checks.find(({ id }) => id === 'permission')).toMatchObject({
      status: 'failed',
      remedy: expect.stringContaining('stapusr') as string,
    });

    const bySudo = await record(await planned(options(pid, { asRoot: true }), user), 100, user);
    expect(namesOf(await profileOf(bySudo))).toContain('fb_handle_request');
    await nothingIsLeft();
  },
  LONG,
);

test(
  'records as a member of stapusr and stapdev, without sudo',
  async () => {
    await shell('usermod -aG stapusr,stapdev fb');
    const member = targetFor('fbvm-user');
    const own = Number(await shell('setsid /opt/fb/demo </dev/null >/dev/null 2>&1 & echo $!', 'fbvm-user'));
    const recorded = await record(await planned(options(own), member), 5, member);
    expect(namesOf(await profileOf(recorded))).toContain('fb_handle_request');
    await shell(`kill ${own}; usermod -G fb fb`);
    await member.dispose();
    await nothingIsLeft();
  },
  LONG,
);
