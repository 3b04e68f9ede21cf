import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { root, toolEnvironment } from './run-command.ts';

/** The fields of `npm sbom --sbom-format cyclonedx` that are used; the others are kept unchanged. */
const sbomSchema = z.looseObject({
  bomFormat: z.literal('CycloneDX'),
  metadata: z.looseObject({ component: z.looseObject({ 'bom-ref': z.string(), name: z.string() }) }),
  components: z.array(z.looseObject({ 'bom-ref': z.string(), name: z.string() })),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
});
export type Sbom = z.infer<typeof sbomSchema>;

/** Folders with the code from which a package is bundled. */
const SHIPPED_FOLDERS = ['app', 'collectors', 'core', 'renderer'];
/** Shipped as a whole; their npm dependencies are only used to download them. */
const RUNTIMES = ['electron', 'node'];
/** Compiled when Flamebench is installed with npm; packages of Electron do not contain it. */
const COMPILED = 'node-pty';
/** In no package: users of `flamebench fleet` install the one they need. The binary of DuckDB is larger than all of ours. */
const INSTALLED_BY_USERS = ['@duckdb/node-api', '@clickhouse/client'];

/** What the bundles are made of: neither Electron nor what is compiled on installation. */
export const BUNDLED: BillContent = { added: [], leftOut: ['electron', COMPILED] };

/** Packages in addition to those that the sources import, and those of them that are not shipped. */
export interface BillContent {
  readonly added: readonly string[];
  readonly leftOut: readonly string[];
}

/**
 * Returns the software bill of materials (CycloneDX JSON) of a package's content, by default one of Electron, without
 * its build tools. Throws one line if npm cannot provide it.
 */
export function packageSbom({ added, leftOut }: BillContent = { added: [], leftOut: [COMPILED] }): Sbom {
  const words = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const { stdout, stderr, error } = npm(words);
  try {
    const absent = [...leftOut, ...INSTALLED_BY_USERS];
    const shipped = [...importedPackages(), ...added].filter((name) => !absent.includes(name));
    return shippedPart(sbomSchema.parse(JSON.parse(stdout)), shipped);
  } catch (cause) {
    const reason = error?.message ?? stderr.match(/^npm error (.*)$/m)?.[1] ?? String(cause);
    throw new Error(`npm ${words.join(' ')} failed: ${reason}`, { cause });
  }
}

