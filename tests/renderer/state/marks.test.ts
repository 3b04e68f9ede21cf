import { describe, expect, it } from 'vitest';
import type { TimeMark } from '#core/contract/schemas.ts';
import { createMarkBook } from '../../../renderer/state/marks.ts';
import { EngineError } from '../../../renderer/state/engine-client.ts';
import type { MarkKeeper } from '../../../renderer/state/marks.ts';

const mark = (id: string, start: number, name = id): TimeMark => ({ id, name, start, end: null });

function keeperOf(kept: Map<string, TimeMark>, fails = false): MarkKeeper {
  return {
    read: async () => [...kept.values()],
    change: async (_id, put, remove) => {
      if (fails) throw new EngineError({ code: 'read-only', message: 'The library is read-only.', remedy: null });
      for (const id of remove) kept.delete(id);
      for (const one of put) kept.set(one.id, one);
      return [...kept.values()];
    },
  };
}

describe('createMarkBook', () => {
  it('shows what the library has, in the order of time, and keeps changes there', async () => {
    const kept = new Map([mark('b', 5), mark('a', 1)].map((one) => [one.id, one]));
    const book = createMarkBook(keeperOf(kept));
    await book.follow('capture');
    expect(book.store.get().marks.map(({ id }) => id)).toEqual(['a', 'b']);
    await book.put(mark('c', 3));
    await book.put(mark('a', 9, 'renamed'));
    await book.remove('b');
    expect(book.store.get().marks.map(({ name }) => name)).toEqual(['c', 'renamed']);
    expect([...kept.values()].map(({ name }) => name).toSorted()).toEqual(['c', 'renamed']);
  });

  it('holds the marks of a file in no library, and hands them over when it is kept', async () => {
    const kept = new Map<string, TimeMark>();
    const book = createMarkBook(keeperOf(kept));
    await book.follow(null);
    await book.put(mark('a', 1));
    expect(kept.size).toBe(0);
    await book.follow('capture');
    expect([...kept.keys()]).toEqual(['a']);
    await book.follow('capture');
    expect(book.store.get().marks).toHaveLength(1);
  });

  it('says why a change was not kept, and shows it all the same', async () => {
    const book = createMarkBook(keeperOf(new Map(), true));
    await book.follow('sample');
    await book.put(mark('a', 1));
    expect(book.store.get()).toMatchObject({
      marks: [mark('a', 1)],
      problem: { message: 'The library is read-only.' },
    });
  });
});
