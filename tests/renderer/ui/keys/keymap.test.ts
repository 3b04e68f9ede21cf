import { describe, expect, it } from 'vitest';
import { chordOf, chordText, isSingleKey, worksAnywhere } from '../../../../renderer/ui/keys/chord.ts';
import type { KeyPress } from '../../../../renderer/ui/keys/chord.ts';
import {
  chordProblem,
  createKeymap,
  DEFAULT_KEYMAP,
  findShortcut,
  isFixed,
} from '../../../../renderer/ui/keys/keymap.ts';
import { SHORTCUTS } from '../../../../renderer/ui/keys/shortcuts.ts';

const CHORD = /^(?:Mod\+)?(?:Ctrl\+)?(?:Alt\+)?(?:Shift\+)?(?:[^\s\p{C}]|[A-Z][A-Za-z0-9]{1,19})$/u;

function press(key: string, held = '', code = ''): KeyPress {
  return {
    key,
    code,
    shiftKey: held.includes('s'),
    ctrlKey: held.includes('c'),
    altKey: held.includes('a'),
    metaKey: held.includes('m'),
  };
}

describe('chordOf', () => {
  it.each([
    [press('k', 'c'), 'Mod+K'],
    [press('T', 'cs'), 'Mod+Shift+T'],
    [press('n'), 'N'],
    [press('N', 's'), 'Shift+N'],
    [press('?', 's'), '?'],
    [press('+', 's'), '+'],
    [press(' '), 'Space'],
    [press('ArrowLeft', 's'), 'Shift+ArrowLeft'],
    [press('F10', 's'), 'Shift+F10'],
    // A layout without Latin letters, and one in which Alt types another character.
    [press('л', 'c', 'KeyK'), 'Mod+K'],
    [press('‰', 'as', 'KeyR'), 'Alt+Shift+R'],
    [press('Control', 'c'), null],
    [press('Dead'), null],
    [press('e', 'm'), null],
  ])('%j is %s', (event, chord) => {
    expect(chordOf(event, false)).toBe(chord);
  });

  it('treats the command key on a Mac as Mod, and Ctrl as itself', () => {
    expect(chordOf(press('k', 'm'), true)).toBe('Mod+K');
    expect(chordOf(press('k', 'c'), true)).toBe('Ctrl+K');
  });

  it('distinguishes single keys from chords that work anywhere', () => {
    expect(['N', 'Shift+N', '?', '/', 'Space', '+'].filter(isSingleKey)).toHaveLength(6);
    expect(['Enter', 'Mod+K', 'Shift+F10', 'ArrowUp', 'F1'].filter(isSingleKey)).toEqual([]);
    expect(['Mod+K', 'Alt+Shift+R', 'F1', 'Shift+F6', 'Mod++'].filter((chord) => !worksAnywhere(chord))).toEqual([]);
    expect(['Enter', 'N', 'Shift+N', 'Shift+ArrowLeft'].filter(worksAnywhere)).toEqual([]);
  });

  it('is written as people write it', () => {
    expect(chordText('Mod+Shift+T', false)).toBe('Ctrl Shift T');
    expect(chordText('Mod+Shift+T', true)).toBe('⌘⇧T');
    expect(chordText('Mod++', false)).toBe('Ctrl +');
    expect(chordText('+', false)).toBe('+');
    expect(chordText('Shift+ArrowLeft', false)).toBe('Shift ←');
  });
});

describe('the shortcuts', () => {
  it('are unique, with chords that a key press can produce', () => {
    const ids = SHORTCUTS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(SHORTCUTS.flatMap(({ keys }) => [...keys]).filter((chord) => !CHORD.test(chord))).toEqual([]);
  });

  it('do not conflict, and apply to the whole window only if they type nothing', () => {
    const problems = SHORTCUTS.filter((shortcut) => !isFixed(shortcut)).flatMap((shortcut) =>
      shortcut.keys.flatMap((chord) => {
        const problem = chordProblem(DEFAULT_KEYMAP, shortcut, chord);
        return problem === null || problem.kind === 'warning' ? [] : [`${shortcut.id} ${chord}`];
      }),
    );
    expect(problems).toEqual([]);
  });
});

describe('createKeymap', () => {
  const choice = { keys: {}, singleKeys: true, mac: false };

  it('finds a key’s shortcut for the focused place', () => {
    expect(DEFAULT_KEYMAP.at('graph', press('N', 's'))).toBe('graph.previous-match');
    expect(DEFAULT_KEYMAP.at('window', press('n'))).toBeNull();
    expect(DEFAULT_KEYMAP.at('window', press('f', 'c'))).toBe('search.focus');
  });

  it('accepts other keys, and none, for a shortcut', () => {
    const keymap = createKeymap({ ...choice, keys: { 'graph.copy': ['Y'], 'graph.invert': [] } });
    expect(keymap.at('graph', press('y'))).toBe('graph.copy');
    expect(keymap.at('graph', press('c'))).toBeNull();
    expect(keymap.at('graph', press('i'))).toBeNull();
    expect(keymap.textOf('graph.invert')).toBeNull();
  });

  it('switches all single keys off', () => {
    const keymap = createKeymap({ ...choice, singleKeys: false });
    const left = SHORTCUTS.flatMap(({ id }) => keymap.keysOf(id)).filter(isSingleKey);
    expect(left).toEqual([]);
    expect(keymap.at('graph', press('Enter'))).toBe('graph.zoom');
    expect(keymap.singleKeys).toBe(false);
  });

  it('ignores fixed keys and unknown IDs', () => {
    const keymap = createKeymap({ ...choice, keys: { 'table.move': ['J'], __proto__: ['K'], 'no.such': ['L'] } });
    expect(keymap.at('table', press('j'))).toBeNull();
    expect(keymap.at('table', press('ArrowDown'))).toBe('table.move');
  });
});

describe('chordProblem', () => {
  const copy = findShortcut('graph.copy')!;
  const open = findShortcut('file.open')!;

  it('names the shortcut that has the key', () => {
    expect(chordProblem(DEFAULT_KEYMAP, copy, 'N')).toMatchObject({ kind: 'taken', by: [{ id: 'graph.next-match' }] });
    expect(chordProblem(DEFAULT_KEYMAP, open, 'Mod+K')).toMatchObject({ kind: 'taken', by: [{ id: 'commands.show' }] });
    expect(chordProblem(DEFAULT_KEYMAP, copy, 'Y')).toBeNull();
  });

  it('refuses single keys for the whole window, and Tab everywhere', () => {
    expect(chordProblem(DEFAULT_KEYMAP, open, 'O')).toMatchObject({ kind: 'refused' });
    expect(chordProblem(DEFAULT_KEYMAP, copy, 'Tab')).toMatchObject({ kind: 'refused' });
  });

  it('says which keys a browser tab reserves', () => {
    expect(chordProblem(DEFAULT_KEYMAP, open, 'Mod+N')).toMatchObject({ kind: 'warning' });
  });
});
