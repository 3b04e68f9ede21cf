import { describe, expect, test } from 'vitest';
import { DEFAULT_KEYMAP } from '../../../../renderer/ui/keys/keymap.ts';
import { rangeForKey, timeChoiceFor, windowForShortcut } from '../../../../renderer/ui/time/strip-keys.ts';

const whole = { start: 0, end: 1e9 };
const window = { start: 2e8, end: 4e8 };
const chosen = { start: 2.5e8, end: 3e8 };
const press = (key: string, more: { shiftKey?: boolean; ctrlKey?: boolean } = {}) => ({
  key,
  code: '',
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
});
const windowFor = (key: string, scene: Parameters<typeof windowForShortcut>[1]) =>
  windowForShortcut(DEFAULT_KEYMAP.at('time', press(key)), scene);

describe('windowForShortcut', () => {
  test('zooms around the range, pans, and shows the whole or the range', () => {
    const scene = { window, whole, chosen };
    const closer = windowFor('+', scene)!;
    expect(closer.end - closer.start).toBeCloseTo(2e8 / 1.5, 0);
    expect(windowFor('-', { ...scene, window: { start: 0, end: 9e8 } })).toBe(null);
    expect(windowFor('0', scene)).toBe(null);
    expect(windowFor('z', scene)).toEqual({ start: 2.45e8, end: 3.05e8 });
    expect(windowFor('z', { ...scene, chosen: null })).toBe(undefined);
    expect(windowFor('PageDown', scene)).toEqual({ start: 3e8, end: 5e8 });
    expect(windowFor('PageUp', { ...scene, window: whole })).toBe(undefined);
    expect(windowFor('x', scene)).toBe(undefined);
  });
});

describe('timeChoiceFor', () => {
  const choiceFor = (key: string, choice: Parameters<typeof timeChoiceFor>[1]) =>
    timeChoiceFor(DEFAULT_KEYMAP.at('time', press(key)), choice);
  test('enters the range, and leaves it', () => {
    const within = { committed: [chosen], timeRange: chosen };
    expect(choiceFor('c', { committed: [], timeRange: chosen })).toEqual(within);
    expect(choiceFor('c', within)).toBe(undefined);
    expect(choiceFor('Backspace', within)).toEqual({ committed: [], timeRange: null });
    expect(choiceFor('Backspace', { committed: [], timeRange: chosen })).toBe(undefined);
  });
});

describe('rangeForKey', () => {
  const scene = { window, whole, chosen };
  test('moves by a fraction of the window, resizes with Shift, clears', () => {
    expect(rangeForKey(press('ArrowRight'), scene)).toEqual({ start: 2.54e8, end: 3.04e8 });
    expect(rangeForKey(press('ArrowLeft', { shiftKey: true }), scene)).toEqual({ start: 2.5e8, end: 2.96e8 });
    expect(rangeForKey(press('Escape'), scene)).toBe(null);
    expect(rangeForKey(press('Home'), scene)).toEqual({ start: 0, end: 5e7 });
    expect(rangeForKey(press('End'), scene)).toEqual({ start: 9.5e8, end: 1e9 });
  });

  test('leaves other keys, and those with Ctrl, to the window', () => {
    expect(rangeForKey(press('ArrowRight', { ctrlKey: true }), scene)).toBe(undefined);
    expect(rangeForKey(press('Escape'), { ...scene, chosen: null })).toBe(undefined);
    expect(rangeForKey(press('a'), scene)).toBe(undefined);
  });
});
