/** What of a key press makes a chord; a `KeyboardEvent`, the page's or React's, is one. */
export interface KeyPress {
  readonly key: string;
  /** The key's place on the keyboard, for layouts without Latin letters. */
  readonly code?: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

/**
 * A chord as text: modifiers in the order `Mod`, `Ctrl`, `Alt`, `Shift`, then the key, joined by `+`. `Mod` is Ctrl, on a Mac ⌘. Letters
 * are upper case, with `Shift` where it was held; other characters carry their Shift in themselves (`?`). Named keys are called as in
 * UI Events (`ArrowUp`, `PageDown`), the space bar `Space`.
 */
export type Chord = string;

const MODIFIER_KEYS = new Set(['Control', 'Shift', 'Alt', 'Meta', 'AltGraph', 'CapsLock', 'Fn', 'NumLock', 'OS']);
const NO_KEYS = new Set(['Dead', 'Process', 'Unidentified', 'Compose', '']);

/** Null where no more than modifiers are held, or the press is a part of writing a character. */
export function chordOf(press: KeyPress, mac: boolean): Chord | null {
  if (MODIFIER_KEYS.has(press.key)) return null;
  const key = keyOf(press);
  if (key === null) return null;
  const mod = mac ? press.metaKey : press.ctrlKey;
  const control = mac && press.ctrlKey;
  // The Windows key is the system's.
  if (!mac && press.metaKey) return null;
  const shift = press.shiftKey && !isSymbol(key);
  return [mod && 'Mod', control && 'Ctrl', press.altKey && 'Alt', shift && 'Shift', key].filter(Boolean).join('+');
}

function keyOf({ key, code = '', ctrlKey, altKey, metaKey }: KeyPress): string | null {
  // Held modifiers change what a key writes, and layouts may have no Latin letters: the key's place says which one it is.
  const modified = ctrlKey || altKey || metaKey;
  const place = /^(?:Key([A-Z])|Digit([0-9]))$/.exec(code);
  if (modified && place !== null && !/^[a-z]$/i.test(key)) return place[1] ?? place[2] ?? null;
  if (NO_KEYS.has(key)) return null;
  if (key === ' ') return 'Space';
  return [...key].length === 1 ? key.toUpperCase() : key;
}

/** A character that is no letter: Shift is a part of it. */
const isSymbol = (key: string): boolean => [...key].length === 1 && key.toUpperCase() === key.toLowerCase();

/** A chord that writes a character: it must not act in the whole window (WCAG 2.1.4). */
export function isSingleKey(chord: Chord): boolean {
  const key = chord.startsWith('Shift+') ? chord.slice('Shift+'.length) : chord;
  return [...key].length === 1 || key === 'Space';
}

/** Whether a chord may act wherever the focus is: it writes nothing, and moves nothing in a field or a list. */
export function worksAnywhere(chord: Chord): boolean {
  return /^(?:Mod|Ctrl|Alt)\+/.test(chord) || /^(?:Shift\+)?F\d+$/.test(chord);
}

const CHORD = /^(?:Mod\+)?(?:Ctrl\+)?(?:Alt\+)?(?:Shift\+)?(?:[^\s\p{C}]|[A-Z][A-Za-z0-9]{1,19})$/u;

export const isChord = (text: string): boolean => CHORD.test(text);

const NAMES: ReadonlyMap<string, string> = new Map([
  ['ArrowUp', '↑'],
  ['ArrowDown', '↓'],
  ['ArrowLeft', '←'],
  ['ArrowRight', '→'],
  ['Escape', 'Esc'],
  ['PageUp', 'PgUp'],
  ['PageDown', 'PgDn'],
  ['ContextMenu', 'Menu'],
  ['Delete', 'Del'],
  ['-', '−'],
]);
const MAC_NAMES: ReadonlyMap<string, string> = new Map([
  ['Mod', '⌘'],
  ['Ctrl', '⌃'],
  ['Alt', '⌥'],
  ['Shift', '⇧'],
]);

/** `Ctrl Shift T`, on a Mac `⌘⇧T`. */
export function chordText(chord: Chord, mac: boolean): string {
  const parts = chord.endsWith('+') ? [...chord.slice(0, -1).split('+').filter(Boolean), '+'] : chord.split('+');
  const shown = parts.map((part) => {
    if (mac && MAC_NAMES.has(part)) return MAC_NAMES.get(part)!;
    return part === 'Mod' ? 'Ctrl' : (NAMES.get(part) ?? part);
  });
  return shown.join(mac ? '' : ' ');
}
