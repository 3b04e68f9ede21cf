import { chordOf, chordText, isSingleKey, worksAnywhere, type Chord, type KeyPress } from './chord.ts';
import { SHORTCUTS, type KeyPlace, type Shortcut, type ShortcutId } from './shortcuts.ts';

/** The keys currently in effect: the defaults with the user's changes. */
export interface Keymap {
  /** Returns the shortcut for a key press at a place; null if there is none. */
  readonly at: (place: KeyPlace, press: KeyPress) => ShortcutId | null;
  /** Returns an empty list if the shortcut is switched off. */
  readonly keysOf: (id: ShortcutId) => readonly Chord[];
  /** Returns `Ctrl Shift T · Alt Shift T`; null if the shortcut has no key. */
  readonly textOf: (id: ShortcutId) => string | null;
  /** If false, keys that type a character do nothing without a modifier. */
  readonly singleKeys: boolean;
}

interface KeymapChoice {
  /** Chords by shortcut ID; an empty list switches the shortcut off. Unknown IDs are ignored. */
  readonly keys: Readonly<Record<string, readonly Chord[]>>;
  /** False switches off every key that types a character (WCAG 2.1.4). */
  readonly singleKeys: boolean;
  readonly mac: boolean;
}

export function createKeymap({ keys, singleKeys, mac }: KeymapChoice): Keymap {
  const chosen = new Map(Object.entries(keys));
  const inForce = new Map<string, readonly Chord[]>();
  const byPlace = new Map<KeyPlace, Map<Chord, ShortcutId>>();
  for (const shortcut of SHORTCUTS) {
    const all = (isFixed(shortcut) ? null : chosen.get(shortcut.id)) ?? shortcut.keys;
    const usable = all.filter((chord) => singleKeys || !isSingleKey(chord));
    inForce.set(shortcut.id, usable);
    const place = byPlace.get(shortcut.place) ?? new Map<Chord, ShortcutId>();
    byPlace.set(shortcut.place, place);
    for (const chord of usable) if (!place.has(chord)) place.set(chord, shortcut.id);
  }
  const keysOf = (id: ShortcutId): readonly Chord[] => inForce.get(id) ?? [];
  return {
    singleKeys,
    at: (place, press) => {
      const chord = chordOf(press, mac);
      if (chord === null) return null;
      const outer = CALLS.includes(place) ? byPlace.get('calls')?.get(chord) : undefined;
      return byPlace.get(place)?.get(chord) ?? outer ?? null;
    },
    keysOf,
    textOf: (id) => {
      const texts = keysOf(id).map((chord) => chordText(chord, mac));
      return texts.length === 0 ? null : texts.join(' · ');
    },
  };
}

/** The keymap without any settings. */
export const DEFAULT_KEYMAP: Keymap = createKeymap({ keys: {}, singleKeys: true, mac: false });

export function isFixed(shortcut: Shortcut): boolean {
  return shortcut.fixed === true;
}

export const findShortcut = (id: string): Shortcut | null => SHORTCUTS.find((shortcut) => shortcut.id === id) ?? null;

/** Keys that browsers reserve in an ordinary tab; they work in a window of their own and in the desktop app. */
const BROWSER_KEYS = new Set([
  'Mod+N',
  'Mod+Shift+N',
  'Mod+T',
  'Mod+Shift+T',
  'Mod+W',
  'Mod+Shift+W',
  'Mod+Tab',
  'Mod+Shift+Tab',
  'Mod+PageUp',
  'Mod+PageDown',
]);

export type ChordProblem =
  /** The chord cannot be chosen. */
  | { readonly kind: 'refused'; readonly message: string }
  /** Other shortcuts use the chord and lose it if it is chosen. */
  | { readonly kind: 'taken'; readonly by: readonly Shortcut[] }
  /** The chord may not reach the window. */
  | { readonly kind: 'warning'; readonly message: string };

/** Returns why a chord should not be given to a shortcut; null if there is no reason. */
export function chordProblem(keymap: Keymap, shortcut: Shortcut, chord: Chord): ChordProblem | null {
  if (shortcut.place === 'window' && !worksAnywhere(chord)) {
    return {
      kind: 'refused',
      message: 'Window-wide shortcuts need Ctrl or Alt, or a function key; other keys are for typing and moving.',
    };
  }
  if (chord === 'Tab' || chord === 'Shift+Tab') {
    return { kind: 'refused', message: 'Tab is reserved for moving the focus.' };
  }
  const by = SHORTCUTS.filter(
    (other) =>
      other.id !== shortcut.id && overlap(other.place, shortcut.place) && keymap.keysOf(other.id).includes(chord),
  );
  const [fixed] = by.filter(isFixed);
  if (fixed !== undefined) return { kind: 'refused', message: `This key is taken: ${fixed.what}.` };
  if (by.length > 0) return { kind: 'taken', by };
  if (!BROWSER_KEYS.has(chord)) return null;
  return {
    kind: 'warning',
    message: 'Browser tabs reserve this key; it works in a separate window.',
  };
}

/** Places where keys of the `calls` place apply, in addition to that place. */
const CALLS: readonly KeyPlace[] = ['graph', 'table'];

const overlap = (a: KeyPlace, b: KeyPlace): boolean => a === b || isWithin(a, b) || isWithin(b, a);

const isWithin = (inner: KeyPlace, outer: KeyPlace): boolean =>
  outer === 'window' || (outer === 'calls' && CALLS.includes(inner));
