import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { childrenOf, cpuSecondsOf, innerPid, killProcess, processesIn, type ListedProcess } from './process-list.ts';

export interface TestMachineOptions {
  readonly hostname: string;
  /**
   * Folder that is bound to /run/machine in it. The content of its `home` and `root` is copied to the account's home
   * and to /.
   */
  readonly folder: string;
  /** `own`: its own processes, temp folders and homes. `shared`: those of this machine, except accounts and /etc. */
  readonly files: 'own' | 'shared';
  /**
   * Gives it its own network, linked to this machine by a pair of interfaces. Otherwise it uses this machine's
   * network.
   */
  readonly link: boolean;
  /** Account in /etc/passwd, whose home is created. Null: only root exists. */
  readonly account: { readonly name: string; readonly uid: number; readonly shell: string } | null;
  readonly passwordHash: string;
  /** Size of /tmp in bytes; applies only with `files: 'own'`. */
  readonly tmpBytes?: number | undefined;
  /** Content of /usr/bin: only `busybox` and perf; by default this machine's. */
  readonly tools?: 'busybox' | undefined;
  /** Programs of /usr/bin that it lacks. */
  readonly without?: readonly string[];
}

/**
 * A part of this machine that stands for another machine, in Linux namespaces. The kernel removes them with their first
 * process, which ends with the test, even by kill -9, so that nothing remains.
 */
export interface TestMachine {
  /** Its address; null if it shares this machine's network. */
  readonly address: string | null;
  /** Runs a command in it as root; rejects if the command fails. */
  execute(argv: readonly string[]): Promise<string>;
  /** Starts a process in it. `pid` is the PID within the machine. */
  start(argv: readonly string[], options?: { user?: boolean; env?: Record<string, string> }): Promise<MachineProcess>;
  /**
   * Returns the command lines of its processes, without the machine's own, those of {@link TestMachine.start}, and the
   * ssh server.
   */
  processes(): string[];
  /**
   * Returns the files and folders in its temp folders and homes that are new since its start. Works only with `files:
   * 'own'`.
   */
  files(): Promise<string[]>;
  /** Kills the ssh server and its sessions, but not the programs that the sessions run. */
  killServer(): void;
  /**
   * Returns the CPU seconds of all ended processes and of the ssh server, without those of {@link TestMachine.start}.
   * Requires `files: 'own'`, which gives it its own processes.
   */
  cpuSeconds(): number;
  /** Returns the bytes that the link has carried in both directions. */
  linkBytes(): Promise<number>;
  /** Silently drops everything sent in either direction. */
  cutLink(): Promise<void>;
  restoreLink(): Promise<void>;
  /** Ends every process in it. */
  dispose(): Promise<void>;
}

export interface MachineProcess {
  readonly pid: number;
  /** PID on this machine. */
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
else
  for folder in /tmp /var/tmp /dev/shm /root; do mount --bind "$folder" "$folder"; done
fi
# Whatever runs in it as root changes none of this machine's other files.
mount -o remount,bind,ro /
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

/** Folders in which a program may leave files. sudo and the ssh server keep theirs below /run. */
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
  /** Its processes; none once it has ended, even if another process of this machine has got the PID. */
  const running = (): ListedProcess[] =>
    holder.exitCode === null && holder.signalCode === null ? processesIn(init) : [];
  const own = new Set(running().map(({ pid }) => pid));

  const enter = (argv: readonly string[], user: boolean, env?: Record<string, string>): ChildProcess => {
    const id = String(account?.uid ?? 0);
    const spaces = ['--mount', '--uts', ...(isApart ? ['--pid'] : []), ...(link ? ['--net'] : [])];
    const identity = user ? ['--setuid', id, '--setgid', id] : [];
    const home = user && account !== null ? `/home/${account.name}` : '/root';
    return spawn('nsenter', ['-t', String(init), ...spaces, ...identity, '--', ...argv], {
      // This machine's programs come first, since its /usr/bin may lack some.
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
      // nsenter waits for a child if the machine has its own PID namespace.
      const outerPid = isApart ? childrenOf(child.pid ?? 0)[0] : child.pid;
      if (outerPid === undefined) throw new Error(`${argv.join(' ')} ended before its PID was known`);
      for (const pid of [child.pid ?? 0, outerPid]) own.add(pid);
      // Once it has ended, its PID may be another process's.
      const kill = (signal: NodeJS.Signals): void => {
        if (child.exitCode === null && child.signalCode === null) killProcess(outerPid, signal);
      };
      return { pid: innerPid(outerPid) ?? 0, outerPid, kill };
    },

    processes: () =>
      running()
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
      // /proc/net/dev shows the devices of this network; /sys shows this machine's.
      const counts = /^\s*eth0:(.*)$/m
        .exec(await machine.execute(['cat', '/proc/net/dev']))?.[1]
        ?.trim()
        .split(/\s+/);
      return Number(counts?.[0]) + Number(counts?.[8]);
    },

    killServer() {
      for (const { pid, name } of running()) if (isServer(name)) killProcess(pid);
    },

    cutLink: async () => void (await machine.execute(['ip', 'link', 'set', 'eth0', 'down'])),
    restoreLink: async () => void (await machine.execute(['ip', 'link', 'set', 'eth0', 'up'])),

    async dispose() {
      for (const { pid } of running()) if (pid !== init) killProcess(pid);
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

/**
 * Links the machine by a pair of interfaces, which the kernel removes with the network. The addresses are from the
 * range for benchmarks (RFC 2544).
 */
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

/** Resolves with a process's first output; rejects if it ends without any. */
function firstOutput(child: ChildProcess, what: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let stderr = '';
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.stdout?.once('data', () => resolve());
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${what} ended with ${code}: ${stderr.trim()}`)));
  });
}
