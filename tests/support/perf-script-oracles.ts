import { demangle } from '#core/symbols/demangle/demangle.ts';

/**
 * How a reference tool changes function names, which Flamebench keeps whole (docs/parity.md). Tests apply this to our
 * names before they compare them with the tool's.
 */
export interface Oracle {
  readonly expectedKind: 'stackcollapse-perf' | 'inferno';
  readonly rollupKind: 'perl' | 'inferno';
  renameComm(comm: string): string;
  /** Returns the tool's name for a function; null if the tool leaves the frame out. `comm` is the sample's. */
  rename(name: string, comm: string): string | null;
  /** True if the tool writes a line for a sample without a stack. */
  readonly keepsEmptyStacks: boolean;
}

export const stackcollapsePerf: Oracle = {
  expectedKind: 'stackcollapse-perf',
  rollupKind: 'perl',
  keepsEmptyStacks: true,
  renameComm,
  rename(name, comm) {
    // This is FlameGraph's "skip process names", which also skips `(anonymous namespace)::f`.
    if (name.startsWith('(')) return null;
    const isGoMethod = /\.\(.*\)\./.test(name);
    const plain = isGoMethod ? name : name.replace(/\((?!anonymous namespace\)).*/, '');
    return withoutJavaTag(plain.replace(/["']/g, ''), comm);
  },
};

export const inferno: Oracle = {
  expectedKind: 'inferno',
  rollupKind: 'inferno',
  keepsEmptyStacks: false,
  renameComm,
  rename: (name, comm) => (name.startsWith('(') ? null : withoutJavaTag(withoutArguments(name), comm)),
};

/** Both tools end the comm at its first number: `child 9/2 [x]`, `FS Broker 5906`. */
function renameComm(comm: string): string {
  return /^(.+?)_+\d+(?:\/\d*)?(?:_|$)/.exec(comm)?.[1] ?? comm;
}

/** Both tools turn `Lorg/Foo;` into `org/Foo:` in processes called java. This removes the `L`. */
function withoutJavaTag(name: string, comm: string): string {
  return comm.startsWith('java') && name.startsWith('L') && name.includes('/') ? name.slice(1) : name;
}

/**
 * Cuts a name like inferno: at the first parenthesis outside brackets that opens neither a Go receiver nor `(anonymous
 * namespace)`.
 */
function withoutArguments(name: string): string {
  let depth = 0;
  for (let at = 0; at < name.length; at++) {
    const character = name[at]!;
    if (character === '(' && depth === 0) {
      const isGoReceiver = name[at - 1] === '.';
      if (!isGoReceiver && !name.startsWith('(anonymous namespace)', at)) return name.slice(0, at);
    }
    if ('<{[('.includes(character)) depth += 1;
    if ('>}])'.includes(character)) depth -= 1;
  }
  return name;
}

/**
 * Demangles a name that the tools print as perf printed it (ruling 3). inferno keeps the mark before Rust's escapes.
 */
export function demangled(name: string): string {
  return (demangle(name) ?? name).replaceAll('::_{{', '::{{').replace(/^([\w:]+)\(\)$/, '$1');
}
