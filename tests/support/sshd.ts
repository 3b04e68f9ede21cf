import { spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join, normalize } from 'node:path';
import { findCommand, missingComponents } from '../../scripts/components.mjs';
import { freePort } from './free-port.ts';
import { makeLockedFolder } from './locked-folder.ts';
import type { Need } from './needing.ts';
import { clientConfig, serverConfig } from './sshd-config.ts';
import { startTestMachine, type TestMachine } from './test-machine.ts';

/** Password of every account on every test host, including root. */
export const PASSWORD = 'correct horse 7';
const PASSWORD_HASH =
  '$6$flamebench$gzzTXjoUQXll4AVSmtt08qNbCkSC6i.S5oQmfVbZm99nXYy8yZWY3D/BKttV4A2l0hg9y3nUniDSZg2Fu9zwD.';

export interface SshHostOptions {
  /** Default `key`. */
  readonly auth?: 'key' | 'password' | 'keyboard-interactive';
  /**
   * `shared` uses this machine's processes, temp folders and root, for tests that look at them from outside. Default
   * `own`.
   */
  readonly files?: 'own' | 'shared';
  /** Account to log in as. Default `fb-test`, which has no privileges. */
  readonly user?: 'fb-test' | 'root';
  /** Gives the host its own network, whose link can be cut. */
  readonly link?: boolean;
  /** Login shell of fb-test: a name such as `fish`. Default `sh`. */
  readonly shell?: string;
  /** Text that the server shows before the login. */
  readonly banner?: string;
  /**
   * Files below the home (`.bashrc`), and below the host's own /etc and /home (`etc/motd`). Files that begin with `#!`
   * are executable.
   */
  readonly home?: Readonly<Record<string, string>>;
  readonly root?: Readonly<Record<string, string>>;
  /** Environment of each session. */
  readonly env?: Readonly<Record<string, string>>;
  readonly maxSessions?: number;
  /** Commands that fb-test may run by sudo. Default none. */
  readonly sudo?: 'with password' | 'without password';
  /** `busybox`: the host has no programs except busybox's and perf. */
  readonly tools?: 'busybox';
  /** Programs of /usr/bin that the host lacks. */
  readonly without?: readonly string[];
  /** Size of /tmp. */
  readonly tmpBytes?: number;
  /** Locale of each session, compiled for the host: `de_DE`. */
  readonly locale?: string;
  /** Further lines of the server's and the client's configuration. */
  readonly serverConfig?: readonly string[];
  readonly clientConfig?: readonly string[];
  /** False if the client does not know the host yet. Default true. */
  readonly known?: boolean;
  /** Host through which this one is reached by ProxyJump. */
  readonly via?: SshHost;
}

/** A real OpenSSH server on a test machine, with a client configuration that reaches it. */
export interface SshHost extends Omit<TestMachine, 'address'> {
  /** Its Host entry in {@link clientConfigFile}. */
  readonly alias: string;
  readonly address: string;
  readonly port: number;
  readonly user: string;
  /** `ssh://user@address:port`. The client configuration's settings apply to it as well. */
  readonly destination: string;
  /** File for `ssh -F`, which makes ssh ignore the configuration of the user and of the system. */
  readonly clientConfigFile: string;
  /** Text of the configuration file, for a file with many hosts. */
  readonly clientConfigText: string;
  readonly knownHostsFile: string;
  /** The private key that logs in. */
  readonly keyFile: string;
  /** Returns the server's log since its start. */
  log(): Promise<string>;
  /** Starts the server again after {@link TestMachine.killServer}. */
  startServer(): Promise<void>;
  /** Gives the server another host key, which it uses from its next start on. */
  changeHostKey(): Promise<void>;
}

const COMPONENTS = ['ssh', 'sshd', 'namespaces', 'sudo', 'shells', 'locales'] as const;

/** The programs that tests with ssh hosts need. */
export const sshHosts: Need = {
  get name() {
    const missing = missingComponents(COMPONENTS).map(({ id }) => id);
    if (missing.length > 0) return missing.join(', ');
    return process.getuid?.() === 0 ? 'the right to make namespaces (CAP_SYS_ADMIN)' : 'root';
  },
  present: () =>
    missingComponents(COMPONENTS).length === 0 &&
    process.getuid?.() === 0 &&
    spawnSync('unshare', ['--mount', '--uts', '--pid', '--net', '--fork', 'mount', '-t', 'tmpfs', 'tmp', '/tmp'])
      .status === 0,
};

let count = 0;

