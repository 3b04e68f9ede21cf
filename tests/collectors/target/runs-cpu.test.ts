import { expect, test } from 'vitest';
import { measureRuns } from '#collectors/target/runs-cpu.ts';
import type { FileRange, RunningProcess, Target } from '#collectors/target/target.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A target whose processes have these children, and one second of CPU time each. */
function targetWith(children: Map<number, readonly number[]>) {
  const asked: string[] = [];
  const read = ({ path }: FileRange): Uint8Array | null => {
    asked.push(path);
    const pid = Number(/^\/proc\/(\d+)\//.exec(path)?.[1]);
    const own = children.get(pid);
    if (own === undefined) return null;
    const fields = Array.from({ length: 50 }, (_, field) => (field === 11 ? '100' : '0')).join(' ');
    return bytes(path.endsWith('/children') ? own.join(' ') : `${pid} (x) S${fields.slice(1)}`);
  };
  const target = {
    readRanges: (ranges: readonly FileRange[]) => Promise.resolve(ranges.map(read)),
    run: () => Promise.resolve({ pid: 1, exit: new Promise(() => {}) } as unknown as RunningProcess),
    readFile: () => Promise.resolve(new Uint8Array()),
  } as unknown as Target;
  return { target, asked };
}

test('descendants are looked for again at first, when one has ended, and now and then', async () => {
  const children = new Map<number, readonly number[]>([[1, []]]);
  const { target, asked } = targetWith(children);
  const runs = measureRuns(target);
  await runs.target.run(['perf']);
  const readings = async (count: number): Promise<number> => {
    asked.length = 0;
    for (let reading = 0; reading < count; reading++) await runs.read();
    return asked.filter((path) => path === '/proc/1/task/1/children').length;
  };
  expect(await readings(1)).toBe(1);
  children.set(1, [2]).set(2, []);
  const before = await runs.read();
  expect(asked).toContain('/proc/2/stat');
  expect(await readings(9)).toBe(0);
  expect(await readings(10)).toBe(1);
  children.delete(2);
  expect(await runs.read()).toBeLessThan(before);
  expect(await readings(1)).toBe(1);
});
