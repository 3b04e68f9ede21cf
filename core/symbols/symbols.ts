/** Names of the code in one binary. */
export interface SymbolTable {
  /** Returns the symbol (as the linker knows it) that contains an address of the profile; null if there is none. */
  nameAt(address: bigint): string | null;
  /** Returns where that symbol starts, in the table's address space. Absent: not known. */
  startAt?(address: bigint): number | null;
  /** Returns the functions at an address, innermost (inlined) first. Absent: only names are known. */
  framesAt?(address: bigint): readonly SymbolFrame[] | null;
}

/** A function at an address, and the place in its source. */
export interface SymbolFrame {
  /** As the linker or the language calls it. */
  readonly name: string;
  /** Empty if unknown. */
  readonly file: string;
  /** 1-based; 0 if unknown. */
  readonly line: number;
  /** First line of the function; 0 if unknown. */
  readonly startLine: number;
}

/** Returns the functions at an address, innermost first, as far as the table has them; null if it has none. */
export function symbolFrames(table: SymbolTable, address: bigint): readonly SymbolFrame[] | null {
  const frames = table.framesAt?.(address) ?? null;
  if (frames !== null) return frames;
  const name = table.nameAt(address);
  return name === null ? null : [{ name, file: '', line: 0, startLine: 0 }];
}

/**
 * Returns a binary's own table, completed by its debug information: lines from Go's own table take precedence over
 * those of debug information, and these over bare names.
 */
export function withDebugFrames(own: SymbolTable | null, debug: SymbolTable | null): SymbolTable | null {
  const withLines =
    own?.framesAt === undefined
      ? null
      : { nameAt: () => null, framesAt: (address: bigint) => own.framesAt?.(address) ?? null };
  return layeredTable([withLines, debug, own]);
}

/** Combines tables; the first one that has an address counts. Null without a table. */
function layeredTable(tables: readonly (SymbolTable | null)[]): SymbolTable | null {
  const known = tables.filter((table) => table !== null);
  if (known.length === 0) return null;
  const framesAt = (address: bigint): readonly SymbolFrame[] | null => {
    for (const table of known) {
      const frames = symbolFrames(table, address);
      if (frames !== null) return frames;
    }
    return null;
  };
  return { framesAt, nameAt: (address) => framesAt(address)?.at(-1)?.name ?? null };
}

/** A binary in which a profile has unresolved frames. */
export interface SymbolRequest {
  /** As in the profile's functions. */
  readonly module: string;
  /** Path on the recorded machine; the kernel's is `[kernel.kallsyms]`; empty for a `program`, all of its code. */
  readonly path: string;
  readonly kind: 'kernel' | 'file' | 'jit-map' | 'program';
  /** In hexadecimal; null if the recording does not state it. */
  readonly buildId: string | null;
  /** Identity of the file on the recorded machine; null if the recording does not state it. */
  readonly file: FileIdentity | null;
  /** For the kernel: the address of its symbol `_text` or `_stext`, which changes at every boot; otherwise null. */
  readonly reference: { readonly symbol: string; readonly address: bigint } | null;
  /** The recorded machine and its kernel's release; null if the recording does not state it. */
  readonly hostName: string | null;
  readonly kernel: string | null;
  /** Addresses to resolve with lines and inlined calls: offsets in the file; of a `program`, in its memory. */
  readonly addresses?: readonly bigint[];
}

/**
 * Identifies the mapped file, because its name may refer to another file since. Device 0:0, which holds no files, means
 * that it is not stated.
 */
export interface FileIdentity {
  readonly major: number;
  readonly minor: number;
  readonly inode: bigint;
}

/** Returns symbols from a machine's files or from what the user supplied. Null if there are none for a binary. */
export type SymbolSource = (request: SymbolRequest) => Promise<SymbolTable | null>;
