import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { parseSync } from 'vite';
import { checkRooms, orderRefusal, siblingGraph } from './rooms.ts';

/** What the files of a folder may import. The deepest matching folder applies. */
interface Layer {
  readonly folder: string;
  /** Folders of this repository, in addition to the layer's own. */
  readonly folders: readonly string[];
  readonly node: boolean;
  /** Packages; null allows all declared ones. */
  readonly packages: readonly string[] | null;
  readonly reason: string;
}

const layers: readonly Layer[] = [
  {
    folder: 'core',
    folders: [],
    node: false,
    packages: [
      'fflate',
      'fzstd',
      'mdast',
      'mdast-util-from-markdown',
      'mdast-util-gfm-table',
      'micromark-extension-gfm-table',
      're2js',
      'saxes',
      'zod',
    ],
    reason:
      "core is pure: it runs in the window's worker, the engine and the command, so it must not depend on any of them",
  },
  {
    folder: 'collectors',
    folders: ['core'],
    node: true,
    packages: ['@jridgewell/trace-mapping', 'node-pty', 'ws', 'zod'],
    reason:
      'collectors make captures for any front end (ws speaks to the inspector of Node, trace-mapping reads its source maps): they know the profile model and their target, but not the app',
  },
  {
    folder: 'renderer',
    folders: ['core', 'renderer'],
    node: false,
    packages: null,
    reason: 'the renderer runs in a sandboxed page and reaches the machine only through the engine, by core/contract',
  },
  {
    folder: 'renderer/analysis',
    folders: ['core'],
    node: false,
    packages: ['zod'],
    reason:
      "analysis is the worker's side: it runs without a document and does not know the components that show its answers",
  },
  {
    folder: 'renderer/ui',
    folders: ['core'],
    node: false,
    packages: null,
    reason: 'ui contains components that do not know the workbench; callers pass in what they need',
  },
  {
    folder: 'renderer/state',
    folders: ['core', 'renderer/analysis', 'renderer/ui'],
    node: false,
    packages: null,
    reason: "state is the workbench's state and actions, independent of the features that show it",
  },
  {
    folder: 'renderer/features',
    folders: ['core', 'renderer/analysis', 'renderer/state', 'renderer/ui'],
    node: false,
    packages: null,
    reason: 'the shell shows features, which do not know it',
  },
  {
    folder: 'renderer/report',
    folders: ['core', 'renderer/analysis', 'renderer/styles', 'renderer/ui'],
    node: false,
    packages: null,
    reason:
      'the viewer of a report works without engine, workbench and worker: components and analysis are all that it has',
  },
  {
    folder: 'renderer/shell',
    folders: ['core', 'renderer/state', 'renderer/ui'],
    node: false,
    packages: null,
    reason: 'the shell shows what features register, without knowing any of them',
  },
  {
    folder: 'app',
    // flamebench.mjs starts the bundle of the command line, or that of a package.
    folders: ['collectors', 'core', 'package.json', 'dist/cli', 'dist/package'],
    node: true,
    packages: [
      '@clickhouse/client',
      '@duckdb/node-api',
      '@modelcontextprotocol/server',
      'commander',
      'js-yaml',
      'node-pty',
      'ws',
      'zod',
    ],
    reason: "app is the program's outside: it links collectors and core, and serves the renderer as built files",
  },
  {
    folder: 'app/electron',
    // collectors/effects is the one place that writes files.
    folders: ['core', 'collectors/effects'],
    node: true,
    packages: ['electron', 'zod'],
    reason: 'the Electron shell stays thin: it starts the engine as a separate process and contains none of its logic',
  },
  {
    folder: 'samples',
    folders: ['core', 'collectors', 'app', 'scripts'],
    node: true,
    packages: [],
    reason: "sample scripts run this checkout's program",
  },
];

/** What may be imported of `node:fs` and `node:fs/promises` outside the folder that may change files: only readers. */
const READERS: ReadonlySet<string> = new Set(
  (
    'access close constants createReadStream existsSync fstat glob lstat open opendir read readFile readdir readlink ' +
    'realpath stat statfs unwatchFile watchFile write'
  ).split(' '),
);
const EFFECTS = 'collectors/effects/';
/** Starts Node 24 under an older one, which reads no TypeScript. */
const LAUNCHER = 'app/cli/flamebench.mjs';

/**
 * Returns why a file of the product must not import these names of one of Node's modules; null if it may. What deletes,
 * writes or starts programs has one place, where each deletion needs proof that the file is ours.
 */
