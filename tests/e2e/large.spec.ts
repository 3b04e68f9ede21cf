import path from 'node:path';
import type { Page } from 'playwright/test';
import { PART_WORKER } from '../../renderer/analysis/worker-names.ts';
import { startEngineProcess } from './engine-process.ts';
import { expect, test } from './workbench.ts';

/** Just above the size from which a second worker reads along. */
const BYTES = 33 * 2 ** 20;
const SAMPLES_IN_BLOCK = 1000;

function largeText(): { text: string; samples: number } {
  const block = Array.from(
    { length: SAMPLES_IN_BLOCK },
    (_, at) =>
      `worker ${at % 7}/${at % 11} ${at + 5}.000001: ${at} cycles:\n\t 1139 f${at % 97} (/bin/a)\n\t 10 main (/bin/a)\n\n`,
  ).join('');
  const blocks = Math.ceil(BYTES / block.length);
  return { text: block.repeat(blocks), samples: blocks * SAMPLES_IN_BLOCK };
}

/** Where all workers that start have their scripts from. */
function watchWorkers(page: Page): string[] {
  const started: string[] = [];
  page.on('worker', (worker) => started.push(worker.url()));
  return started;
}

/** Below three, a second worker is not worth while. */
function pretendProcessors(): void {
  Object.defineProperty(navigator, 'hardwareConcurrency', { value: 4 });
}

/** Of 33 MB, on a machine that does much else. */
const READING = { timeout: 45_000 };

test('a large file is read by two workers, picked or from the engine', async ({ workbench, page, folder }) => {
  test.setTimeout(180_000);
  await page.context().addInitScript(pretendProcessors);
  await page.reload();
  await expect(workbench.status).toContainText('engine ready');
  const { text, samples } = largeText();
  const file = workbench.writeFile('large.txt', text);
  const inStatus = `${samples.toLocaleString('en')} samples`;
  const picked = watchWorkers(page);
  await workbench.open(file);
  await expect(workbench.graph).toBeVisible(READING);
  await expect(workbench.status).toContainText(inStatus);
  expect(picked.filter((url) => url.endsWith(PART_WORKER))).toHaveLength(1);
  await expect.poll(() => page.workers().filter((worker) => worker.url().endsWith(PART_WORKER)).length).toBe(0);

  const engine = await startEngineProcess({ library: path.join(folder, 'other'), files: [file] });
  const second = await page.context().newPage();
  const given = watchWorkers(second);
  await second.goto(engine.url);
  await expect(second.getByRole('contentinfo', { name: 'Status' })).toContainText(inStatus, READING);
  expect(given.filter((url) => url.endsWith(PART_WORKER))).toHaveLength(1);
  await second.close();
  await engine.close();
});
