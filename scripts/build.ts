import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';
import { importers } from '#core/import/registry.ts';
import { createPart } from '#collectors/effects/part-file.ts';
import { removeFileOf } from '#collectors/effects/remove.ts';
import { withoutScriptComments } from '#collectors/read-script.ts';
import { root, runCommand } from './run-command.ts';
import { BUNDLED, licencesOf, packageSbom } from './supply-chain.ts';

/** The licences of what the bundles contain, as packages include it. */
export const LICENCES_FILE = 'dist/licences/THIRD-PARTY-LICENSES.txt';

export interface BuildTarget {
  readonly id: string;
  /** The files that determine the result, in addition to the locked dependencies. */
  readonly inputs: readonly string[];
  /** Resolves with null, or with one line if it failed. */
  build(): Promise<string | null>;
}

/** Sets NODE_ENV explicitly, because under that of the tests React's development build would be bundled. */
export const vite = (config = 'vite.config.ts'): Promise<string | null> =>
  runCommand(['vite', 'build', '-c', config, '--logLevel', 'warn'], { env: { NODE_ENV: 'production' } });

export const rendererInputs = [
  'renderer/**/*',
  'core/**/*.ts',
  'docs/failures/*.md',
  'vite.config.ts',
  'scripts/report-viewer.ts',
  'scripts/page-aliases.ts',
  'scripts/xterm-globals.ts',
];
export const engineInputs = ['app/**/*.ts', 'collectors/**/*.{ts,sh,bt}', 'core/**/*.ts', 'scripts/build.ts'];

/** In build order. */
const targets: readonly BuildTarget[] = [
  { id: 'renderer', inputs: rendererInputs, build: () => vite() },
  { id: 'engine', inputs: engineInputs, build: buildEngine },
  { id: 'electron', inputs: engineInputs, build: () => bundleShell() },
  { id: 'cli', inputs: engineInputs, build: buildCli },
  { id: 'package', inputs: engineInputs, build: buildPackage },
  { id: 'licences', inputs: ['package.json', 'scripts/supply-chain.ts'], build: buildLicences },
];

/** Of bundles for Node, which have no other dependencies beside them. */
const nodeModules = {
  outExtension: { '.js': '.mjs' },
  format: 'esm',
  target: 'node20.19',
  external: ['node-pty', '@clickhouse/client', '@duckdb/node-api'],
} as const satisfies esbuild.BuildOptions;

/** CommonJS dependencies inside a bundle call require. The import's name is one that bundled code does not use. */
const requireBanner = [
  "import { createRequire as createBannerRequire } from 'node:module';",
  'const require = createBannerRequire(import.meta.url);',
];

/** Bundles the engine into one file for packages, which contain no TypeScript. */
function buildEngine(): Promise<string | null> {
  return bundle({
    ...nodeModules,
    entryPoints: { main: path.join(root, 'app/engine/main.ts') },
    outdir: path.join(root, 'dist/engine'),
    // Programs that the engine starts must not treat Electron as Node.
    banner: { js: [...requireBanner, 'delete process.env.ELECTRON_RUN_AS_NODE;'].join('\n') },
  });
}

/** How long files of earlier builds stay, because a running command may still load them. */
const KEPT_MS = 24 * 3600 * 1000;

/** Bundles of the command line, and the only command in each; null: all commands. */
const cliBundles = [
  { name: 'main', command: null },
  // A recording should start at once; code shared with other commands would be in many small parts.
  { name: 'record', command: './record/record.ts' },
] as const;

/**
 * Bundles the command line for a checkout. `NAME.inputs.json` lists the files a bundle was made from;
 * app/cli/flamebench.mjs uses it only while they are unchanged. Names of parts contain hashes, so a build never changes
 * one that a running command may load.
 */
