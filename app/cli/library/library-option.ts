/** The option that selects the library, for commander's `option()`. */
export const LIBRARY_OPTION = [
  '--library <folder>',
  'library folder (default: $FLAMEBENCH_LIBRARY, or one in the user’s data folder); captures adopt takes over an old one',
] as const;

/** Returns the words by which a printed command names the same library. */
export const libraryWords = (folder: string | undefined): string[] =>
  folder === undefined ? [] : ['--library', folder];
