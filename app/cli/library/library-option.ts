/** Which library a command works on, for commander's `option()`. */
export const LIBRARY_OPTION = [
  '--library <folder>',
  'the library (default: $FLAMEBENCH_LIBRARY, else in the user’s data folder)',
] as const;
