import type { CachePlace, OpenSource } from '../analysis/methods.ts';

/** The source of a tab's bytes; each reading opens it again, since URLs work only once. */
export interface TabSource {
  readonly fileName: string;
  /** Null for files outside the library. */
  readonly captureId: string | null;
  /** Returns the file, to add it to the library; null if it is there already. */
  readonly readFile: (() => Promise<File>) | null;
  /** Opens the source. `ignoreCache` selects the original bytes, for a format chosen by the user. */
  open(ignoreCache: boolean): Promise<OpenedSource>;
}

export interface OpenedSource {
  readonly source: OpenSource;
  /** Where to store the parsed form; null if it is stored already or has nowhere to go. */
  readonly cache: CachePlace | null;
  /** True if the source is the parsed form. */
  readonly cached: boolean;
}
