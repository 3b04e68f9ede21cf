import { FunctionKind, NO_ADDRESS, type Profile } from '../../model/profile.ts';
import { nameOfAddress, nameOfUnresolved } from '../../symbols/perf-modules.ts';
import { StringRows } from '../../model/intern/string-rows.ts';
import { hashStack, StackRows } from '../../model/intern/stack-rows.ts';

/** What one row represents; the names are those of pprof's `-granularity`. */
export const GRANULARITIES = ['functions', 'filefunctions', 'files', 'lines', 'addresses'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** pprof's name for code that it knows nothing about. */
const UNKNOWN = '<unknown>';

/** One row of a granularity, like pprof's `graph.NodeInfo`. */
interface Node {
  readonly name: string;
  readonly module: string;
  readonly file: string;
  /** 0 if the granularity has no lines. */
  readonly line: number;
  /** 0 if there is none. */
  readonly address: bigint;
}

/**
 * Returns the profile with one function per row of the granularity; its frames, stacks and samples are unchanged.
 * `names` holds the functions' names without file, line and address, for patterns; for files it holds the path.
 */
export function regroup(profile: Profile, granularity: Granularity): { profile: Profile; names: readonly string[] } {
  const { frames, strings } = profile;
  const rows = new GrainRows(strings);
  const func = Int32Array.from({ length: frames.length }, (_, frame) => {
    const node = nodeOf(profile, frame, granularity);
    return rows.rowOf(node, profile.functions.kind[frames.func[frame]!]!);
  });
  const table = rows.finish();
  return {
    profile: {
      ...profile,
      strings: table.strings,
      functions: table.functions,
      frames: { ...frames, func },
    },
    names: table.names,
  };
}

function nodeOf({ frames, functions, strings }: Profile, frame: number, granularity: Granularity): Node {
  const func = frames.func[frame]!;
  const module = strings[functions.module[func]!]!;
  const address = frames.address?.[frame] ?? NO_ADDRESS;
  const known = address === NO_ADDRESS ? 0n : address;
  const own = strings[functions.name[func]!]!;
  const name = isUnnamed(own, module, known, functions.kind[func]!) ? '' : own;
  const file = cleanPath(strings[functions.file[func]!]!);
  const line = frames.line?.[frame] ?? 0;
  switch (granularity) {
    case 'functions':
      return { name, module, file: '', line: 0, address: 0n };
    case 'filefunctions':
      return { name, module, file, line: 0, address: 0n };
    case 'files':
      return { name: '', module, file, line: 0, address: 0n };
    case 'lines':
      return { name, module, file, line, address: 0n };
    case 'addresses':
      return { name, module, file, line, address: known };
  }
}

/** Returns whether the name is a placeholder: the module's name, or the address. */
function isUnnamed(name: string, module: string, address: bigint, kind: number): boolean {
  if (kind !== FunctionKind.unresolved) return name === '';
  if (module === '') return name === nameOfAddress('', address) && address !== 0n;
  return name === nameOfUnresolved(module);
}

/** Like pprof's `PrintableName`. */
function titleOf({ name, module, file, line, address }: Node): string {
  const parts = address === 0n ? [] : [address.toString(16).padStart(16, '0')];
  if (name !== '') parts.push(name);
  if (line !== 0) parts.push(`${file}:${line}`);
  else if (file !== '') parts.push(file);
  else if (name === '') parts.push(module === '' ? UNKNOWN : nameOfUnresolved(module));
  return parts.join(' ');
}

class GrainRows {
  readonly #strings: StringRows;
  readonly #rows = new Map<string, number>();
  readonly #nodes: Node[] = [];
  readonly #kinds: number[] = [];
  /** The module that all frames of a row share; null if they differ. */
  readonly #modules: (string | null)[] = [];

  constructor(strings: readonly string[]) {
    this.#strings = new StringRows(strings);
  }

  rowOf(node: Node, kind: number): number {
    const { name, module, file, line, address } = node;
    // A named row is the same in every binary; unnamed ones are distinguished by their binary.
    const key = `${name}\0${file}\0${line}\0${address}\0${name === '' ? module : ''}`;
    const known = this.#rows.get(key);
    if (known !== undefined) {
      if (this.#modules[known] !== module) this.#modules[known] = null;
      return known;
    }
    this.#rows.set(key, this.#nodes.length);
    this.#kinds.push(kind);
    this.#modules.push(module);
    return this.#nodes.push(node) - 1;
  }

  finish(): Pick<Profile, 'strings' | 'functions'> & { names: string[] } {
    const nodes = this.#nodes;
    const functions = {
      length: nodes.length,
      name: Int32Array.from(nodes, (node) => this.#strings.rowOf(titleOf(node))),
      module: Int32Array.from(this.#modules, (module) => this.#strings.rowOf(module ?? '')),
      file: Int32Array.from(nodes, ({ file }) => this.#strings.rowOf(file)),
      line: Int32Array.from(nodes, ({ line }) => line),
      kind: Uint8Array.from(this.#kinds),
    };
    return {
      strings: this.#strings.list,
      functions,
      names: nodes.map((node) => node.name || titleOf(node)),
    };
  }
}

/** Like Go's `filepath.Clean`, except that an empty path stays empty. */
export function cleanPath(path: string): string {
  if (!/\/\/|(^|\/)\.\.?(\/|$)|.\/$/.test(path)) return path;
  const isRooted = path.startsWith('/');
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (!isRooted) parts.push(part);
  }
  return (isRooted ? '/' : '') + parts.join('/') || '.';
}

/** Returns the profile without inlined frames; their weight goes to their callers. */
export function withoutInlines(profile: Profile): Profile {
  const { frames, stacks, samples } = profile;
  if (!frames.inline.includes(1)) return profile;
  const rows = new StackRows();
  const moved = new Int32Array(stacks.length);
  for (let row = 0; row < stacks.length; row++) {
    const caller = stacks.parent[row]!;
    const parent = caller < 0 ? -1 : moved[caller]!;
    const frame = stacks.frame[row]!;
    if (frames.inline[frame] === 1) moved[row] = parent;
    else moved[row] = rows.intern(parent, frame, hashStack(rows.hashOf(parent), frame));
  }
  const { length } = rows;
  return {
    ...profile,
    stacks: { length, ...rows.finish() },
    samples: { ...samples, stack: samples.stack.map((row) => (row < 0 ? row : moved[row]!)) },
  };
}