async function buildCli(): Promise<string | null> {
  const folder = path.join(root, 'dist/cli');
  const scripts = globSync('collectors/**/*.{sh,bt,stp}', { cwd: root });
  const written = new Set<string>();
  const texts = new Map<string, string>();
  for (const { name, command } of cliBundles) {
    const { problem, metafile } = await bundleCommand(folder, command, {});
    if (metafile === undefined) return problem ?? 'esbuild did not list its files';
    for (const output of Object.keys(metafile.outputs)) written.add(path.basename(output));
    const inputs = [...Object.keys(metafile.inputs), ...scripts].filter((file) => !file.startsWith('node_modules'));
    const stats = [...inputs, 'package-lock.json'].map((file) => {
      const { size, mtimeMs } = describe(file);
      return [file, size, mtimeMs];
    });
    texts.set(`${name}.mjs`, entryText(metafile));
    texts.set(`${name}.inputs.json`, JSON.stringify(stats));
  }
  for (const [name, text] of texts) {
    written.add(name);
    replaceFile(path.join(folder, name), text);
  }
  for (const name of readdirSync(folder).filter((file) => !written.has(file))) {
    const file = path.join(folder, name);
    if (Date.now() - statSync(file).mtimeMs > KEPT_MS) await removeFileOf(folder, name);
  }
  return null;
}

/** Bundles the command line for packages: smaller, and nothing of an earlier build beside it. */
async function buildPackage(): Promise<string | null> {
  const folder = path.join(root, 'dist/package');
  rmSync(folder, { recursive: true, force: true });
  for (const { name, command } of cliBundles) {
    // Names stay, for the stack traces of reported errors.
    const shorter = { minifyWhitespace: true, minifySyntax: true, legalComments: 'none' } as const;
    const { problem, metafile } = await bundleCommand(folder, command, shorter);
    if (metafile === undefined) return problem ?? 'esbuild did not list its files';
    writeFileSync(path.join(folder, `${name}.mjs`), entryText(metafile));
  }
  return null;
}

/** Writes the licences of the packages that the bundles contain. */
function buildLicences(): Promise<string | null> {
  mkdirSync(path.join(root, 'dist/licences'), { recursive: true });
  writeFileSync(path.join(root, LICENCES_FILE), licencesOf(packageSbom(BUNDLED).components.map(({ name }) => name)));
  return Promise.resolve(null);
}

/** Bundles the command line in parts that load on demand. */
async function bundleCommand(
  folder: string,
  command: string | null,
  options: esbuild.BuildOptions,
): Promise<{ readonly problem: string | null; readonly metafile: esbuild.Metafile | undefined }> {
  let metafile: esbuild.Metafile | undefined;
  const problem = await bundle(
    {
      ...nodeModules,
      absWorkingDir: root,
      entryPoints: { main: path.join(root, 'app/cli/main.ts') },
      entryNames: '[name]-[hash]',
      outdir: folder,
      splitting: true,
      metafile: true,
      sourcemap: false,
      banner: { js: requireBanner.join('\n') },
      plugins: [shellScripts, ...(command === null ? [] : [onlyCommand(command)])],
      ...options,
    },
    (result) => (metafile = result.metafile),
  );
  return { problem, metafile };
}

function entryText({ outputs }: esbuild.Metafile): string {
  const main = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === 'app/cli/main.ts');
  if (main === undefined) throw new Error('esbuild did not name the entry');
  return `export { main } from './${path.basename(main[0])}';\n`;
}

