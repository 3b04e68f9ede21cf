/** Where the letters of a query are in a text, and how well they fit; higher is better. */
export interface FuzzyMatch {
  readonly score: number;
  /** Indices of the text's UTF-16 units, ascending. */
  readonly at: readonly number[];
}

const WORD_START = 8;
const IN_A_ROW = 5;
const EXACT_WORD = 30;

/** Null where the text does not hold the query's letters in their order. Blanks in the query only divide; case is ignored. */
export function fuzzyMatch(query: string, text: string): FuzzyMatch | null {
  const wanted = query.toLowerCase().replaceAll(/\s+/g, '');
  const lower = text.toLowerCase();
  // A few characters change their length with their case: then places in the one are none in the other.
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

/** Each word of the query as it stands. */
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

/** The next letter after the last place, at the start of a word where there is one. */
function bestPlace(lower: string, letter: string, last: number): number {
  const next = lower.indexOf(letter, last + 1);
  if (next < 0 || next === last + 1) return next;
  for (let place = next; place >= 0; place = lower.indexOf(letter, place + 1)) {
    if (isWordStart(lower, place)) return place;
  }
  return next;
}

const isWordStart = (lower: string, place: number): boolean => place === 0 || /[^\p{L}\p{N}]/u.test(lower[place - 1]!);
