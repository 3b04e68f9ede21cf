/** Longest list that is written out. */
const MOST_LISTED = 8;
const MOST_NAMED = 3;

/** Returns names as a list; of a long one the first, and how many more there are: `a, b, c and 97 more`. */
export const listText = (names: readonly string[]): string =>
  names.length <= MOST_LISTED
    ? names.join(', ')
    : `${names.slice(0, MOST_NAMED).join(', ')} and ${names.length - MOST_NAMED} more`;
