import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** This machine's folders of programs and libraries, which test containers mount read-only. */
const SHARED = ['/usr', '/lib', '/lib64'];

export interface Podman {
  /** Environment for commands that run podman, which selects the test's own storage. */
  readonly env: Readonly<Record<string, string>>;
  /** Name of its only image. */
  readonly image: string;
  /** Starts a container with a program of this machine; returns its PID outside. */
  start(name: string, argv: readonly string[], mounts?: readonly string[], options?: readonly string[]): number;
  /** Runs a container to its end, and returns what it printed. */
  run(argv: readonly string[], mounts?: readonly string[], options?: readonly string[]): string;
  /** Kills and removes a container. */
  remove(name: string): void;
  /** Removes everything. */
  close(): void;
}

/** Sets up podman with its own storage, so that this machine's containers are neither read nor changed. */
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
    // crun refuses machines with both cgroup versions; nested containers may not raise the machine's limits.
    CONTAINERS_CONF: file(
      'containers.conf',
      '[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=1000:1000"]\nnetns = "none"\n' +
        '[engine]\ncgroup_manager = "cgroupfs"\nruntime = "runc"\nevents_logger = "none"\n' +
        // Otherwise in /dev/shm, /run and /etc.
        `lock_type = "file"\ntmp_dir = "${join(folder, 'engine')}"\n[network]\nnetwork_config_dir = "${join(folder, 'net')}"\n`,
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
  const volumes = (mounts: readonly string[]): string[] =>
    [...SHARED, ...mounts].flatMap((path) => ['-v', `${path}:${path}:ro`]);
  return {
    env,
    image,
    start(name, argv, mounts = [], options = []) {
      podman('run', '--replace', '--detach', '--name', name, ...options, ...volumes(mounts), image, ...argv);
      return Number(podman('container', 'inspect', '--format', '{{.State.Pid}}', name));
    },
    run: (argv, mounts = [], options = []) => podman('run', '--rm', ...options, ...volumes(mounts), image, ...argv),
    remove(name) {
      podman('rm', '--force', '--time', '0', name);
    },
    close() {
      // A failing clean-up must not hide the test's own failure.
      spawnSync('podman', ['rm', '--all', '--force', '--time', '0'], { env: { ...process.env, ...env } });
      // podman's own processes may still be ending.
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}
