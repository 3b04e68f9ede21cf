/** Names of the code in one binary. */
export interface SymbolTable {
  /** The symbol, as the linker knows it, that holds an address of the profile's; null where none does. */
  nameAt(address: bigint): string | null;
}

/** A binary that a profile has unresolved frames in. */
export interface SymbolRequest {
  /** As the profile's functions name it. */
  readonly module: string;
  /** The file, on the machine that was recorded; the kernel's is `[kernel.kallsyms]`. */
  readonly path: string;
  readonly kind: 'kernel' | 'file' | 'jit-map';
  /** In hexadecimal; null where the recording doesn't tell. */
  readonly buildId: string | null;
  /** The file on the machine that was recorded; null where the recording doesn't tell. */
  readonly file: FileIdentity | null;
  /** Of the kernel: where its symbol `_text` or `_stext` was, which moves at each start of the machine; else null. */
  readonly reference: { readonly symbol: string; readonly address: bigint } | null;
  /** The machine that was recorded and its kernel's release; null where the recording doesn't tell. */
  readonly hostName: string | null;
  readonly kernel: string | null;
}

/** Which file a mapping was of: a name may have come to mean another one since. Device 0:0, which no file is on: not stated. */
export interface FileIdentity {
  readonly major: number;
  readonly minor: number;
  readonly inode: bigint;
}

/** Where symbols can be had: a machine's files, or what the user handed over. Null where there are none for a binary. */
export type SymbolSource = (request: SymbolRequest) => Promise<SymbolTable | null>;