/** Starts a host. The test must dispose of it. */
export async function startSshHost(options: SshHostOptions = {}): Promise<SshHost> {
  const { auth = 'key', files = 'own', link = false, known = true, via } = options;
  const user = options.user ?? (files === 'shared' ? 'root' : 'fb-test');
  count += 1;
  const alias = `fb-test-${process.pid}-${count}`;
  const { path: folder, remove } = makeLockedFolder('fb-sshd-');
  // The server reads the accepted keys as the account, which must be able to pass through the folder.
  await chmod(folder, 0o711);
  const keyFile = join(folder, 'client_key');
  const knownHostsFile = join(folder, 'known_hosts');
  const clientConfigFile = join(folder, 'ssh_config');
  const keys = [makeKey(keyFile), makeKey(join(folder, 'host_key'))];
  await Promise.all([...keys, writeTrees(folder, options), makeLocale(folder, options.locale)]);
  await writeFile(join(folder, 'authorized_keys'), await readFile(`${keyFile}.pub`));
  // Each host's account has its own uid, so that hosts do not share the kernel's limit on memory that perf may lock.
  const uid = 40_000 + ((process.pid * 64 + count) % 20_000);
  const machine = await startTestMachine({
    hostname: alias,
    folder,
    files,
    link,
    account: user === 'root' ? null : { name: user, uid, shell: findCommand(options.shell ?? 'sh') ?? '/bin/sh' },
    passwordHash: PASSWORD_HASH,
    tmpBytes: options.tmpBytes,
    tools: options.tools,
    without: options.without ?? [],
  });
  const address = machine.address ?? `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;
  const port = machine.address === null ? await freePort(address) : 22;
  const hostKey = async (): Promise<string> => readFile(join(folder, 'host_key.pub'), 'utf8');
  const clientConfigText = clientConfig({ alias, address, port, user, auth, keyFile, knownHostsFile, via, options });
  await writeFile(knownHostsFile, known ? `[${address}]:${port},${address} ${await hostKey()}` : '');
  await writeFile(clientConfigFile, clientConfigText);
  await writeFile(join(folder, 'sshd_config'), serverConfig(address, port, auth, options));

  const host: SshHost = {
    ...machine,
    alias,
    address,
    port,
    user,
    destination: `ssh://${user}@${address}:${port}`,
    clientConfigFile,
    clientConfigText,
    knownHostsFile,
    keyFile,
    log: () => readFile(join(folder, 'sshd.log'), 'utf8'),
    async startServer() {
      const command = '/usr/sbin/sshd -f /run/machine/sshd_config -E /run/machine/sshd.log';
      await machine.execute(['sh', '-c', command]);
      await untilListening(address, port);
    },
    async changeHostKey() {
      await rm(join(folder, 'host_key'));
      await makeKey(join(folder, 'host_key'));
    },
    async dispose() {
      await machine.dispose();
      remove();
    },
  };
  try {
    await host.startServer();
  } catch (error) {
    const log = await host.log().catch(() => '');
    await host.dispose();
    throw new Error(`sshd did not start: ${log}`, { cause: error });
  }
  return host;
}

/** PAM configuration without the parts that containers lack (login uids, limits, systemd sessions). */
const PAM =
  ['auth', 'account'].map((kind) => `${kind} required pam_unix.so`).join('\n') + '\nsession optional pam_unix.so\n';

async function writeTrees(folder: string, options: SshHostOptions): Promise<void> {
  const { banner, home = {}, root = {}, sudo } = options;
  const may = sudo === undefined ? '' : `fb-test ALL=(ALL:ALL) ${sudo === 'with password' ? '' : 'NOPASSWD: '}ALL\n`;
  const files = new Map([
    ['root/etc/pam.d/sshd', PAM],
    ['root/etc/pam.d/sudo', PAM],
    ['root/etc/sudoers', `Defaults env_reset\nroot ALL=(ALL:ALL) ALL\n${may}`],
    ...Object.entries(root).map(([file, text]) => [`root/${file}`, text] as const),
    ...Object.entries(home).map(([file, text]) => [`home/${file}`, text] as const),
    ...(banner === undefined ? [] : [['banner', banner] as const]),
  ]);
  for (const [file, text] of files) {
    if (!/^(?:root\/(?:etc|home)|home|banner)(?:\/|$)/.test(normalize(file)))
      throw new Error(`${file}: a host has files of its own in home, root/etc and root/home only`);
    await mkdir(dirname(join(folder, file)), { recursive: true });
    const mode = file === 'root/etc/sudoers' ? 0o440 : text.startsWith('#!') ? 0o755 : 0o644;
    await writeFile(join(folder, file), text, { mode });
  }
}

const makeKey = (file: string): Promise<void> =>
  command('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', file);

async function makeLocale(folder: string, locale: string | undefined): Promise<void> {
  if (locale === undefined) return;
  await mkdir(join(folder, 'locale'));
  await command('localedef', '-i', locale, '-f', 'UTF-8', join(folder, 'locale', `${locale}.UTF-8`));
}

function command(program: string, ...args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'ignore' });
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}`))));
  });
}

async function untilListening(address: string, port: number): Promise<void> {
  const deadline = performance.now() + 15_000;
  while (!(await listens(address, port))) {
    if (performance.now() > deadline) throw new Error(`nothing is listening on ${address}:${port}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function listens(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2000 });
    const end = (answer: boolean) => (): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false));
  });
}