/** Leaves out all other commands, which the bundle's `main` is never asked for. */
const onlyCommand = (command: string): esbuild.Plugin => ({
  name: 'only-command',
  setup(build) {
    build.onResolve({ filter: /^\.\// }, ({ importer, kind, path: imported }) =>
      kind === 'dynamic-import' && importer === path.join(root, 'app/cli/commands.ts') && imported !== command
        ? { path: imported, external: true }
        : null,
    );
  },
});

/** Bundles the shell. A sandboxed preload script must be a single CommonJS file; main is bundled alike. */
export function bundleShell(options: esbuild.BuildOptions = {}): Promise<string | null> {
  // Compressed files are unpacked before an importer sees them.
  const extensions = [...new Set(importers.flatMap((importer) => importer.extensions)), 'gz', 'zst'].toSorted();
  return bundle({
    entryPoints: {
      main: path.join(root, 'app/electron/main.ts'),
      preload: path.join(root, 'app/electron/preload.ts'),
    },
    outdir: path.join(root, 'dist/electron'),
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    target: nodeModules.target,
    external: ['electron'],
    define: { PROFILE_EXTENSIONS: JSON.stringify(extensions) },
    ...options,
  });
}

/** Replaces a file in one step, because a command may be reading it. */
function replaceFile(file: string, text: string): void {
  const part = createPart(path.dirname(file));
  part.write(Buffer.from(text));
  part.becomes(file, null);
}

const SCRIPT_CALL = /readScript\(new URL\('([^']+\.(?:sh|bt|stp|js))', import\.meta\.url\)\)/g;

/** Inlines shell scripts where they are read, because a package has no files next to its bundle. */
const shellScripts: esbuild.Plugin = {
  name: 'shell-scripts',
  setup(build) {
    build.onLoad({ filter: /[\\/]collectors[\\/].+\.ts$/ }, ({ path: file }) => {
      const source = readFileSync(file, 'utf8');
      if (!source.includes('readScript(new URL(')) return null;
      const textOf = (name: string): string =>
        withoutScriptComments(readFileSync(path.join(path.dirname(file), name), 'utf8'));
      const contents = source.replace(SCRIPT_CALL, (_, name: string) => JSON.stringify(textOf(name)));
      if (contents.includes('readScript('))
        return {
          errors: [
            { text: `${file}: a script is read by another path than './NAME.sh|js' or './recipes/NAME.bt|stp'` },
          ],
        };
      return { contents, loader: 'ts' };
    });
  },
};

async function bundle(
  options: esbuild.BuildOptions,
  onBuilt: (result: esbuild.BuildResult) => void = () => undefined,
): Promise<string | null> {
  try {
    const result = await esbuild.build({
      bundle: true,
      platform: 'node',
      sourcemap: 'linked',
      logLevel: 'warning',
      plugins: [shellScripts],
      ...options,
    });
    onBuilt(result);
    return null;
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? null) : String(error);
  }
}

const stampOf = (id: string): string => path.join(root, 'dist', `.${id}.stamp`);

/** Returns a hash that changes when a file on which a target depends is added, removed or written. */
function fingerprint(inputs: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of [...globSync([...inputs], { cwd: root }), 'package-lock.json'].toSorted()) {
    const { size, mtimeMs, isFile } = describe(file);
    if (isFile) hash.update(`${file}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function describe(file: string): { size: number; mtimeMs: number; isFile: boolean } {
  const stat = statSync(path.join(root, file));
  return { size: stat.size, mtimeMs: stat.mtimeMs, isFile: stat.isFile() };
}

function isFresh({ id, inputs }: BuildTarget): boolean {
  try {
    return existsSync(path.join(root, 'dist', id)) && readFileSync(stampOf(id), 'utf8') === fingerprint(inputs);
  } catch {
    return false;
  }
}

export const targetIds = targets.map(({ id }) => id);

/** Builds what has changed since the last build. Throws one line if that fails. */
export async function buildStale(ids: readonly string[]): Promise<void> {
  for (const target of targets) if (ids.includes(target.id)) await buildIfStale(target);
}

/** Builds the target if its inputs have changed since its last build. Throws one line if that fails. */
export async function buildIfStale(target: BuildTarget): Promise<void> {
  if (isFresh(target)) return;
  const start = performance.now();
  const mark = fingerprint(target.inputs);
  const problem = await target.build();
  if (problem !== null) throw new Error(`${target.id} was not built: ${problem}`);
  mkdirSync(path.join(root, 'dist'), { recursive: true });
  writeFileSync(stampOf(target.id), mark);
  process.stdout.write(`built ${target.id} in ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
}

if (import.meta.main) {
  const { positionals } = parseArgs({ allowPositionals: true });
  try {
    const unknown = positionals.filter((id) => !targetIds.includes(id));
    if (unknown.length > 0) throw new Error(`unknown target ${unknown.join(', ')}; use one of ${targetIds.join(', ')}`);
    await buildStale(positionals.length > 0 ? positionals : targetIds);
  } catch (error) {
    process.stderr.write(`npm run build: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
