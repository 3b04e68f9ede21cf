import { describe, expect, it } from 'vitest';
import { readComparison, serialiseComparison } from '../../../../renderer/state/compare/document.ts';
import { compareTitle } from '../../../../renderer/state/compare/title.ts';
import { checkNumbers } from '../../../../renderer/state/analysis/check-numbers.ts';
import { checkedComparison } from '../../../../renderer/state/compare/check-comparison.ts';
import { comparison, input } from '../../features/compare/open-comparison.ts';

const BEFORE = 'main;work;inner 30\nmain;idle 10\n';
const AFTER = 'main;work;inner 10\nmain;idle 10\nmain;fresh 20\n';

describe('a comparison', () => {
  it('reads captures one after another, then compares them once', async () => {
    const { tab, asked, delta } = comparison([BEFORE, BEFORE], [AFTER]);
    const numbers: string[] = [];
    tab.store.subscribe(() => {
      const { reading } = tab.store.get();
      if (reading !== null) numbers.push(`${reading.number} of ${reading.of}`);
    });
    await tab.load();
    expect([...new Set(numbers)]).toEqual(['1 of 3', '2 of 3', '3 of 3']);
    expect(asked.filter((method) => method === 'analyze')).toHaveLength(1);
    expect(delta('idle')).toBe(0);
    expect(tab.store.get()).toMatchObject({ reading: null, comparing: null, problem: null });
    expect(compareTitle(tab.store.get())).toBe('old ↔ new-1.folded');
  });

  it('excludes unreadable captures with the reason, and rereads them on request', async () => {
    const { tab, delta } = comparison([BEFORE], [AFTER]);
    let text = 'broken';
    const mended = input('old-2.folded', '');
    tab.add('before', [
      {
        ...mended,
        source: {
          ...mended.source,
          open: () =>
            Promise.resolve({
              source: { kind: 'file', file: new File([text], 'old-2.folded') },
              cache: null,
              cached: false,
            }),
        },
      },
    ]);
    await tab.load();
    const [, failed] = tab.store.get().before.captures;
    expect(failed).toMatchObject({
      phase: 'failed',
      problem: { message: "Old-2.folded can't be read", remedy: 'Choose another file.' },
    });
    expect(tab.store.get().analysis?.before.captures).toHaveLength(1);
    expect(delta('inner')).toBeLessThan(0);
    await tab.load();
    expect(tab.store.get().before.captures[1]?.phase).toBe('failed');
    text = BEFORE;
    await tab.load();
    expect(tab.store.get().before.captures[1]).toMatchObject({ phase: 'ready', problem: null });
    expect(tab.store.get().analysis?.before.captures).toHaveLength(2);
    tab.remove(failed!.key);
    expect(tab.store.get().before.captures).toHaveLength(1);
  });

  it('swaps the sides with their choices; undo swaps back', async () => {
    const { tab, until, delta } = comparison([BEFORE], [AFTER]);
    await tab.load();
    const was = delta('inner')!;
    tab.choose('before', { valueType: { type: 'samples', unit: 'count' } });
    await until(() => true);
    tab.swap();
    await until(() => delta('inner') === -was);
    expect(tab.store.get().after.valueType).toEqual({ type: 'samples', unit: 'count' });
    expect(compareTitle(tab.store.get())).toBe('new-1.folded ↔ old-1.folded');
    tab.undo();
    await until(() => delta('inner') === was);
    expect(tab.store.get()).toMatchObject({ before: { valueType: { type: 'samples' } }, canRedo: true });
    tab.undo();
    await until(() => tab.store.get().before.valueType === null);
    tab.redo();
    tab.redo();
    await until(() => delta('inner') === -was);
    expect(tab.store.get().canRedo).toBe(false);
  });

  it('returns to the comparison on screen, also from a swap', async () => {
    const { tab, until, delta } = comparison([BEFORE], [AFTER]);
    await tab.load();
    const was = delta('inner')!;
    tab.choose('before', { valueType: { type: 'samples', unit: 'count' } });
    await until(() => true);
    tab.swap();
    tab.cancel();
    await until(() => tab.store.get().before.valueType !== null);
    expect(delta('inner')).toBe(was);
    expect(compareTitle(tab.store.get())).toBe('old-1.folded ↔ new-1.folded');
  });

  it('shows the previous comparison if one is refused, and returns to it', async () => {
    const { tab, until } = comparison([BEFORE], [AFTER]);
    await tab.load();
    const { analysis: compared } = tab.store.get();
    tab.setOptions({ normalisation: 'per-request' });
    await until(() => tab.store.get().problem !== null);
    expect(tab.store.get().problem).toMatchObject({ code: 'refused', remedy: 'Use share.' });
    expect(tab.store.get().analysis).toBe(compared);
    tab.cancel();
    await until(() => tab.store.get().problem === null);
    expect(tab.store.get().options.normalisation).toBeNull();
    tab.setOptions({ normalisation: 'per-request' });
    await until(() => tab.store.get().problem !== null);
    const captures = [...tab.store.get().before.captures, ...tab.store.get().after.captures];
    tab.setRequests(new Map(captures.map(({ key }) => [key, 10])));
    await until(() => tab.store.get().analysis !== compared);
    expect(tab.store.get()).toMatchObject({ problem: null, analysis: { normalised: { kind: 'per-request' } } });
  });

  it('keeps zoom, selection and search through changes, by name', async () => {
    const { tab, until, func } = comparison([BEFORE], [AFTER]);
    await tab.load();
    const node = await tab.ask('heaviest', { revision: tab.store.get().analysis!.revision, func: func('work') });
    tab.zoom(node!);
    tab.pick({ func: func('inner'), node: null });
    tab.setSearch('^inner$');
    await until(() => tab.store.get().search.status === 'matched');
    tab.setOptions({ normalisation: 'share' });
    await until(() => tab.store.get().analysis?.normalised.kind === 'share');
    await until(() => tab.store.get().search.status === 'matched');
    const { zoomPath, picked, search, analysis: compared } = tab.store.get();
    expect(zoomPath.map(({ name }) => name)).toEqual(['main', 'work']);
    expect(picked).toEqual({ func: func('inner'), node: null });
    expect(search).toMatchObject({ revision: compared?.revision, matches: { functions: 1 } });
  });

  it('stops immediately if cancelled before the first result, and restarts', async () => {
    const { tab } = comparison([BEFORE], [AFTER]);
    const loading = tab.load();
    tab.cancel();
    await loading;
    expect(tab.store.get()).toMatchObject({ stopped: true, reading: null, comparing: null, analysis: null });
    await tab.load();
    expect(tab.store.get()).toMatchObject({ stopped: false, problem: null });
    expect(tab.store.get().analysis).not.toBeNull();
  });

  it('adds captures and moves them to the other side', async () => {
    const { tab, until, delta } = comparison([BEFORE], [AFTER]);
    await tab.load();
    tab.add('after', [input('more.folded', 'main;extra 80\n')]);
    await until(() => tab.store.get().analysis?.after.captures.length === 2);
    expect(delta('extra')).toBeGreaterThan(0);
    expect(compareTitle(tab.store.get())).toBe('old-1.folded ↔ new-1.folded + 1');
    const moved = tab.store.get().after.captures[1]!;
    tab.moveAcross(moved.key);
    await until(() => tab.store.get().analysis?.before.captures.length === 2);
    expect(delta('extra')).toBeLessThan(0);
    expect(tab.store.get().after.captures).toHaveLength(1);
    const [left] = tab.store.get().after.captures;
    tab.remove(left!.key);
    await until(() => tab.store.get().analysis === null);
    tab.add('after', [input('again.folded', AFTER)]);
    await until(() => tab.store.get().analysis !== null);
  });

  it('undoes adding, removing and moving captures, and request counts', async () => {
    const { tab, until, delta } = comparison([BEFORE], [AFTER]);
    const names = (): string[][] =>
      (['before', 'after'] as const).map((side) => tab.store.get()[side].captures.map(({ source }) => source.fileName));
    const shows = (before: number, after: number) =>
      until(() => {
        const { analysis: compared } = tab.store.get();
        return compared?.before.captures.length === before && compared.after.captures.length === after;
      });
    await tab.load();
    const was = delta('inner')!;
    tab.add('after', [input('more.folded', 'main;extra 80\n')]);
    await shows(1, 2);
    tab.moveAcross(tab.store.get().after.captures[1]!.key);
    await shows(2, 1);
    tab.setRequests(new Map([[tab.store.get().before.captures[0]!.key, 10]]));
    tab.remove(tab.store.get().before.captures[0]!.key);
    await shows(1, 1);
    expect(names()).toEqual([['more.folded'], ['new-1.folded']]);
    tab.undo();
    await shows(2, 1);
    expect(names()).toEqual([['old-1.folded', 'more.folded'], ['new-1.folded']]);
    expect(tab.store.get().before.captures[0]!.requests).toBe(10);
    tab.undo();
    expect(tab.store.get().before.captures[0]!.requests).toBeNull();
    tab.undo();
    await shows(1, 2);
    tab.undo();
    await shows(1, 1);
    expect(names()).toEqual([['old-1.folded'], ['new-1.folded']]);
    expect([delta('inner'), tab.store.get().canUndo]).toEqual([was, false]);
    for (let step = 0; step < 4; step++) tab.redo();
    expect(names()).toEqual([['more.folded'], ['new-1.folded']]);
    await until(() => delta('extra')! < 0);
  });

  it('keeps unreadable captures through undo', async () => {
    const { tab, until } = comparison([BEFORE], [AFTER]);
    await tab.load();
    tab.add('before', [input('broken.folded', 'broken')]);
    await until(() => tab.store.get().before.captures[1]?.phase === 'failed');
    tab.setOptions({ normalisation: 'per-request' });
    await until(() => tab.store.get().problem !== null);
    tab.cancel();
    await until(() => tab.store.get().problem === null);
    expect(tab.store.get().before.captures).toHaveLength(2);
  });

  it('waits while a side has no capture', async () => {
    const { tab, asked, until } = comparison([BEFORE], []);
    await tab.load();
    expect(asked).not.toContain('analyze');
    expect(tab.store.get()).toMatchObject({ analysis: null, problem: null, comparing: null });
    tab.add('after', [input('late.folded', AFTER)]);
    await until(() => tab.store.get().analysis !== null);
  });

  it('restores its choices; an invalid document is ignored', async () => {
    const first = comparison([BEFORE], [AFTER]);
    await first.tab.load();
    first.tab.setOptions({ normalisation: 'share' });
    first.tab.setLook({ graph: 'delta', width: 'after' });
    first.tab.lookAtTable({ show: 'changed' });
    first.tab.setSearch('inner');
    first.tab.rename('with a cache');
    const kept: unknown = JSON.parse(JSON.stringify(serialiseComparison(first.tab.store.get())));
    const again = comparison([BEFORE], [AFTER], await readComparison(kept));
    await again.tab.load();
    await again.until(() => again.tab.store.get().search.status === 'matched');
    expect(again.tab.store.get()).toMatchObject({
      name: 'with a cache',
      look: { graph: 'delta', width: 'after', table: { show: 'changed' } },
      analysis: { normalised: { kind: 'share', isDefault: false } },
    });
    expect(serialiseComparison(again.tab.store.get())).toEqual(kept);
    for (const hostile of [{ look: { graph: '__proto__' } }, [], 'text', { __proto__: null }]) {
      expect(await readComparison(hostile)).toBeNull();
    }
  });

  it('confirms that its numbers agree', async () => {
    const { tab } = comparison([BEFORE, AFTER], [AFTER]);
    await tab.load();
    expect((await checkNumbers(checkedComparison(tab))).text).toMatch(/^The numbers agree/);
  });
});
