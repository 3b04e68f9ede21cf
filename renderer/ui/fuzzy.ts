/** Where a text contains the letters of a query, and how well they match; a higher score is better. */
interface FuzzyMatch {
  readonly score: number;
  /** Indices of UTF-16 units in the text, ascending. */
  readonly at: readonly number[];
}

const WORD_START = 8;
const IN_A_ROW = 5;
const EXACT_WORD = 30;

/**
 * Returns null if the text does not contain the query's letters in order. Spaces in the query only separate words; case
 * is ignored.
 */
export function fuzzyMatch(query: string, text: string): FuzzyMatch | null {
  const wanted = query.toLowerCase().replaceAll(/\s+/g, '');
  const lower = text.toLowerCase();
  // A few characters change length with case, so that indices in the lower-case text would not fit the original.
  if (lower.length !== text.length) return lower.includes(wanted) ? { score: 0, at: [] } : null;
  const whole = wholeWords(query, lower);
  if (whole !== null) return whole;
  const at: number[] = [];
  let score = -text.length / 100;
  for (const letter of wanted) {
    const place = bestPlace(lower, letter, at.at(-1) ?? -1);
    if (place < 0) return null;
    if (place === (at.at(-1) ?? -2) + 1) score += IN_A_ROW;
    if (isWordStart(lower, place)) score += WORD_START;
    at.push(place);
  }
  return { score, at };
}

/** Matches each word of the query literally. */
function wholeWords(query: string, lower: string): FuzzyMatch | null {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const at = new Set<number>();
  let score = -lower.length / 100;
  for (const word of words) {
    const place = lower.indexOf(word);
    if (place < 0) return null;
    score += EXACT_WORD + word.length + (isWordStart(lower, place) ? WORD_START : 0);
    for (let index = 0; index < word.length; index++) at.add(place + index);
  }
  return { score, at: [...at].sort((a, b) => a - b) };
}

/** Returns the next position of the letter after `last`, preferring the start of a word. */
function bestPlace(lower: string, letter: string, last: number): number {
  const next = lower.indexOf(letter, last + 1);
  if (next < 0 || next === last + 1) return next;
  for (let place = next; place >= 0; place = lower.indexOf(letter, place + 1)) {
    if (isWordStart(lower, place)) return place;
  }
  return next;
}

const isWordStart = (lower: string, place: number): boolean => place === 0 || /[^\p{L}\p{N}]/u.test(lower[place - 1]!);
