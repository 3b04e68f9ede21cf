import type { CachePlace, OpenSource } from '../analysis/methods.ts';

/** Where a tab's bytes come from; asked again for each reading, since handles work once. */
export interface TabSource {
  readonly fileName: string;
  /** Null for files that are in no library. */
  readonly captureId: string | null;
  /** The file itself, to keep it in the library; null where it is there. */
  readonly readFile: (() => Promise<File>) | null;
  /** `ignoreCache`: the bytes as they were captured, for a format chosen by hand. */
  open(ignoreCache: boolean): Promise<OpenedSource>;
}

export interface OpenedSource {
  readonly source: OpenSource;
  /** Where the parsed form can be kept; null where it is kept already or has no place. */
  readonly cache: CachePlace | null;
  /** The source is such a parsed form. */
  readonly cached: boolean;
}
