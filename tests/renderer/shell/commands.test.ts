import { describe, expect, it } from 'vitest';
import { findCommands } from '../../../renderer/shell/commands.ts';
import { fuzzyMatch } from '../../../renderer/ui/fuzzy.ts';

const names = [
  'Open a file…',
  'Record…',
  'Theme: dark',
  'Call tree bottom-up',
  'Open capture nginx before',
  'Close the tab',
];
const commands = names.map((name) => ({ id: name, name, run: () => undefined }));
const found = (query: string, recent: readonly string[] = []): string[] =>
  findCommands(commands, query, recent).map(({ name }) => name);

describe('the palette', () => {
  it('prefers words in any order and case over single letters', () => {
    expect(found('FILE open')).toEqual(['Open a file…']);
    expect(found('dark')[0]).toBe('Theme: dark');
    expect(found('nginx')).toEqual(['Open capture nginx before']);
  });

  it('finds initials, and letters in order', () => {
    expect(found('ctbu')[0]).toBe('Call tree bottom-up');
    expect(found('clotab')[0]).toBe('Close the tab');
    expect(found('zzz')).toEqual([]);
  });

  it.each([
    ['left heavy', 'tree.by-weight'],
    ['Sandwich', 'tree.sandwich'],
    ['inverted', 'tree.bottom-up'],
    ['invert call stack', 'tree.bottom-up'],
    ['flat', 'table.by-self'],
    ['cum', 'table.by-total'],
    ['peek', 'table.edges'],
  ])('finds what other profilers call %s', (query, id) => {
    const all = [
      'tree.by-weight',
      'tree.sandwich',
      'tree.bottom-up',
      'table.by-self',
      'table.by-total',
      'table.edges',
      '__proto__',
    ];
    const named = all.map((one) => ({ id: one, name: '–', run: () => undefined }));
    // Names with the same letters in order.
    const alike = [
      'Flame graph, root at the bottom',
      'Colour by module',
      'Call tree in inverted order: edit',
      'Look at peers key',
    ];
    const others = alike
      .filter((name) => !name.toLowerCase().includes(query))
      .map((name) => ({ id: name, name, run: () => undefined }));
    expect(findCommands([...others, ...named], query, [])[0]?.id).toBe(id);
  });

  it('shows recently used ones first, then all in order', () => {
    expect(found('', ['Theme: dark', 'Record…'])).toEqual([
      'Theme: dark',
      'Record…',
      names[0],
      names[3],
      names[4],
      names[5],
    ]);
    expect(found('open', ['Open capture nginx before'])[0]).toBe('Open capture nginx before');
  });

  it('marks matches correctly even if letters change length with case', () => {
    expect(fuzzyMatch('ct', 'Call tree')?.at).toEqual([0, 5]);
    expect(fuzzyMatch('tree', 'Call tree')?.at).toEqual([5, 6, 7, 8]);
    expect(fuzzyMatch('b', 'İb')).toEqual({ score: 0, at: [] });
  });
});
