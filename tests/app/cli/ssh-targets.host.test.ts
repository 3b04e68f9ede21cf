import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn, type IPty } from 'node-pty';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { CaptureDocument, Check, ProcessRow } from '#core/contract/schemas.ts';
import { callCli } from '../../support/call-cli.ts';
import { runCli, type CliRun } from '../../support/run-cli.ts';
import { needing } from '../../support/needing.ts';
import { PASSWORD, sshHosts, startSshHost, type SshHost, type SshHostOptions } from '../../support/sshd.ts';
import { BUSY_LOOP } from '../../support/busy-loop.ts';

const LAUNCHER = fileURLToPath(new URL('../../../app/cli/flamebench.mjs', import.meta.url));
const COUNT = ['sh', '-c', 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'];

/** Runs the command in a pseudo-terminal. */
class TerminalRun {
  readonly code: Promise<number>;
  readonly #pty: IPty;
  #shown = '';
  #heard = (): void => undefined;

  constructor(args: readonly string[]) {
    this.#pty = spawn(process.execPath, [LAUNCHER, ...args], { cols: 120, rows: 30, env: process.env });
    this.#pty.onData((text) => {
      this.#shown += text;
      this.#heard();
    });
    this.code = new Promise((resolve) => this.#pty.onExit(({ exitCode }) => resolve(exitCode)));
    onTestFinished(() => {
      try {
        this.#pty.kill('SIGKILL');
      } catch {
        // The process has ended.
      }
    });
  }

  get shown(): string {
    return this.#shown;
  }

  /** Answers at the moment when the prompt appears, as a password manager does. */
  answer(question: RegExp, text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`not asked ${question}: ${this.#shown}`)), 30_000);
      this.#heard = () => {
        if (!question.test(this.#shown)) return;
        clearTimeout(timer);
        this.#heard = () => undefined;
        this.#pty.write(text);
        resolve();
      };
      this.#heard();
    });
  }
}

