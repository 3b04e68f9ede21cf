// Plain JavaScript, because npm's postinstall runs it on the system's Node (20 or newer).
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findCommand, havePty, missingComponents } from './components.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const say = (line) => process.stdout.write(`provision: ${line}\n`);

/**
 * Installs the missing components of `ids` if allowed (see `elevation`) and the distribution is known; otherwise prints
 * the command to run. Returns those still missing. `given` holds the words that run a command as root; null if there
 * are none.
 */
export function provision(ids, given) {
  const missing = missingComponents(ids);
  // On other systems perf does not exist, and Electron and browsers include what they need.
  if (missing.length === 0 || process.platform !== 'linux') return missing;
  const elevate = given === undefined ? elevation() : given;
  const what = missing.map(({ id, purpose }) => `${id} (${purpose})`).join(', ');
  const apt = findCommand('apt-get');
  if (apt === null) {
    say(`missing: ${what}. Install them with your system's package manager.`);
    return missing;
  }
  if (elevate === null) {
    say(`missing: ${what}. To install: sudo apt-get install ${packageNames(missing).join(' ')}`);
    return missing;
  }
  say(`installing ${what}`);
  const problem = installPackages(elevate, missing);
  const still = missingComponents(missing.map(({ id }) => id));
  if (still.length > 0) {
    const line = `${elevate.join(' ')} apt-get install ${packageNames(still).join(' ')}`.trim();
    say(
      `still missing: ${still.map(({ id }) => id).join(', ')} (${problem ?? 'the packages lack it'}). To install: ${line}`,
    );
  }
  return still;
}

/**
 * Returns the words that run a command as root without a prompt; null if there are none. sudo is used only if
 * requested: on CI, or with FLAMEBENCH_PROVISION=sudo. That it needs no password is not consent.
 */
export function elevation(env = process.env, uid = process.getuid?.()) {
  if (uid === 0) return [];
  if (env.CI !== 'true' && env.FLAMEBENCH_PROVISION !== 'sudo') return null;
  const sudo = findCommand('sudo');
  return sudo !== null && spawnSync(sudo, ['-n', 'true']).status === 0 ? [sudo, '-n'] : null;
}

/** Returns null, or one line that says why it failed. */
function installPackages(elevate, missing) {
  const services = missing.flatMap((component) => component.services ?? []);
  const quietly = services.length === 0 ? [] : ['sh', '-c', keepServicesOff, services.join(' ')];
  const apt = (...args) => {
    const options = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=2', '-q', '-y'];
    const words = [...elevate, ...quietly, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...options, ...args];
    const { status, stdout, stderr, error } = spawnSync(words[0], words.slice(1), {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    if (status === 0) return null;
    return (
      `${stderr ?? ''}\n${stdout ?? ''}`.match(/^E: .*$/m)?.[0] ??
      error?.message ??
      `apt-get ${args[0]} ended with ${status}`
    );
  };
  const stale = apt('update');
  const problem = apt('install', '--no-install-recommends', ...packageNames(missing));
  return problem === null ? null : (stale ?? problem);
}

/**
 * Runs its arguments while the services named in $0 are kept from starting, both now (Debian's policy-rc.d, and a mask
 * under systemd) and at the next boot.
 */
const keepServicesOff = `
policy=/usr/sbin/policy-rc.d
if [ -d /run/systemd/system ]; then
  for unit in $0; do systemctl mask "$unit" >/dev/null 2>&1; done
fi
if (set -C; printf '#!/bin/sh\\nexit 101\\n' > $policy) 2>/dev/null; then
  trap 'rm -f $policy' EXIT
  chmod 755 $policy
fi
"$@"
`;

function packageNames(missing) {
  return missing.flatMap(({ packages }) => packages.map((names) => names.find(isAvailable) ?? names[names.length - 1]));
}

const isAvailable = (name) =>
  /^Package: /m.test(spawnSync('apt-cache', ['show', name], { encoding: 'utf8' }).stdout ?? '');

/**
 * Links the package's own command, which npm does not do; `npx flamebench` then starts the checkout without asking a
 * registry.
 */
export function linkCommand() {
  const { flamebench } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).bin;
  const folder = path.join(root, 'node_modules', '.bin');
  const link = path.join(folder, 'flamebench');
  const target = path.relative(folder, path.join(root, flamebench));
  if (process.platform === 'win32') {
    writeFileSync(`${link}.cmd`, `@node "%~dp0\\${target}" %*\r\n`);
    return;
  }
  if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) rmSync(link);
  symlinkSync(target, link);
}

/** Bundles the command line, so that it starts faster; it runs from its sources until that succeeds. */
function buildCommand() {
  const packaged = path.join(root, 'node_modules/node/bin/node');
  const node = existsSync(packaged) ? packaged : process.execPath;
  const { status } = spawnSync(node, ['scripts/build.ts', 'cli'], { cwd: root, stdio: 'ignore' });
  if (status !== 0) say('the command line was not bundled, so it starts more slowly; see npm run build');
}

/** Installs and compiles node-pty, which npm drops if it fails to compile, if a compiler is now available. */
export function rebuildPty() {
  if (havePty() || missingComponents(['compiler']).length > 0) return;
  say('building node-pty');
  if (!existsSync(path.join(root, 'node_modules/node-pty/package.json'))) {
    npm('install', '--no-save', '--ignore-scripts', '--include=optional', '--no-audit', '--no-fund');
    linkCommand();
  }
  const { stderr } = npm('rebuild', 'node-pty');
  if (havePty()) return;
  const reason = /GET https:\/\/nodejs\.org/.test(stderr)
    ? "Node's headers could not be fetched"
    : 'see npm rebuild node-pty';
  say(`node-pty could not be built (${reason}). Only the terminal pane needs it.`);
}

function npm(...args) {
  const windows = process.platform === 'win32';
  const headers = nodeHeaders();
  return spawnSync(windows ? 'npm.cmd' : 'npm', args, {
    cwd: root,
    encoding: 'utf8',
    shell: windows,
    env: headers === null ? process.env : { ...process.env, npm_config_nodedir: headers },
  });
}

/**
 * Returns the folder with the headers of an installed Node; null if there is none, in which case node-gyp downloads
 * them. node-pty uses Node-API, whose headers fit every version.
 */
function nodeHeaders() {
  const prefixes = (process.env.PATH ?? '').split(path.delimiter).map((folder) => path.resolve(folder, '..'));
  return prefixes.find((prefix) => existsSync(path.join(prefix, 'include/node/node_api.h'))) ?? null;
}

/** The components that `npm start` and `npm test` use. */
export const needsOf = {
  start:
    process.env.DISPLAY || process.env.WAYLAND_DISPLAY
      ? ['perf', 'objdump', 'ssh', 'electron-libraries']
      : ['perf', 'objdump', 'ssh'],
  test: [
    'perf',
    'objdump',
    'chromium',
    'xvfb',
    'electron-libraries',
    'pip',
    'compiler',
    'ssh',
    'sshd',
    'namespaces',
    'sudo',
    'shells',
    'locales',
  ],
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const args = process.argv.slice(2);
  if (args.includes('--after-install')) {
    linkCommand();
    buildCommand();
  } else {
    const needs = needsOf[args[0] ?? 'start'];
    if (needs === undefined) {
      process.stderr.write('usage: node scripts/provision.mjs [start|test|--after-install]\n');
      process.exit(2);
    }
    const still = provision(needs);
    if (args[0] === 'test') rebuildPty();
    process.exitCode = still.length > 0 ? 1 : 0;
  }
}