/** Imports that leave nothing behind: a package of types alone is not shipped. */
const TYPE_IMPORT = /\b(?:import|export) type [^;']* from '[^']*'/g;

/** Returns the names of the packages that the sources import. */
function importedPackages(): string[] {
  const names = new Set<string>();
  for (const file of globSync(`{${SHIPPED_FOLDERS.join(',')}}/**/*.{ts,tsx}`, { cwd: root })) {
    const text = readFileSync(path.join(root, file), 'utf8').replaceAll(TYPE_IMPORT, '');
    for (const [, word = ''] of text.matchAll(/(?:\bfrom |\bimport |\bimport\()'([^'#.\s][^'\s]*)'/g)) {
      const name = word.split('/', word.startsWith('@') ? 2 : 1).join('/');
      if (!word.startsWith('node:')) names.add(name);
    }
  }
  return [...names];
}

/**
 * Returns the part of a bill that consists of the `imported` packages and their dependencies. Throws if one is missing.
 */
export function shippedPart(full: Sbom, imported: readonly string[]): Sbom {
  const own = full.metadata.component['bom-ref'];
  const dependsOn = new Map(full.dependencies.map((entry) => [entry.ref, entry.dependsOn]));
  const byRef = new Map(full.components.map((component) => [component['bom-ref'], component]));
  const direct = imported.map((name) => {
    const ref = dependsOn.get(own)?.find((candidate) => byRef.get(candidate)?.name === name);
    if (ref === undefined) throw new Error(`${name} is imported but not a dependency`);
    return ref;
  });
  const shipped = new Set<string>();
  const edgesOf = (ref: string): string[] =>
    RUNTIMES.includes(byRef.get(ref)?.name ?? '') ? [] : (dependsOn.get(ref) ?? []);
  const waiting = [...direct];
  for (let ref = waiting.pop(); ref !== undefined; ref = waiting.pop()) {
    if (shipped.has(ref)) continue;
    shipped.add(ref);
    waiting.push(...edgesOf(ref));
  }
  const name = own.slice(0, own.lastIndexOf('@'));
  return {
    ...full,
    metadata: { ...full.metadata, component: { ...full.metadata.component, name, type: 'application' } },
    components: full.components
      .filter((component) => shipped.has(component['bom-ref']))
      // npm's scope and properties mark development dependencies, which include bundled ones.
      .map(({ properties: _properties, ...component }) => ({ ...component, scope: 'required' })),
    dependencies: [{ ref: own, dependsOn: direct }, ...[...shipped].map((ref) => ({ ref, dependsOn: edgesOf(ref) }))],
  };
}

/** Returns the licences of installed packages as one text. Throws if a package has none. */
export const licencesOf = (names: readonly string[]): string =>
  names.map((name) => `${name}\n${'='.repeat(name.length)}\n\n${licenceOf(name)}\n`).join('\n');

function licenceOf(name: string): string {
  // The Node that is packed comes in a package of its own, of its platform.
  const folders = [
    `node_modules/${name}`,
    `node_modules/*/node_modules/${name}{,-${process.platform}-${process.arch}}`,
  ];
  const [file] = globSync(
    // The last is for a package that names its licence without its text.
    [...folders.map((folder) => `${folder}/{LICEN[CS]E,licen[cs]e}{,.md,.txt}`), `scripts/licences/${name}.txt`],
    { cwd: root },
  );
  if (file === undefined) throw new Error(`${name} has no licence file`);
  return readFileSync(path.join(root, file), 'utf8').trim();
}

/**
 * `verified`; `unchecked` if the registry has no signatures or cannot be reached, with the reason; or `broken`, with
 * the packages.
 */
export type SignatureAudit =
  | { readonly kind: 'verified' }
  | { readonly kind: 'unchecked' | 'broken'; readonly reason: string };

/** Lets npm verify the registry's signatures of the installed packages. */
export function auditSignatures(): SignatureAudit {
  const { status, stdout, stderr, error } = npm(['audit', 'signatures', '--json', '--fetch-retries=0']);
  return readAudit(status, stdout, error?.message ?? stderr);
}

const entrySchema = z.array(z.looseObject({ name: z.string(), version: z.string() }));
const auditSchema = z.object({
  invalid: entrySchema.default([]),
  missing: entrySchema.default([]),
  error: z.looseObject({ summary: z.string() }).optional(),
});

/** Parses the output of `npm audit signatures --json`. */
export function readAudit(status: number | null, stdout: string, stderr: string): SignatureAudit {
  const audit = auditSchema.safeParse(parseJson(stdout)).data;
  const named = [...(audit?.invalid ?? []), ...(audit?.missing ?? [])].map(({ name, version }) => `${name}@${version}`);
  if (named.length > 0) return { kind: 'broken', reason: `no valid signature: ${named.join(', ')}` };
  if (status === 0 && audit !== undefined && audit.error === undefined) return { kind: 'verified' };
  const line = audit?.error?.summary ?? stderr.match(/^npm error (?!code)(.*)$/m)?.[1] ?? 'npm gave no reason';
  return { kind: 'unchecked', reason: line.split('\n')[0] ?? line };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function npm(words: readonly string[]): { status: number | null; stdout: string; stderr: string; error?: Error } {
  const windows = process.platform === 'win32';
  return spawnSync(windows ? 'npm.cmd' : 'npm', words, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    shell: windows,
    env: toolEnvironment(),
  });
}
