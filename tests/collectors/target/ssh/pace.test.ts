import { describe, expect, test } from 'vitest';
import { Pace } from '#collectors/target/ssh/pace.ts';

describe('time limits of a host', () => {
  test('are the usual ones for a host that answers in the usual time', () => {
    const pace = new Pace();
    pace.configure('none');
    pace.note(180);
    expect([pace.helloMs, pace.slowness]).toEqual([20_000, 1]);
  });

  test('follow the slowest start of a command, up to two minutes', () => {
    const pace = new Pace();
    pace.note(1000);
    pace.note(100);
    expect([pace.helloMs, pace.slowness]).toEqual([20_000, 4]);
    pace.note(4000);
    expect([pace.helloMs, pace.slowness]).toEqual([40_000, 12]);
    pace.note(60_000);
    expect([pace.helloMs, pace.slowness]).toEqual([120_000, 12]);
  });

  test.each([
    ['60', 60_000],
    ['5', 20_000],
    ['100000', 120_000],
    ['none', 20_000],
    ['-1', 20_000],
    [undefined, 20_000],
  ])('ConnectTimeout %s lets the first command take %i ms', (configured, helloMs) => {
    const pace = new Pace();
    pace.configure(configured);
    expect(pace.helloMs).toBe(helloMs);
  });
});
