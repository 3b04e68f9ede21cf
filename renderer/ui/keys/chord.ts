/** The parts of a key press that form a chord; a `KeyboardEvent`, of the page or of React, has them. */
export interface KeyPress {
  readonly key: string;
  /** The key's position on the keyboard, for layouts without Latin letters. */
  readonly code?: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

/**
 * A chord as text: the modifiers in the order `Mod`, `Ctrl`, `Alt`, `Shift`, then the key, joined by `+`. `Mod` is
 * Ctrl, or ⌘ on a Mac. Letters are upper case, with `Shift` if it was held; other characters imply their Shift (`?`).
 * Keys have their UI Events names (`ArrowUp`, `PageDown`); the space bar is `Space`.
 */
export type Chord = string;

const MODIFIER_KEYS = new Set(['Control', 'Shift', 'Alt', 'Meta', 'AltGraph', 'CapsLock', 'Fn', 'NumLock', 'OS']);
const NO_KEYS = new Set(['Dead', 'Process', 'Unidentified', 'Compose', '']);

/** Returns the chord; null if only modifiers are held or the press is part of composing a character. */
export function chordOf(press: KeyPress, mac: boolean): Chord | null {
  if (MODIFIER_KEYS.has(press.key)) return null;
  const key = keyOf(press);
  if (key === null) return null;
  const mod = mac ? press.metaKey : press.ctrlKey;
  const control = mac && press.ctrlKey;
  // The Windows key belongs to the system.
  if (!mac && press.metaKey) return null;
  const shift = press.shiftKey && !isSymbol(key);
  return [mod && 'Mod', control && 'Ctrl', press.altKey && 'Alt', shift && 'Shift', key].filter(Boolean).join('+');
}

function keyOf({ key, code = '', ctrlKey, altKey, metaKey }: KeyPress): string | null {
  // Held modifiers change the character of a key, and some layouts have no Latin letters; the key's position identifies
  // the letter.
  const modified = ctrlKey || altKey || metaKey;
  const place = /^(?:Key([A-Z])|Digit([0-9]))$/.exec(code);
  if (modified && place !== null && !/^[a-z]$/i.test(key)) return place[1] ?? place[2] ?? null;
  if (NO_KEYS.has(key)) return null;
  if (key === ' ') return 'Space';
  return [...key].length === 1 ? key.toUpperCase() : key;
}

/** Returns whether the key is a character other than a letter, for which Shift is implied. */
const isSymbol = (key: string): boolean => [...key].length === 1 && key.toUpperCase() === key.toLowerCase();

/** Returns whether a chord types a character; such a chord must not apply to the whole window (WCAG 2.1.4). */
export function isSingleKey(chord: Chord): boolean {
  const key = chord.startsWith('Shift+') ? chord.slice('Shift+'.length) : chord;
  return [...key].length === 1 || key === 'Space';
}

/** Returns whether a chord works wherever the focus is: it neither types nor moves anything in a field or a list. */
export function worksAnywhere(chord: Chord): boolean {
  return /^(?:Mod|Ctrl|Alt)\+/.test(chord) || /^(?:Shift\+)?F\d+$/.test(chord);
}

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

/** Returns a chord for display: `Ctrl Shift T`, or `⌘⇧T` on a Mac. */
export function chordText(chord: Chord, mac: boolean): string {
  const parts = chord.endsWith('+') ? [...chord.slice(0, -1).split('+').filter(Boolean), '+'] : chord.split('+');
  const shown = parts.map((part) => {
    if (mac && MAC_NAMES.has(part)) return MAC_NAMES.get(part)!;
    return part === 'Mod' ? 'Ctrl' : (NAMES.get(part) ?? part);
  });
  return shown.join(mac ? '' : ' ');
}
