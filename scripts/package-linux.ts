import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { commands } from '#app/cli/commands.ts';
import { VERSION } from '#app/version.ts';
import { LICENCES_FILE } from './build.ts';
import { havePty } from './components.mjs';
import { fileAssociations } from './file-associations.ts';
import { root } from './run-command.ts';
import { licencesOf, type BillContent } from './supply-chain.ts';

/** Targets of scripts/build.ts that packages are made of. */
export const PACKED_PARTS = ['renderer', 'package', 'licences'];

export interface LinuxPackageOptions {
  /** The folder in which the packages are written. */
  readonly output: string;
  readonly kinds: readonly LinuxPackage[];
  /** The modification time of all files in seconds since 1970, so that a build can be repeated byte by byte. */
  readonly time: number;
  /** Compresses little, for tests. */
  readonly isQuick?: boolean;
}

export const LINUX_PACKAGES = ['deb', 'tar.gz'] as const;
export type LinuxPackage = (typeof LINUX_PACKAGES)[number];

/** The bill of materials of these packages: without Electron, and with their own Node. */
export const LINUX_CONTENT: BillContent = { added: ['node'], leftOut: ['electron'] };

const DEBIAN_NAMES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
const DOC = 'share/doc/flamebench';
const LIB = 'lib/flamebench';

