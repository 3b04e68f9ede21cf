import { describe, expect, it } from 'vitest';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { renamedRun } from '../../../renderer/state/group-captures.ts';
import {
  NO_SELECTION,
  retagged,
  selectRange,
  sharedTags,
  sidesOf,
  toggleSelected,
} from '../../../renderer/state/library-selection.ts';

const capture = (id: string, createdAt: number, more: Partial<CaptureDocument> = {}): CaptureDocument =>
  ({
    id,
    name: id,
    createdAt,
    startedAt: null,
    process: null,
    options: null,
    series: null,
    target: null,
    tags: [],
    ...more,
  }) as CaptureDocument;

describe('selecting captures', () => {
  const rows = [['a'], ['b', 'c'], ['d']];

  it('adds and removes the runs of a row together', () => {
    const both = toggleSelected(NO_SELECTION, ['b', 'c']);
    expect(both).toEqual({ ids: ['b', 'c'], anchor: ['b', 'c'], range: [] });
    expect(toggleSelected(both, ['b', 'c']).ids).toEqual([]);
    expect(toggleSelected({ ...NO_SELECTION, ids: ['b'], anchor: ['b'] }, ['b', 'c']).ids).toEqual(['b', 'c']);
  });

  it('selects from the anchor in both directions, and the row alone if the anchor is not on screen', () => {
    expect(selectRange({ ...NO_SELECTION, anchor: ['a'] }, rows, ['d']).ids).toEqual(['a', 'b', 'c', 'd']);
    expect(selectRange({ ...NO_SELECTION, ids: ['x'], anchor: ['d'] }, rows, ['b', 'c']).ids).toEqual([
      'x',
      'b',
      'c',
      'd',
    ]);
    expect(selectRange({ ...NO_SELECTION, anchor: ['gone'] }, rows, ['d']).ids).toEqual(['d']);
    expect(selectRange(NO_SELECTION, rows, ['d'])).toEqual({ ids: ['d'], anchor: ['d'], range: ['d'] });
  });

  it('replaces the previous range, and keeps what was selected one by one', () => {
    const chosen = toggleSelected(NO_SELECTION, ['d']);
    const long = selectRange({ ...chosen, anchor: ['a'] }, rows, ['d']);
    expect(long.ids).toEqual(['d', 'a', 'b', 'c']);
    expect(selectRange(long, rows, ['a']).ids).toEqual(['d', 'a']);
    expect(selectRange(selectRange(long, rows, ['a']), rows, ['b', 'c']).ids).toEqual(['d', 'a', 'b', 'c']);
  });

  it('selects runs of an open series one by one, and all of them with its row at an end', () => {
    const open = [['a'], ['b', 'c', 'd'], ['b'], ['c'], ['d'], ['e']];
    const from = (anchor: readonly string[], to: readonly string[]) =>
      selectRange({ ...NO_SELECTION, anchor }, open, to).ids.toSorted();
    expect(from(['b'], ['c'])).toEqual(['b', 'c']);
    expect(from(['d'], ['c'])).toEqual(['c', 'd']);
    expect(from(['a'], ['b'])).toEqual(['a', 'b']);
    expect(from(['b', 'c', 'd'], ['c'])).toEqual(['b', 'c', 'd']);
    expect(from(['a'], ['e'])).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('compares two captures or two series, the earlier one as before', () => {
    const ids = (sides: ReturnType<typeof sidesOf>) => sides?.map((side) => side.map(({ id }) => id));
    const run = (id: string, series: string, at: number) => capture(id, at, { series: { id: series, run: at, of: 2 } });
    expect(ids(sidesOf([capture('new', 2), capture('old', 1)]))).toEqual([['old'], ['new']]);
    expect(ids(sidesOf([run('c', 't', 3), run('b', 's', 2), run('a', 's', 1)]))).toEqual([['a', 'b'], ['c']]);
    expect(ids(sidesOf([run('b', 's', 2), run('a', 's', 1)]))).toEqual([['a'], ['b']]);
    expect(sidesOf([capture('a', 1)])).toBeNull();
    expect(sidesOf([capture('a', 1), capture('b', 2), capture('c', 3)])).toBeNull();
  });

  it('changes the tags that all captures share and keeps the others', () => {
    const captures = [capture('a', 1, { tags: ['x', 'own'] }), capture('b', 2, { tags: ['x'] })];
    expect(sharedTags(captures)).toEqual(['x']);
    expect(captures.map(({ tags }) => retagged(tags, ['x'], ['y']))).toEqual([['own', 'y'], ['y']]);
  });

  it('keeps host, side and number when a series is renamed', () => {
    const series = { id: 's', run: 0, of: 3, side: 'before' } as const;
    const target = { host: 'web1' } as CaptureDocument['target'];
    expect(renamedRun(capture('a', 1, { name: 'nginx on web1 before (1/3)', series, target }), 'cache off')).toBe(
      'cache off on web1 before (1/3)',
    );
  });
});
