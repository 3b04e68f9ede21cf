/** Letters typed one after the other are one word; after a pause a new one begins. */
const PAUSE_MS = 800;

export interface TypeAhead {
  /** What has been typed by now. */
  readonly type: (character: string, now: number) => string;
}

export function createTypeAhead(): TypeAhead {
  let typed = '';
  let last = Number.NEGATIVE_INFINITY;
  return {
    type(character, now) {
      typed = now - last > PAUSE_MS ? character : typed + character;
      last = now;
      return typed;
    },
  };
}