needing(sshHosts, () => {
  const folder = mkdtempSync(join(tmpdir(), 'cli-targets-'));
  let first: SshHost;
  let second: SshHost;
  let asking: SshHost;
  let other: SshHost;

  beforeAll(async () => {
    [first, second, asking, other] = await Promise.all([
      startSshHost(),
      startSshHost(),
      startSshHost({ auth: 'password', known: false }),
      startSshHost({ auth: 'password' }),
    ]);
    const config = join(folder, 'ssh_config');
    const hosts = [first, second, asking, other].map(({ clientConfigText }) => clientConfigText);
    writeFileSync(config, [...hosts, 'Host nobody\n  HostName 127.0.0.1\n  Port 1\n'].join('\n'));
    vi.stubEnv('FLAMEBENCH_SSH_CONFIG', config);
    vi.stubEnv('FLAMEBENCH_CONFIG', join(folder, 'config'));
    vi.stubEnv('FLAMEBENCH_LIBRARY', join(folder, 'library'));
  }, 60_000);
  afterAll(async () => {
    vi.unstubAllEnvs();
    await Promise.all([first, second, asking, other].map((host) => host.dispose()));
    rmSync(folder, { recursive: true });
  });

  test('lists, adds and removes targets', async () => {
    const added = await runCli(['targets', 'add', first.destination, 'web 1']);
    expect(added).toMatchObject({ code: 0, stderr: '' });
    expect(added.stdout).toMatch(
      /^name +target +connected\nlocal +local +this machine\nweb 1 +ssh:\/\/.* never connected$/m,
    );
    const json = JSON.parse((await callCli(['targets', '--json'])).stdout) as { targets: object[] };
    expect(json.targets).toEqual(
      expect.arrayContaining([
        { id: first.destination, name: 'web 1', origin: 'saved', connectedAt: null },
        { id: `ssh://${second.alias}`, name: second.alias, origin: 'ssh-config', connectedAt: null },
      ]),
    );
    const listed = await runCli(['ps', '--target', 'web 1', '--json', '--filter', 'SSHD']);
    const { target, processes } = JSON.parse(listed.stdout) as { target: string; processes: ProcessRow[] };
    expect(target).toBe(first.destination);
    expect(processes.map(({ name }) => name)).toEqual(expect.arrayContaining(['sshd']));
    expect((await callCli(['targets'])).stdout).toMatch(/^web 1 .* last connected \d{4}-/m);
    expect((await callCli(['targets', 'remove', 'web 1'])).stdout).not.toContain('web 1');
  });

  test.each([
    [['targets', 'add', 'ssh://-x'], /starts with -/],
    [['targets', 'remove', 'nobody'], /"nobody" is not an added target/],
    [['targets', 'add'], /targets add needs a target/],
    [['targets', 'drop'], /unknown action 'drop'; use list, add or remove/],
    [['ps', '--target', 'no-such'], /unknown target "no-such"/],
  ])('refuses %j as a usage error', async (args, line) => {
    const { code, stderr } = await callCli(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(line);
    expect(stderr.trimEnd()).not.toContain('\n');
  });

  test('the doctor inspects a host, and explains why it cannot reach one', async () => {
    const { code, stdout } = await runCli(['doctor', '--target', first.alias, '--json']);
    expect(code).toBe(0);
    const { target, checks } = JSON.parse(stdout) as { target: string; checks: Check[] };
    expect(target).toBe(`ssh://${first.alias}`);
    const statuses = new Map(checks.map(({ id, status }) => [id, status]));
    for (const id of ['target', 'kernel', 'clock', 'tools', 'perf', 'perf-events']) expect(statuses.get(id)).toBe('ok');
    expect(statuses.get('privilege')).toBe('warning');
    const lost = await runCli(['doctor', '--target', 'nobody']);
    expect(lost).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^failed +target: no SSH server is listening.*\n +→ /),
    });
  });

  /** Runs on a host that the other tests do not use. */
  async function runOn(options: SshHostOptions, ...args: string[]): Promise<CliRun> {
    const host = await startSshHost(options);
    vi.stubEnv('FLAMEBENCH_SSH_CONFIG', host.clientConfigFile);
    try {
      return await runCli([...args, '--target', host.alias]);
    } finally {
      vi.stubEnv('FLAMEBENCH_SSH_CONFIG', join(folder, 'ssh_config'));
      await host.dispose();
    }
  }

  test('inspects a host that has only busybox', async () => {
    const { checks } = JSON.parse((await runOn({ tools: 'busybox' }, 'doctor', '--json')).stdout) as {
      checks: Check[];
    };
    const statuses = new Map(checks.map(({ id, status }) => [id, status]));
    for (const id of ['kernel', 'cpus', 'memory', 'clock', 'tools', 'ptrace', 'perf']) {
      expect([id, statuses.get(id)]).toEqual([id, 'ok']);
    }
    expect(statuses.get('disk-space')).toMatch(/ok|warning/);
  });

  test('reports in one line a host that runs something other than the given command', async () => {
    const { code, stderr } = await runOn({ serverConfig: ['ForceCommand /bin/true'] }, 'ps');
    expect(code).toBe(4);
    expect(stderr).toMatch(/^flamebench: .* runs something other than the requested command/);
    expect(stderr.trimEnd()).not.toContain('\n');
  });

  test('records hosts into one side, and exits with 4 if one is left out', async () => {
    const targets = [first.alias, second.alias, 'nobody'].flatMap((target) => ['--target', target]);
    // Standard output is the program's.
    const output = join(folder, 'one-side.json');
    const run = await runCli(['record', 'perf', ...targets, '--rate', '997', '--json', '-o', output, '--', ...COUNT]);
    expect(run.code).toBe(4);
    expect(run.stderr).toMatch(/^nobody is left out: no SSH server is listening/m);
    expect(run.stderr).toMatch(/flamebench: hosts left out: 1 of 3; captures of the other hosts are kept\n$/);
    const { captures, experiment } = JSON.parse(readFileSync(output, 'utf8')) as {
      captures: CaptureDocument[];
      experiment: string;
    };
    expect(captures.map(({ target }) => target)).toMatchObject([
      { kind: 'ssh', host: first.alias },
      { kind: 'ssh', host: second.alias },
    ]);
    const shown = await callCli(['experiments', 'show', experiment]);
    expect(shown.stdout).toContain(`on ${second.alias}`);

    const after = ['--into', experiment, '--side', 'after', '-o', join(folder, 'out.txt')];
    const more = await runCli(['record', 'perf', ...targets.slice(0, 4), ...after, '--rate', '997', '--', ...COUNT]);
    expect(more).toMatchObject({ code: 0, stderr: expect.stringContaining(`Next: flamebench diff ${experiment}`) });
    const diff = await callCli(['diff', experiment, '--json']);
    const compared = JSON.parse(diff.stdout) as { before: object; after: object; warnings: { code: string }[] };
    expect(compared).toMatchObject({ before: { captures: [{}, {}] }, after: { captures: [{}, {}] } });
    const codes = compared.warnings.map((warning) => warning.code);
    for (const code of ['no-shared-host', 'unpaired-hosts']) expect(codes).not.toContain(code);
  });

  test('finds a busy process by its name', async () => {
    const busy = await first.start(BUSY_LOOP, { user: true });
    const args = [
      'record',
      'perf',
      '--target',
      first.alias,
      '--process',
      'sh',
      '--seconds',
      '1',
      '--dry-run',
      '--json',
    ];
    const { stdout, stderr } = await runCli(args);
    expect(stderr).toMatch(/processes are named sh; the busiest is \d+/);
    const { hosts } = JSON.parse(stdout) as { hosts: { target: string; commands: string[][] }[] };
    expect(hosts[0]!.commands[0]).toEqual(expect.arrayContaining(['-p', String(busy.pid)]));
    const listed = await runCli(['ps', '--target', first.alias, '--filter', String(busy.pid), '--json']);
    const { processes } = JSON.parse(listed.stdout) as { processes: ProcessRow[] };
    expect(processes.find(({ pid }) => pid === busy.pid)).toMatchObject({
      user: 'fb-test',
      threads: 1,
      command: "sh -c 'while :; do :; done'",
      executable: expect.stringContaining('/'),
      buildId: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    const none = await runCli([...args.slice(0, 5), 'no such', '--seconds', '1']);
    expect(none).toMatchObject({ code: 4, stderr: expect.stringContaining('no process is named "no such"') });
  });

  test('shows a host’s prompts in the terminal only', async () => {
    const blind = await runCli(['ps', '--target', asking.alias]);
    expect(blind.code).toBe(4);
    expect(blind.stderr).toMatch(
      /^flamebench: .* asks \(.*\), and there is no terminal to answer in; run this in a terminal/,
    );
    expect(blind.stderr.trimEnd()).not.toContain('\n');

    const run = new TerminalRun(['ps', '--target', asking.alias, '--filter', 'sshd']);
    await run.answer(/asks\r\n[^]*authenticity of host[^]*\? $/, 'yes\r');
    await run.answer(/password: $/, `${PASSWORD}\r`);
    expect(await run.code).toBe(0);
    expect(run.shown).toMatch(/PID +USER[^]*sshd/);
    expect(run.shown).not.toContain(PASSWORD);

    // Two prompting hosts are served one after the other.
    const both = new TerminalRun([
      'record',
      'perf',
      '--target',
      asking.alias,
      '--target',
      other.alias,
      '--dry-run',
      '--',
      'true',
    ]);
    await both.answer(/^flamebench: \S+ asks\r\n[^\n]*password: $/, `${PASSWORD}\r`);
    await both.answer(/flamebench: \S+ asks\r\n[^]*flamebench: \S+ asks\r\n[^\n]*password: $/, `${PASSWORD}\r`);
    expect(await both.code).toBe(0);
    expect(both.shown).toContain(`# ${other.alias}`);

    const given = new TerminalRun(['ps', '--target', asking.alias]);
    await given.answer(/password: $/, '\u0003');
    expect(await given.code).toBe(4);
  });
});
