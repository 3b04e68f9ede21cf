import { describe, expect, it } from 'vitest';
import { createViewHistory } from '../../../renderer/state/analysis/undo.ts';

function history() {
  let now = 0;
  const one = createViewHistory<string>(
    (a, b) => a === b,
    () => now,
  );
  return { ...one, wait: (ms: number) => (now += ms) };
}

describe('createViewHistory', () => {
  it('undoes and redoes', () => {
    const one = history();
    one.record('a', null);
    one.record('b', null);
    expect(one.undo('c')).toBe('b');
    expect(one.undo('b')).toBe('a');
    expect(one.undo('a')).toBeNull();
    expect(one.redo('a')).toBe('b');
    expect(one.redo('b')).toBe('c');
    expect(one.redo('c')).toBeNull();
  });

  it('forgets redo steps at a change', () => {
    const one = history();
    one.record('a', null);
    one.undo('b');
    one.record('a', null);
    expect(one.canRedo('x')).toBe(false);
    expect(one.undo('x')).toBe('a');
  });

  it('skips steps that change nothing', () => {
    const one = history();
    one.record('a', null);
    one.record('b', null);
    one.record('b', null);
    expect(one.undo('b')).toBe('a');
    expect(one.canUndo('a')).toBe(false);
  });

  it('merges quick changes of one kind', () => {
    const one = history();
    one.record('a', 'range');
    one.wait(300);
    one.record('b', 'range');
    one.wait(300);
    one.record('c', 'range');
    expect(one.undo('d')).toBe('a');
    one.record('a', 'range');
    one.wait(2000);
    one.record('e', 'range');
    expect(one.undo('f')).toBe('e');
  });

  it('keeps a bounded number of steps', () => {
    const one = history();
    for (let step = 0; step < 500; step++) one.record(String(step), null);
    let at = 'end';
    let steps = 0;
    for (let next = one.undo(at); next !== null; next = one.undo(at)) {
      at = next;
      steps += 1;
    }
    expect(steps).toBe(200);
    expect(at).toBe('300');
  });
});
