import { join } from 'node:path';
import { liveToWord } from '../../app/engine/live/live-word.ts';
import { startEngineProcess } from '../../tests/e2e/engine-process.ts';
import { findCommand } from '../components.mjs';
import { absentRow, median, msRow, type BenchRow } from './table.ts';
import { inPage } from './viewers.ts';

const RATE_HZ = 999;
const SECONDS = 60;
const MAX_TASK_MS = 100;
const WHAT = 'live: longest task of the window’s thread';

/** Measures the tasks of the window's thread while it shows the whole system live, with all samples since the start. */
export async function liveWindowRow(folder: string): Promise<BenchRow> {
  const chromium = findCommand('chromium', 'chromium-browser', 'google-chrome');
  if (chromium === null) return absentRow(WHAT, 'absent: chromium');
  const scope = { kind: 'system' } as const;
  const options = { collector: 'perf', scope, rateHz: RATE_HZ, event: null, callGraph: 'fp', seconds: null } as const;
  const word = liveToWord({ target: 'local', options, limits: { maxCpus: null } });
  const engine = await startEngineProcess({ library: join(folder, 'library'), files: [word] });
  try {
    return await inPage(chromium, async (page) => {
      await page.goto(engine.url);
      const bar = page.getByRole('region', { name: 'Live' });
      await bar.getByText(/\d+ samples in \d+ s/).waitFor({ timeout: 60_000 });
      await bar.getByText('All', { exact: true }).click();
      await page.locator('g.frame').first().waitFor();
      await page.evaluate(
        `window.liveTasks = [];
         new PerformanceObserver((list) => liveTasks.push(...list.getEntries().map(({ duration }) => duration)))
           .observe({ type: 'longtask' });`,
      );
      await page.waitForTimeout(SECONDS * 1000);
      const tasks = await page.evaluate<number[]>('window.liveTasks');
      const facts = (await bar.locator('.live-facts').textContent()) ?? '';
      const some =
        tasks.length === 0 ? 'none over 50 ms' : `${tasks.length} over 50 ms, median ${median(tasks).toFixed(0)} ms`;
      return msRow(WHAT, Math.max(0, ...tasks), MAX_TASK_MS, `${some}; the whole system, ${RATE_HZ} Hz: ${facts}`);
    });
  } finally {
    await engine.close();
  }
}
