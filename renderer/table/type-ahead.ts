/** Letters typed one after the other are one word; after a pause a new one begins. */
const PAUSE_MS = 800;

export interface TypeAhead {
  /** What has been typed by then, in milliseconds. */
  readonly type: (character: string, at: number) => string;
}

export function createTypeAhead(): TypeAhead {
  let typed = '';
  let last = Number.NEGATIVE_INFINITY;
  return {
    type(character, at) {
      typed = at - last > PAUSE_MS ? character : typed + character;
      last = at;
      return typed;
    },
  };
}
