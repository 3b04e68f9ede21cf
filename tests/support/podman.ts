import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Folders of this machine that a container of the tests has, read only: programs and their libraries. */
const SHARED = ['/usr', '/lib', '/lib64'];

export interface Podman {
  /** For commands that ask podman: its storage is the test's own. */
  readonly env: Readonly<Record<string, string>>;
  /** Name of its only image. */
  readonly image: string;
  /** Starts a container with a program of this machine; returns its PID outside. */
  start(name: string, argv: readonly string[], mounts?: readonly string[]): number;
  /** Runs a container to its end, and returns what it printed. */
  run(argv: readonly string[], mounts?: readonly string[], options?: readonly string[]): string;
  /** Ends a container at once, and forgets it. */
  remove(name: string): void;
  /** Removes everything. */
  close(): void;
}

/** Sets podman up in a folder of its own: nothing of this machine's containers is read or changed. */
export function openPodman(): Podman {
  const folder = mkdtempSync(join(tmpdir(), 'flamebench-podman-'));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const env = {
    CONTAINERS_STORAGE_CONF: file(
      'storage.conf',
      `[storage]\ndriver = "vfs"\ngraphroot = "${join(folder, 'graph')}"\nrunroot = "${join(folder, 'run')}"\n`,
    ),
    // crun refuses machines with both versions of control groups; a limit above the machine's is not allowed in one.
    CONTAINERS_CONF: file(
      'containers.conf',
      '[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=1000:1000"]\nnetns = "none"\n' +
        '[engine]\ncgroup_manager = "cgroupfs"\nruntime = "runc"\nevents_logger = "none"\n',
    ),
  };
  const podman = (...args: string[]): string =>
    execFileSync('podman', args, {
      encoding: 'utf8',
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const root = join(folder, 'root');
  for (const name of ['tmp', 'proc', 'sys', 'dev', 'etc', ...SHARED]) mkdirSync(join(root, name), { recursive: true });
  execFileSync('tar', ['-C', root, '-cf', join(folder, 'root.tar'), '.']);
  const image = 'localhost/flamebench-test:1';
  podman('import', '--quiet', join(folder, 'root.tar'), image);
  const names = new Set<string>();
  const volumes = (mounts: readonly string[]): string[] =>
    [...SHARED, ...mounts].flatMap((path) => ['-v', `${path}:${path}:ro`]);
  return {
    env,
    image,
    start(name, argv, mounts = []) {
      names.add(name);
      podman('run', '--replace', '--detach', '--name', name, ...volumes(mounts), image, ...argv);
      return Number(podman('container', 'inspect', '--format', '{{.State.Pid}}', name));
    },
    run: (argv, mounts = [], options = []) => podman('run', '--rm', ...options, ...volumes(mounts), image, ...argv),
    remove(name) {
      names.delete(name);
      podman('rm', '--force', '--time', '0', name);
    },
    close() {
      // Another failure of the test must not hide behind one of the clean-up.
      for (const name of names)
        spawnSync('podman', ['rm', '--force', '--time', '0', name], { env: { ...process.env, ...env } });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
