import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RegexPort } from '../../../renderer/analysis/pattern-jobs.ts';
import { hasCapital } from '#core/analyze/search.ts';
import { createPatternRunner, createPatternSearches } from '../../../renderer/analysis/pattern-search.ts';
import type { RegexAnswer, RegexRequest } from '../../../renderer/analysis/pattern-jobs.ts';

interface FakePort extends RegexPort {
  readonly sent: RegexRequest[];
  terminated: boolean;
}

function fakeWorkers() {
  const ports: FakePort[] = [];
  const start = (): FakePort => {
    const port: FakePort = {
      sent: [],
      terminated: false,
      onmessage: null,
      onerror: null,
      postMessage: (message) => port.sent.push(message),
      terminate: () => {
        port.terminated = true;
      },
    };
    ports.push(port);
    return port;
  };
  const answer = (port: FakePort, data: RegexAnswer): void => port.onmessage?.({ data } as MessageEvent<RegexAnswer>);
  return { ports, start, answer };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('createPatternSearch', () => {
  it('sends the names once and reuses the worker', async () => {
    const { ports, start, answer } = fakeWorkers();
    const search = createPatternSearches(start)();
    const names = ['a', 'b'];
    const first = search(names, 'a');
    answer(ports[0]!, { kind: 'match', flags: Uint8Array.of(1, 0) });
    expect(await first).toEqual(Uint8Array.of(1, 0));
    const second = search(names, 'b');
    answer(ports[0]!, { kind: 'match', flags: Uint8Array.of(0, 1) });
    await second;
    expect(ports).toHaveLength(1);
    expect(ports[0]!.sent.map((message) => message.kind)).toEqual(['names', 'match', 'match']);
  });

  it('terminates a pattern that takes over a second, and starts a new worker', async () => {
    const { ports, start, answer } = fakeWorkers();
    const search = createPatternSearches(start)();
    const names = ['a', 'b'];
    const slow = search(names, '(a+)+$');
    vi.advanceTimersByTime(1001);
    await expect(slow).rejects.toMatchObject({ code: 'slow-pattern' });
    expect(ports[0]!.terminated).toBe(true);
    const next = search(names, 'a');
    answer(ports[1]!, { kind: 'match', flags: Uint8Array.of(1) });
    expect(await next).toEqual(Uint8Array.of(1));
  });

  it('abandons the older of two searches', async () => {
    const { ports, start, answer } = fakeWorkers();
    const search = createPatternSearches(start)();
    const names = ['a', 'b'];
    const old = search(names, 'a');
    const next = search(names, 'b');
    await expect(old).rejects.toMatchObject({ code: 'stale' });
    expect(ports[0]!.terminated).toBe(true);
    answer(ports[1]!, { kind: 'match', flags: Uint8Array.of(0) });
    expect(await next).toEqual(Uint8Array.of(0));
  });

  it('reports what is wrong with a pattern', async () => {
    const { ports, start, answer } = fakeWorkers();
    const asked = createPatternSearches(start)()(['a'], '(');
    answer(ports[0]!, { kind: 'refused', error: 'not a regular expression' });
    await expect(asked).rejects.toMatchObject({ code: 'bad-pattern', message: 'not a regular expression' });
  });
});

describe('createPatternRunner', () => {
  const pattern = { pattern: 'a', ignoreCase: true };

  it('sends names only if they have changed', async () => {
    const { ports, start, answer } = fakeWorkers();
    const runner = createPatternRunner(start);
    const base = ['a', 'b'];
    const made = [...base, 'c'];
    for (const names of [base, base, made, base]) {
      const matched = runner.match(names, pattern);
      answer(ports[0]!, { kind: 'match', flags: Uint8Array.of(1) });
      await matched;
    }
    expect(ports).toHaveLength(1);
    expect(ports[0]!.sent.map((message) => (message.kind === 'names' ? message.names : message.kind))).toEqual([
      base,
      'match',
      'match',
      made,
      'match',
      base,
      'match',
    ]);
  });

  it('renames, and reports if that takes too long', async () => {
    const { ports, start, answer } = fakeWorkers();
    const runner = createPatternRunner(start);
    const renamed = runner.rename(['a'], pattern, '$&$&');
    expect(ports[0]!.sent.at(-1)).toEqual({ kind: 'rename', ...pattern, replacement: '$&$&' });
    answer(ports[0]!, { kind: 'rename', names: ['aa'] });
    expect(await renamed).toEqual(['aa']);
    const slow = runner.rename(['a'], pattern, '');
    vi.advanceTimersByTime(1001);
    await expect(slow).rejects.toMatchObject({ code: 'slow-pattern', remedy: expect.any(String) as string });
    expect(ports[0]!.terminated).toBe(true);
  });

  it('runs two patterns independently, and keeps one worker', async () => {
    const { ports, start, answer } = fakeWorkers();
    const runner = createPatternRunner(start);
    const names = ['a'];
    const first = runner.match(names, pattern);
    const second = runner.match(names, pattern);
    answer(ports[1]!, { kind: 'match', flags: Uint8Array.of(1) });
    answer(ports[0]!, { kind: 'match', flags: Uint8Array.of(0) });
    expect([await first, await second]).toEqual([Uint8Array.of(0), Uint8Array.of(1)]);
    expect(ports.map(({ terminated }) => terminated)).toEqual([false, true]);
  });
});

describe('hasCapital', () => {
  it.each([
    ['ssa\\.compile', false],
    ['\\S+\\W\\D', false],
    ['ssa\\.Compile', true],
    ['É', true],
  ])('of %s is %s', (pattern, expected) => {
    expect(hasCapital(pattern)).toBe(expected);
  });
});