export function effectRefusal(file: string, specifier: string, names: readonly string[]): string | null {
  if (!/^(?:app|collectors)\//.test(file) || file.startsWith(EFFECTS) || file === LAUNCHER) return null;
  if (specifier === 'node:child_process') return `programs are started by ${EFFECTS}start-program.ts`;
  if (specifier !== 'node:fs' && specifier !== 'node:fs/promises') return null;
  const foreign = names.find((name) => !READERS.has(name) && !READERS.has(name.replace(/Sync$/, '')));
  return foreign === undefined ? null : `${foreign}: files are changed by ${EFFECTS}write.ts and remove.ts only`;
}

const UNPACKING = 'core/import/unpack/';
/** Has the limits of the same meter. */
const GUNZIP = 'app/engine/files/gunzip.ts';
/** Unpacks with the browser's own function, so that the page of a report needs no other; it counts too. */
const REPORT_PAGE = 'renderer/report/report-data.ts';
/** Packages and modules that unpack, with the names that don't. */
const UNPACKERS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['fflate', new Set(['zlibSync'])],
  ['fzstd', new Set()],
  ['node:zlib', new Set(['crc32', 'createGzip', 'gzipSync'])],
  ['DecompressionStream', new Set()],
]);

/** Returns why a file of the product must not unpack with these names of a module; null if it may. */
export function unpackRefusal(file: string, specifier: string, names: readonly string[]): string | null {
  const packing = UNPACKERS.get(specifier);
  if (packing === undefined || !/^(?:app|collectors|core|renderer)\//.test(file)) return null;
  if (
    file.startsWith(UNPACKING) ||
    (file === GUNZIP && specifier === 'node:zlib') ||
    (file === REPORT_PAGE && specifier === 'DecompressionStream')
  )
    return null;
  const foreign = names.find((name) => !packing.has(name));
  return foreign === undefined
    ? null
    : `${foreign}: what is packed is unpacked by ${UNPACKING} only, whose meter has the limits`;
}

/** A module that a file names, in which line, and the names of the values that it takes from it; `*`: all. */
interface ImportedModule {
  readonly specifier: string;
  readonly line: number;
  readonly names: readonly string[];
}

/**
 * Returns all modules that `source` names: static, type-only, re-exported and dynamic imports, `import('…')` types, and
 * `DecompressionStream`, which needs no import.
 */
export function importedModules(source: string, fileName: string): ImportedModule[] {
  const found: ImportedModule[] = [];
  const { program, errors } = parseSync(fileName, source);
  if (errors.length > 0) throw new Error(`${fileName}: ${errors[0]?.message ?? 'does not parse'}`);
  const pending: unknown[] = [program];
  while (pending.length > 0) {
    const node = pending.pop();
    if (typeof node !== 'object' || node === null) continue;
    if ('name' in node && node.name === 'DecompressionStream' && 'start' in node) {
      found.push({ specifier: node.name, line: lineOf(source, Number(node.start)), names: [node.name] });
    }
    const specifier = moduleOf(node);
    if (specifier !== null) {
      found.push({ specifier: specifier.text, line: lineOf(source, specifier.at), names: namesOf(node) });
    }
    const children: unknown[] = Object.values(node);
    pending.push(...children);
  }
  return found.toSorted((a, b) => a.line - b.line);
}

/** Returns the names of the values that an import or re-export takes; `*` for a whole module. */
function namesOf(node: object): string[] {
  if (
    ('importKind' in node && node.importKind === 'type') ||
    ('exportKind' in node && node.exportKind === 'type') ||
    ('type' in node && node.type === 'TSImportType')
  )
    return [];
  if (!('specifiers' in node) || !Array.isArray(node.specifiers)) return ['*'];
  return node.specifiers.flatMap(
    (one: { importKind?: string; imported?: { name?: string }; local?: { name?: string } }) =>
      one.importKind === 'type' ? [] : [one.imported?.name ?? ('exported' in one ? (one.local?.name ?? '*') : '*')],
  );
}

const IMPORTING = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
]);

function moduleOf(node: object): { text: string; at: number } | null {
  if (!('type' in node)) return null;
  let operand: unknown = null;
  if (IMPORTING.has(String(node.type)) && 'source' in node) operand = node.source;
  else if (node.type === 'TSExternalModuleReference' && 'expression' in node) operand = node.expression;
  if (typeof operand !== 'object' || operand === null || !('start' in operand)) return null;
  const text = 'value' in operand ? operand.value : null;
  return { text: typeof text === 'string' ? text : '(computed)', at: Number(operand.start) };
}

