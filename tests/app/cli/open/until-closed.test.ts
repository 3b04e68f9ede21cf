import { expect, test, vi } from 'vitest';
import { untilClosed } from '../../../../app/cli/open/open.ts';

/** Windows that tests open and close. */
function windows(): { readonly engine: Parameters<typeof untilClosed>[0]; open(): void; close(): void } {
  const listeners = { open: [] as (() => void)[], close: [] as (() => void)[] };
  return {
    engine: {
      onWindow: (listener) => void listeners.open.push(listener),
      onNoWindow: (listener) => void listeners.close.push(listener),
    },
    open: () => listeners.open.forEach((listener) => listener()),
    close: () => listeners.close.forEach((listener) => listener()),
  };
}

test('ends without a window', async () => {
  await untilClosed(windows().engine, 1);
});

test('a reload does not end it, a closed window does', async () => {
  vi.useFakeTimers();
  try {
    let isEnded = false;
    const { engine, open, close } = windows();
    void untilClosed(engine, 1000).then(() => (isEnded = true));
    open();
    await vi.advanceTimersByTimeAsync(5000);
    close();
    await vi.advanceTimersByTimeAsync(999);
    open();
    await vi.advanceTimersByTimeAsync(5000);
    expect(isEnded).toBe(false);
    close();
    await vi.advanceTimersByTimeAsync(1000);
    expect(isEnded).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});
