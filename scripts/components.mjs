// Plain JavaScript, because provision.mjs runs it on the system's Node, before one that runs TypeScript is installed.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Returns the path of the first of these commands on the PATH, in root's folders or in cargo's; null if there is none.
 */
export function findCommand(...names) {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  for (const name of names) {
    for (const folder of [...folders, '/usr/sbin', '/sbin', path.join(homedir(), '.cargo', 'bin')]) {
      const file = path.join(folder, name);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        // not in this folder
      }
    }
  }
  return null;
}

/**
 * The headless shell comes first: it loads no user interface, which costs a third of the CPU time of starting a test.
 */
export const findChromium = () =>
  findCommand('chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome');

const haveLibraries = (...names) => {
  const ldconfig = findCommand('ldconfig');
  if (ldconfig === null) return false;
  const known = spawnSync(ldconfig, ['-p'], { encoding: 'utf8' }).stdout ?? '';
  return names.every((name) => known.includes(`\t${name} `));
};

/**
 * System components that Flamebench can use, besides Node. A package is a list of names, of which the first known to
 * the distribution is installed (Debian 13 and Ubuntu 24.04 renamed some for 64-bit time). The `services` of a package
 * are kept from starting.
 */
export const components = [
  {
    id: 'perf',
    purpose: 'records profiles',
    packages: [['linux-perf', 'linux-tools-generic']],
    present: () => findCommand('perf') !== null,
  },
  {
    id: 'objdump',
    purpose: 'disassembles functions for perf',
    packages: [['binutils']],
    present: () => findCommand('objdump') !== null,
  },
  {
    id: 'chromium',
    purpose: 'runs the end-to-end tests',
    packages: [['chromium-headless-shell', 'chromium', 'chromium-browser']],
    present: () => findChromium() !== null,
  },
  {
    id: 'firefox',
    purpose: 'opens reports in tests, as another browser',
    packages: [['firefox-esr', 'firefox']],
    present: () => findCommand('firefox-esr', 'firefox') !== null,
  },
  {
    id: 'xvfb',
    purpose: 'gives Electron a display in its test',
    packages: [['xvfb'], ['xauth']],
    present: () => ['Xvfb', 'xvfb-run', 'xauth'].every((name) => findCommand(name) !== null),
  },
  {
    id: 'electron-libraries',
    purpose: 'lets Electron start',
    packages: [['libgtk-3-0t64', 'libgtk-3-0'], ['libnss3'], ['libxss1'], ['libasound2t64', 'libasound2'], ['libgbm1']],
    present: () => haveLibraries('libgtk-3.so.0', 'libnss3.so', 'libXss.so.1', 'libasound.so.2', 'libgbm.so.1'),
  },
  {
    id: 'pip',
    purpose: "fetches the Electron of the smoke test where npm's has no binary",
    packages: [['python3-pip']],
    present: () => {
      const python = findCommand('python3');
      return python !== null && spawnSync(python, ['-c', 'import pip']).status === 0;
    },
  },
  {
    id: 'compiler',
    purpose: 'builds the test programs and node-pty',
    packages: [['make'], ['g++'], ['python3']],
    present: () => ['make', 'g++', 'gcc', 'python3'].every((name) => findCommand(name) !== null),
  },
  {
    id: 'go',
    purpose: 'builds a test program, and reads what `pprof` is compared with',
    packages: [['golang-go']],
    present: () => findCommand('go') !== null,
  },
  {
    id: 'jdk',
    purpose: 'runs the Java programs of tests',
    packages: [['default-jdk-headless', 'openjdk-17-jdk-headless']],
    present: () => ['java', 'javac', 'jcmd'].every((name) => findCommand(name) !== null),
  },
  {
    id: 'maven',
    purpose: 'fetches async-profiler for tests',
    packages: [['maven']],
    present: () => findCommand('mvn') !== null,
  },
  {
    id: 'bpftrace',
    purpose: 'records in tests',
    packages: [['bpftrace']],
    present: () => findCommand('bpftrace') !== null,
  },
  {
    id: 'podman',
    purpose: 'runs containers that tests record',
    packages: [['podman'], ['runc']],
    present: () => findCommand('podman') !== null && findCommand('runc') !== null,
  },
  {
    id: 'gperftools',
    purpose: 'is what a program of the tests profiles itself with',
    packages: [['libgoogle-perftools-dev']],
    present: () => haveLibraries('libprofiler.so.0') && existsSync('/usr/include/gperftools/profiler.h'),
  },
  {
    id: 'minisign',
    purpose: 'signs a release, and its test',
    packages: [['minisign']],
    present: () => findCommand('minisign') !== null,
  },
  {
    id: 'wrk',
    purpose: 'puts load on servers in tests',
    packages: [['wrk']],
    present: () => findCommand('wrk') !== null,
  },
  {
    id: 'nginx',
    purpose: 'is a proxy in front of a server in tests',
    packages: [['nginx']],
    services: ['nginx.service'],
    present: () => findCommand('nginx') !== null,
  },
  {
    id: 'emulator',
    purpose: 'builds and emulates a machine with SystemTap for tests',
    packages: [['qemu-system-x86'], ['debootstrap'], ['cpio'], ['e2fsprogs']],
    present: () => ['qemu-system-x86_64', 'debootstrap', 'cpio', 'mke2fs'].every((name) => findCommand(name) !== null),
  },
  {
    id: 'desktop-files',
    purpose: 'opens files as a desktop does, in tests',
    packages: [['xdg-utils'], ['shared-mime-info'], ['libfile-mimeinfo-perl']],
    present: () =>
      ['xdg-open', 'xdg-mime', 'mimetype', 'update-mime-database'].every((name) => findCommand(name) !== null),
  },
  {
    id: 'debootstrap',
    purpose: 'makes the systems in which a package is installed and another Python is recorded',
    packages: [['debootstrap']],
    present: () => findCommand('debootstrap') !== null,
  },
  {
    id: 'valgrind',
    purpose: 'is what the numbers of Callgrind files are compared with in tests',
    packages: [['valgrind']],
    present: () => ['valgrind', 'callgrind_annotate'].every((name) => findCommand(name) !== null),
  },
  {
    id: 'shellcheck',
    purpose: 'checks the shell scripts that run on targets',
    packages: [['shellcheck']],
    present: () => findCommand('shellcheck') !== null,
  },
  {
    id: 'ssh',
    purpose: 'reaches targets',
    packages: [['openssh-client']],
    present: () => ['ssh', 'ssh-keygen'].every((name) => findCommand(name) !== null),
  },
  {
    id: 'sshd',
    purpose: "is the target of tests; the system's own server is neither started nor changed",
    packages: [['openssh-server']],
    services: ['ssh.service', 'ssh.socket'],
    present: () => findCommand('sshd') !== null,
  },
  {
    id: 'namespaces',
    purpose: 'gives each target of a test its own processes, files and link',
    packages: [['util-linux'], ['mount'], ['iproute2']],
    present: () => ['unshare', 'nsenter', 'flock', 'mount', 'ip'].every((name) => findCommand(name) !== null),
  },
  {
    id: 'sudo',
    purpose: 'elevates collectors in tests',
    packages: [['sudo']],
    present: () => findCommand('sudo') !== null,
  },
  {
    id: 'shells',
    purpose: 'are login shells of targets in tests',
    packages: [['fish'], ['tcsh'], ['zsh'], ['busybox']],
    present: () => ['fish', 'tcsh', 'zsh', 'busybox'].every((name) => findCommand(name) !== null),
  },
  {
    id: 'locales',
    purpose: 'lets a test speak German',
    packages: [['locales']],
    present: () => findCommand('localedef') !== null && existsSync('/usr/share/i18n/locales/de_DE'),
  },
];

/**
 * Returns whether node-pty is usable. It has no prebuilt binary for Linux; npm compiles it if possible, else omits it.
 */
export const havePty = () =>
  ['build/Release/pty.node', `prebuilds/${process.platform}-${process.arch}/pty.node`].some((file) =>
    existsSync(path.join(root, 'node_modules/node-pty', file)),
  );

/** Returns the given components that are not installed. */
export function missingComponents(ids) {
  return components.filter(({ id, present }) => ids.includes(id) && !present());
}