const lineOf = (source: string, offset: number): number => source.slice(0, offset).split('\n').length;

/** Returns why `file` (relative to the repository, with `/`) must not import `specifier`; null if it may. */
export function refusal(file: string, specifier: string): string | null {
  const layer = layerOf(file);
  if (layer === null || specifier === 'DecompressionStream') return null;
  const folder = folderOf(file, specifier);
  if (folder !== null) {
    const allowed = layer.folders.some((name) => folder === name || folder.startsWith(`${name}/`));
    return allowed || layerOf(folder) === layer ? orderRefusal(file, folder) : layer.reason;
  }
  if (specifier.startsWith('node:') || builtinModules.includes(specifier)) return layer.node ? null : layer.reason;
  if (layer.packages === null) return specifier === 'electron' ? layer.reason : null;
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  return layer.packages.includes(name) ? null : layer.reason;
}

function layerOf(file: string): Layer | null {
  const matching = layers.filter((layer) => file === layer.folder || file.startsWith(`${layer.folder}/`));
  return matching.toSorted((a, b) => b.folder.length - a.folder.length)[0] ?? null;
}

/** Returns the repository path of a relative or `#` specifier; null for packages and Node's modules. */
function folderOf(file: string, specifier: string): string | null {
  if (specifier.startsWith('#')) return specifier.slice(1);
  if (!specifier.startsWith('.')) return null;
  return path.posix.join(path.posix.dirname(file), specifier.replace(/[?#].*$/, ''));
}

/**
 * Checks every source file under `root`. Returns their number, and one line for each forbidden import, each cycle,
 * and what is wrong with the docs' table of rooms.
 */
export function checkImports(root: string): { files: number; violations: string[] } {
  const folders = layers.map((layer) => layer.folder).filter((folder) => !folder.includes('/'));
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx,mjs}`, { cwd: root }));
  const violations: string[] = [];
  const imports = new Map<string, Set<string>>();
  for (const native of files) {
    const file = native.split(path.sep).join('/');
    const targets = new Set<string>();
    imports.set(file, targets);
    for (const { specifier, line, names } of importedModules(readFileSync(path.join(root, native), 'utf8'), file)) {
      const reason =
        unpackRefusal(file, specifier, names) ?? refusal(file, specifier) ?? effectRefusal(file, specifier, names);
      if (reason !== null) violations.push(`${file}:${line}: may not import '${specifier}': ${reason}`);
      const target = folderOf(file, specifier);
      if (target !== null) targets.add(target);
    }
  }
  for (const circle of [...findCircles(imports), ...findCircles(siblingGraph(imports))]) {
    violations.push(
      `${circle.join(' → ')} → ${circle[0]}: files and rooms that import each other can only be read together`,
    );
  }
  return { files: files.length, violations: [...violations, ...checkRooms(root)] };
}

/**
 * Returns the cycles of a graph: for each strongly connected group of nodes, one path around. Edges to unknown nodes
 * and from a node to itself are ignored.
 */
export function findCircles(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const circles: string[][] = [];
  const done = new Set<string>();
  for (const start of graph.keys()) {
    const circle = done.has(start) ? null : circleThrough(graph, start, done);
    done.add(start);
    if (circle === null) continue;
    circles.push(circle);
    for (const node of circle) done.add(node);
  }
  return circles;
}

/** Returns the shortest path from `start` back to itself that avoids done nodes; null if there is none. */
function circleThrough(
  graph: ReadonlyMap<string, ReadonlySet<string>>,
  start: string,
  done: ReadonlySet<string>,
): string[] | null {
  const cameFrom = new Map<string, string>();
  const pending = [start];
  for (let node = pending.shift(); node !== undefined; node = pending.shift()) {
    for (const next of graph.get(node) ?? []) {
      if (next === start && node !== start) return wayTo(node, start, cameFrom);
      if (next === start || done.has(next) || cameFrom.has(next) || !graph.has(next)) continue;
      cameFrom.set(next, node);
      pending.push(next);
    }
  }
  return null;
}

function wayTo(end: string, start: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const way = [end];
  for (let at = end; at !== start;) {
    at = cameFrom.get(at)!;
    way.unshift(at);
  }
  return way;
}
