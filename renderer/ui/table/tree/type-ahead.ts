/** Letters typed within this time in ms form one word. */
const PAUSE_MS = 800;
/** Time in ms to type the first letter after typing was requested. */
const BEGIN_MS = 3000;

export interface TypeAhead {
  /** Starts a word: the next character belongs to it, whatever its key does otherwise. */
  readonly begin: (at: number) => void;
  /** Returns whether a character at that time continues a word. */
  readonly goesOn: (at: number) => boolean;
  /** Adds a character and returns the word typed so far; times are in ms. */
  readonly type: (character: string, at: number) => string;
}

export function createTypeAhead(): TypeAhead {
  let typed = '';
  let until = Number.NEGATIVE_INFINITY;
  return {
    begin(at) {
      typed = '';
      until = at + BEGIN_MS;
    },
    goesOn: (at) => at <= until,
    type(character, at) {
      typed = at > until ? character : typed + character;
      until = at + PAUSE_MS;
      return typed;
    },
  };
}
