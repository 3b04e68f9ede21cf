/** Letters typed one after the other are one word; after a pause a new one begins. */
const PAUSE_MS = 800;
/** For the first letter, where typing was asked for. */
const BEGIN_MS = 3000;

export interface TypeAhead {
  /** What comes next begins a word, whatever else its key does. */
  readonly begin: (at: number) => void;
  /** A character at that time goes on with a word. */
  readonly goesOn: (at: number) => boolean;
  /** What has been typed by then, in milliseconds. */
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
