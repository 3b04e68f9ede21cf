import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { childrenOf, cpuSecondsOf, innerPid, killProcess, processesIn } from './process-list.ts';

export interface TestMachineOptions {
  readonly hostname: string;
  /** Bound to /run/machine in it; what is below its `home` and `root` is copied to the account's home and to /. */
  readonly folder: string;
  /** `own`: own processes, temp folders and homes. `shared`: this machine's; accounts and /etc are its own all the same. */
  readonly files: 'own' | 'shared';
  /** Own network, linked to this machine by one pair of interfaces. Otherwise this machine's. */
  readonly link: boolean;
  /** A line of /etc/passwd and its password's hash; the home is made. Null: root alone. */
  readonly account: { readonly name: string; readonly uid: number; readonly shell: string } | null;
  readonly passwordHash: string;
  /** Bytes of /tmp; only where files are its own. */
  readonly tmpBytes?: number | undefined;
  /** Its /usr/bin: `busybox` and perf alone, or this machine's. */
  readonly tools?: 'busybox' | undefined;
  /** Programs of /usr/bin that it lacks. */
  readonly without?: readonly string[];
}

/**
 * A part of this machine that stands for another one, in namespaces that the kernel removes with its first process, which ends when the
 * test does, also by kill -9: nothing of it can be left behind.
 */
export interface TestMachine {
  /** Where it is reached; null where it shares this machine's network. */
  readonly address: string | null;
  /** Runs a command in it as root; rejects where that fails. */
  execute(argv: readonly string[]): Promise<string>;
  /** Starts a process in it; `pid` is the one in it. */
  start(argv: readonly string[], options?: { user?: boolean; env?: Record<string, string> }): Promise<MachineProcess>;
  /** Command lines of what runs in it but the machine itself, what {@link TestMachine.start} started, and the ssh server. */
  processes(): string[];
  /** Files and folders in its temp folders and homes that were not there when it started. Only where files are its own. */
  files(): Promise<string[]>;
  /** Kills the ssh server and its sessions, not what these run. */
  killServer(): void;
  /** Of all that has ended in it, and of its ssh server; not of what {@link TestMachine.start} started. Only where processes are its own. */
  cpuSeconds(): number;
  /** What the link has carried, either way, since it was made. */
  linkBytes(): Promise<number>;
  /** Silently drops what is sent either way. */
  cutLink(): Promise<void>;
  restoreLink(): Promise<void>;
  /** Ends every process in it. */
  dispose(): Promise<void>;
}

export interface MachineProcess {
  readonly pid: number;
  /** Its pid on this machine. */
  readonly outerPid: number;
  kill(signal: NodeJS.Signals): void;
}

const SETUP = `
set -e
mount -t tmpfs -o mode=755 run /run
mkdir -p /run/machine /run/sshd /run/sudo
mount --bind "$FOLDER" /run/machine
if [ -n "$WITHOUT$TOOLS" ]; then
  mkdir /run/usr-bin /run/bin
  mount --bind /usr/bin /run/usr-bin
  if [ "$TOOLS" = busybox ]; then
    for program in busybox perf sudo; do ln -s "/run/usr-bin/$program" /run/bin; done
    /usr/bin/busybox --install -s /run/bin
  else cp -rs /run/usr-bin/. /run/bin; fi
  for program in $WITHOUT; do rm -f "/run/bin/$program"; done
  mount --bind /run/bin /usr/bin
fi
cp -a /etc /run/etc
mount --bind /run/etc /etc
mount -t tmpfs -o mode=755 log /var/log
mount -t tmpfs -o mode=755 home /home
if [ -d /var/lib/sudo ]; then mount -t tmpfs -o mode=700 sudo /var/lib/sudo; fi
if [ "$FILES" = own ]; then
  mount -t tmpfs -o "mode=1777,size=$TMP_BYTES" tmp /tmp
  mount -t tmpfs -o mode=1777 tmp /var/tmp
  mount -t tmpfs -o mode=1777 shm /dev/shm
  mount -t tmpfs -o mode=700 root /root
fi
hostname "$NAME"
echo "127.0.1.1 $NAME" >> /etc/hosts
: > /etc/motd
sed -i "s|^root:[^:]*:|root:$HASH:|" /etc/shadow
if [ -n "$ACCOUNT" ]; then
  echo "$ACCOUNT:x:$ACCOUNT_ID:" >> /etc/group
  echo "$ACCOUNT:$HASH:19000:0:99999:7:::" >> /etc/shadow
  echo "$ACCOUNT:x:$ACCOUNT_ID:$ACCOUNT_ID::/home/$ACCOUNT:$ACCOUNT_SHELL" >> /etc/passwd
  mkdir -m 755 "/home/$ACCOUNT"
  cp -a /etc/skel/. "/home/$ACCOUNT"
fi
if [ -d /run/machine/root ]; then cp -r /run/machine/root/. /; fi
if [ -n "$ACCOUNT" ]; then
  if [ -d /run/machine/home ]; then cp -r /run/machine/home/. "/home/$ACCOUNT"; fi
  chown -R "$ACCOUNT_ID:$ACCOUNT_ID" "/home/$ACCOUNT"
fi
exec 3<&0
cat <&3 >/dev/null &
echo ready
wait $! || true
if [ -f /run/machine/sshd.pid ]; then kill "$(cat /run/machine/sshd.pid)" 2>/dev/null; fi
`;

/** Folders in which a program may leave something. What sudo and the ssh server keep for themselves is below /run. */
const WATCHED = ['/tmp', '/var/tmp', '/dev/shm', '/home', '/root'];

