import { chordOf, chordText, isSingleKey, worksAnywhere } from './chord.ts';
import type { Chord, KeyPress } from './chord.ts';
import { SHORTCUTS } from './shortcuts.ts';
import type { KeyPlace, Shortcut, ShortcutId } from './shortcuts.ts';

/** The keys that hold now: the defaults with what the user chose. */
export interface Keymap {
  /** The shortcut that a press means to a place; null: none. */
  readonly at: (place: KeyPlace, press: KeyPress) => ShortcutId | null;
  /** Empty where it is switched off. */
  readonly keysOf: (id: ShortcutId) => readonly Chord[];
  /** `Ctrl Shift T · Alt Shift T`; null where it has no key. */
  readonly textOf: (id: ShortcutId) => string | null;
  /** False: no key that writes a character does anything by itself. */
  readonly singleKeys: boolean;
}

export interface KeymapChoice {
  /** Chords by shortcut id; an empty list switches the shortcut off. Ids that are none are ignored. */
  readonly keys: Readonly<Record<string, readonly Chord[]>>;
  /** False switches off every key that writes a character (WCAG 2.1.4). */
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

/** The keymap as it is without settings. */
export const DEFAULT_KEYMAP: Keymap = createKeymap({ keys: {}, singleKeys: true, mac: false });

export function isFixed(shortcut: Shortcut): boolean {
  return shortcut.fixed === true;
}

export const findShortcut = (id: string): Shortcut | null => SHORTCUTS.find((shortcut) => shortcut.id === id) ?? null;

/** Keys that a browser keeps for itself in an ordinary tab; they work in a window of their own and in the desktop app. */
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
  /** It can't be chosen. */
  | { readonly kind: 'refused'; readonly message: string }
  /** Other shortcuts have it; they lose it where it is chosen all the same. */
  | { readonly kind: 'taken'; readonly by: readonly Shortcut[] }
  /** It may not arrive. */
  | { readonly kind: 'warning'; readonly message: string };

/** What stands against giving a chord to a shortcut; null: nothing. */
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
    message: 'An ordinary browser tab keeps this key for itself; it works in a window of its own.',
  };
}

/** Where keys for calls act, besides the place's own. */
const CALLS: readonly KeyPlace[] = ['graph', 'table'];

const overlap = (a: KeyPlace, b: KeyPlace): boolean => a === b || isWithin(a, b) || isWithin(b, a);

const isWithin = (inner: KeyPlace, outer: KeyPlace): boolean =>
  outer === 'window' || (outer === 'calls' && CALLS.includes(inner));
