import { expect, test } from 'vitest';
import { createCpuMeter } from '#collectors/target/cpu-meter.ts';
import { createLocalTarget } from '#collectors/target/local.ts';

test('asks a slow target for one reading at a time, and for another one after it', async () => {
  let answer = (): void => {};
  let asked = 0;
  const pid = async (): Promise<number> => {
    asked += 1;
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    return process.pid;
  };
  const meter = await createCpuMeter(createLocalTarget(), pid, { fromBirth: false });
  const readings = [meter.read(), meter.read(), meter.read()];
  expect(asked).toBe(1);
  answer();
  await Promise.all(readings);
  const first = meter.seconds;
  expect(first?.start).toBe(first?.end);

  const later = meter.read();
  expect(asked).toBe(2);
  answer();
  await later;
  expect(meter.seconds?.start).toBe(first?.start);
});