export async function startTestMachine(options: TestMachineOptions): Promise<TestMachine> {
  const isApart = options.files === 'own';
  const { account, link } = options;
  const flags = ['--mount', '--uts', '--propagation', 'private', ...(link ? ['--net'] : [])];
  const processFlags = isApart ? ['--pid', '--fork', '--kill-child', '--mount-proc'] : [];
  const holder = spawn('unshare', [...flags, ...processFlags, 'sh', '-c', SETUP], {
    env: {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      FOLDER: options.folder,
      FILES: options.files,
      TMP_BYTES: options.tmpBytes === undefined ? '50%' : String(options.tmpBytes),
      NAME: options.hostname,
      HASH: options.passwordHash,
      TOOLS: options.tools ?? '',
      WITHOUT: (options.without ?? []).join(' '),
      ACCOUNT: account?.name ?? '',
      ACCOUNT_ID: String(account?.uid ?? ''),
      ACCOUNT_SHELL: account?.shell ?? '',
    },
  });
  const ended = new Promise<void>((resolve) => holder.once('exit', () => resolve()));
  await firstOutput(holder, 'a test machine');
  const outer = holder.pid ?? 0;
  const init = isApart ? (childrenOf(outer)[0] ?? 0) : outer;
  const own = new Set(processesIn(init).map(({ pid }) => pid));

  const enter = (argv: readonly string[], user: boolean, env?: Record<string, string>): ChildProcess => {
    const id = String(account?.uid ?? 0);
    const spaces = ['--mount', '--uts', ...(isApart ? ['--pid'] : []), ...(link ? ['--net'] : [])];
    const identity = user ? ['--setuid', id, '--setgid', id] : [];
    const home = user && account !== null ? `/home/${account.name}` : '/root';
    return spawn('nsenter', ['-t', String(init), ...spaces, ...identity, '--', ...argv], {
      // First the programs that its /usr/bin may lack.
      env: { ...process.env, PATH: `/run/usr-bin:${process.env['PATH']}`, HOME: home, ...env },
    });
  };

  const machine: TestMachine = {
    address: link ? await linkTo(init) : null,

    execute: (argv) => outputOf(enter(argv, false), argv),

    async start(argv, { user = false, env } = {}) {
      const child = enter(['sh', '-c', 'echo started; exec "$@"', 'sh', ...argv], user, env);
      await firstOutput(child, argv.join(' '));
      child.stdout?.resume();
      child.stderr?.resume();
      // In a process namespace of its own nsenter waits for a child.
      const outerPid = (isApart ? childrenOf(child.pid ?? 0)[0] : child.pid) ?? 0;
      for (const pid of [child.pid ?? 0, outerPid]) own.add(pid);
      return { pid: innerPid(outerPid) ?? 0, outerPid, kill: (signal) => void process.kill(outerPid, signal) };
    },

    processes: () =>
      processesIn(init)
        .filter(({ pid, parent, name }) => !own.has(pid) && (!own.has(parent) || parent === init) && !isServer(name))
        .flatMap(({ pid, command }) => {
          const inner = innerPid(pid);
          return inner === null ? [] : [`${inner} ${command}`];
        }),

    async files() {
      const listing = await machine.execute(['find', ...WATCHED, '-mindepth', '1', '-cnewer', '/run/machine/started']);
      return listing.split('\n').filter((line) => line !== '');
    },

    cpuSeconds: () => [init, ...childrenOf(init)].reduce((sum, pid) => sum + cpuSecondsOf(pid), 0),

    async linkBytes() {
      // Of the network's own devices; /sys shows this machine's.
      const counts = /^\s*eth0:(.*)$/m
        .exec(await machine.execute(['cat', '/proc/net/dev']))?.[1]
        ?.trim()
        .split(/\s+/);
      return Number(counts?.[0]) + Number(counts?.[8]);
    },

    killServer() {
      for (const { pid, name } of processesIn(init)) if (isServer(name)) killProcess(pid);
    },

    cutLink: async () => void (await machine.execute(['ip', 'link', 'set', 'eth0', 'down'])),
    restoreLink: async () => void (await machine.execute(['ip', 'link', 'set', 'eth0', 'up'])),

    async dispose() {
      for (const { pid } of processesIn(init)) if (pid !== init) killProcess(pid);
      holder.stdin.end();
      await ended;
    },
  };
  if (link) {
    const up = `ip link set lo up && ip addr add ${machine.address}/30 dev eth0 && ip link set eth0 up`;
    await machine.execute(['sh', '-c', up]);
  }
  await machine.execute(['touch', '/run/machine/started']);
  return machine;
}

/** The kernel removes both interfaces with the process's network. Addresses are of the range reserved for measurements (RFC 2544). */
async function linkTo(init: number): Promise<string> {
  const network = randomInt(1 << 15) * 4;
  const address = (host: number): string =>
    `198.${18 + (network >> 16)}.${(network >> 8) & 255}.${(network & 255) + host}`;
  const name = `fbv${network.toString(36)}`;
  const ip = (...words: string[]): Promise<string> => outputOf(spawn('ip', words), ['ip', ...words]);
  await ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(init));
  await ip('addr', 'add', `${address(1)}/30`, 'dev', name);
  await ip('link', 'set', name, 'up');
  return address(2);
}

const isServer = (name: string): boolean => /^sshd(-session|-auth)?$/.test(name);

function outputOf(child: ChildProcess, argv: readonly string[]): Promise<string> {
  child.stdin?.end();
  return new Promise((resolve, reject) => {
    let stdout = '';
    let stderr = '';
    child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(stdout);
      else reject(new Error(`${argv.join(' ')} ended with ${code}: ${stderr.trim()}`));
    });
  });
}

/** Resolves with a process's first output; rejects where it ends without. */
function firstOutput(child: ChildProcess, what: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let stderr = '';
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.stdout?.once('data', () => resolve());
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${what} ended with ${code}: ${stderr.trim()}`)));
  });
}
