import { expect, test } from 'vitest';
import { createLocalTarget } from '#collectors/target/local.ts';
import { measureRuns } from '#collectors/target/runs-cpu.ts';

/** Ends with its input. */
const BUSY = 'while :; do :; done & read -r _; kill $!';

test('a process and its descendants are measured until they end', async () => {
  const target = createLocalTarget();
  const runs = measureRuns(target);
  expect(await runs.next()).toBeNull();
  const process = await runs.target.run(['sh', '-c', BUSY]);
  const first = await runs.next();
  const second = await runs.next();
  expect(second!.cpuSeconds).toBeGreaterThan(first!.cpuSeconds);
  expect(second!.boot - first!.boot).toBeGreaterThan(3);
  expect(Math.abs(second!.time - Date.now() / 1000)).toBeLessThan(60);
  // A process that starts later is measured with the others.
  const other = await runs.target.run(['cat']);
  expect((await runs.next())!.cpuSeconds).toBeGreaterThanOrEqual(second!.cpuSeconds);
  process.endInput();
  other.endInput();
  await Promise.all([process.exit, other.exit]);
  expect(await runs.next()).toBeNull();
  runs.end();
  await target.dispose();
});