/** Builds packages of the command, the engine and the window with a Node of their own. Returns the paths of the files. */
export function packageLinux({ output, kinds, time, isQuick = false }: LinuxPackageOptions): string[] {
  const architecture = DEBIAN_NAMES[process.arch];
  if (process.platform !== 'linux' || architecture === undefined) {
    throw new Error(`${kinds.join(' and ')} are built on Linux on x64 or arm64`);
  }
  mkdirSync(output, { recursive: true });
  const work = mkdtempSync(path.join(tmpdir(), 'flamebench-package-'));
  try {
    const tree = path.join(work, 'usr');
    writeTree(tree);
    const environment = { ...process.env, SOURCE_DATE_EPOCH: String(time), TZ: 'UTC', LC_ALL: 'C' };
    const run = (program: string, ...args: string[]): void =>
      void execFileSync(program, args, { env: environment, stdio: ['ignore', 'ignore', 'inherit'] });
    return kinds.map((kind) => {
      if (kind === 'deb') {
        const file = path.join(output, `flamebench_${VERSION}_${architecture}.deb`);
        const debian = path.join(work, 'deb');
        mkdirSync(path.join(debian, 'DEBIAN'), { recursive: true });
        cpSync(tree, path.join(debian, 'usr'), { recursive: true, preserveTimestamps: true });
        writeFileSync(path.join(debian, 'DEBIAN/control'), control(architecture, tree));
        writeFileSync(path.join(debian, 'DEBIAN/md5sums'), md5sums(debian));
        setModes(debian);
        const compression = isQuick ? ['-Zgzip', '-z1'] : ['-Zxz'];
        run('find', debian, '-exec', 'touch', '--no-dereference', '-d', `@${time}`, '{}', '+');
        run('dpkg-deb', '--root-owner-group', ...compression, '--build', debian, file);
        return file;
      }
      const name = `flamebench-${VERSION}-linux-${process.arch}`;
      const file = path.join(output, `${name}.tar.gz`);
      const words = ['--sort=name', `--mtime=@${time}`, '--owner=0', '--group=0', '--numeric-owner', '--format=gnu'];
      const gzip = `--use-compress-program=gzip -n -${isQuick ? 1 : 9}`;
      run('tar', ...words, gzip, `--transform=s,^\\.,${name},`, '-C', tree, '-cf', file, '.');
      return file;
    });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Finds itself through links, and runs with the Node next to it. */
const LAUNCHER = `#!/bin/sh
here=$(readlink -f -- "$0")
lib="\${here%/bin/flamebench}/${LIB}"
exec "$lib/bin/node" "$lib/app/cli/flamebench.mjs" "$@"
`;

/** Writes what an installation has in /usr. */
function writeTree(tree: string): void {
  const write = (name: string, content: string | Uint8Array): void => {
    const file = path.join(tree, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  };
  const copy = (from: string, to: string): void => {
    mkdirSync(path.dirname(path.join(tree, to)), { recursive: true });
    cpSync(path.join(root, from), path.join(tree, to), { recursive: true });
  };
  write('bin/flamebench', LAUNCHER);
  const { files } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { files: string[] };
  for (const file of ['package.json', ...files.filter((name) => name !== 'dist/licences')])
    copy(file, `${LIB}/${file}`);
  copy('node_modules/node/bin/node', `${LIB}/bin/node`);
  copyPty(copy);
  setModes(tree);
  const licences = ['LICENSE', LICENCES_FILE].map((file) => readFileSync(path.join(root, file), 'utf8'));
  write(`${DOC}/copyright`, [...licences, licencesOf(['node', ...(havePty() ? ['node-pty'] : [])])].join('\n'));
  const say = (...argv: string[]): string =>
    execFileSync(path.join(tree, 'bin/flamebench'), argv, { encoding: 'utf8', env: { ...process.env, HOME: tree } });
  for (const name of [null, ...commands.map((row) => row.name)]) {
    const page = name === null ? say('man') : say('man', name);
    const file = name === null ? 'flamebench' : `flamebench-${name}`;
    write(`share/man/man1/${file}.1.gz`, gzipSync(page, { level: 9 }));
  }
  write('share/bash-completion/completions/flamebench', say('completion', 'bash'));
  write('share/zsh/vendor-completions/_flamebench', say('completion', 'zsh'));
  write('share/fish/vendor_completions.d/flamebench.fish', say('completion', 'fish'));
  rmSync(path.join(tree, '.cache'), { recursive: true, force: true });
  const resources = 'app/electron/resources';
  copy(`${resources}/icon.svg`, 'share/icons/hicolor/scalable/apps/flamebench.svg');
  copy(`${resources}/icon.png`, 'share/icons/hicolor/512x512/apps/flamebench.png');
  write('share/applications/flamebench.desktop', desktopFile());
  write('share/mime/packages/flamebench.xml', mimePackage());
  setModes(tree);
}

/** Copies node-pty, which the window's terminal needs, if it could be compiled. */
function copyPty(copy: (from: string, to: string) => void): void {
  if (!havePty()) return;
  const folder = 'node_modules/node-pty';
  const scripts = globSync(`${folder}/lib/**/*.js`, { cwd: root }).filter((file) => !file.endsWith('.test.js'));
  for (const file of [`${folder}/package.json`, `${folder}/build/Release/pty.node`, ...scripts])
    copy(file, `${LIB}/${file}`);
}

/** Makes everything readable by all and writable by its owner. */
function setModes(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const isProgram = entry.isDirectory() || /\/bin\/[^/]+$|\/flamebench\.mjs$/.test(file);
    chmodSync(file, isProgram ? 0o755 : 0o644);
  }
}

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .toSorted();

function control(architecture: string, tree: string): string {
  const kibibytes = filesOf(tree).reduce(
    (sum, file) => sum + Math.ceil(statSync(path.join(tree, file)).size / 1024),
    0,
  );
  return `Package: flamebench
Version: ${VERSION}
Architecture: ${architecture}
Maintainer: Flamebench <flamebench@localhost>
Installed-Size: ${kibibytes}
Depends: libc6 (>= 2.28), libstdc++6 (>= 8), libgcc-s1 | libgcc1
Recommends: linux-perf | linux-tools-generic, binutils
Suggests: chromium | www-browser, openssh-client, bpftrace
Section: devel
Priority: optional
Description: profiling workbench: record, open, compare and report profiles
 Flamebench records with perf, pprof, bpftrace and SystemTap, on this machine or
 over SSH, opens the profiles of more than thirty tools, and shows an interactive
 flame graph next to a table of self and total weights. It compares captures with
 the noise between runs, and writes reports that open in any browser.
 .
 This package has the command, the engine and the window, which opens in the
 system's browser, and brings its own Node.
`;
}

function md5sums(folder: string): string {
  const sum = (file: string): string =>
    createHash('md5')
      .update(readFileSync(path.join(folder, file)))
      .digest('hex');
  return filesOf(folder)
    .filter((file) => !file.startsWith('DEBIAN/'))
    .map((file) => `${sum(file)}  ${file}\n`)
    .join('');
}

/** Types that exist without Flamebench, and that other programs open by default. */
const isOwnType = ({ mimeType }: { readonly mimeType: string }): boolean => /^[a-z]+\/x-/.test(mimeType);

function desktopFile(): string {
  const types = fileAssociations()
    .filter(isOwnType)
    .map(({ mimeType }) => `${mimeType};`);
  return `[Desktop Entry]
Type=Application
Name=Flamebench
GenericName=Profiling workbench
Comment=Record, open and compare profiles
Exec=flamebench open --until-closed %F
Icon=flamebench
Terminal=false
Categories=Development;Profiling;
MimeType=${[...new Set(types)].join('')}
`;
}

/** The first bytes of files that are often renamed. */
const MAGIC: Readonly<Record<string, string>> = { 'application/x-perf-data': 'PERFILE2' };

/** Returns the types in the format of the Shared MIME-info Database. */
function mimePackage(): string {
  const types = fileAssociations()
    .filter(isOwnType)
    .map(({ extensions, description, mimeType }) => {
      // `perf.data` is a name and an ending.
      const names = extensions.flatMap((one) => [`*.${one}`, ...(one.includes('.') ? [one] : [])]);
      const magic = MAGIC[mimeType];
      return [
        `  <mime-type type="${mimeType}">`,
        `    <comment>${description}</comment>`,
        '    <icon name="flamebench"/>',
        ...(extensions.some((one) => one.endsWith('json')) ? ['    <sub-class-of type="application/json"/>'] : []),
        ...names.map((name) => `    <glob pattern="${name}"/>`),
        ...(magic === undefined ? [] : [`    <magic><match type="string" offset="0" value="${magic}"/></magic>`]),
        '  </mime-type>',
      ].join('\n');
    });
  const head = '<?xml version="1.0" encoding="UTF-8"?>';
  return `${head}\n<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">\n${types.join('\n')}\n</mime-info>\n`;
}
