import type { Locator, Page } from 'playwright/test';
import { perfScript } from './inputs.ts';
import type { Workbench } from './workbench.ts';

export const strip = (page: Page): Locator => page.getByRole('slider', { name: /^Time range/ });
export const heatMap = (page: Page): Locator => page.getByRole('grid', { name: /^Heat map/ });
export const chips = (page: Page): Locator => page.getByRole('list', { name: 'Applied to this view' });

export async function chooseForm(page: Page, name: 'Strip' | 'Threads' | 'Heat map'): Promise<void> {
  await page.getByRole('group', { name: 'How time is drawn' }).getByText(name, { exact: true }).click();
}

/** Drags between two fractions of its width, along its middle. */
export async function dragAcross(page: Page, on: Locator, from: number, to: number): Promise<void> {
  const box = (await on.boundingBox())!;
  const y = box.y + box.height * 0.45;
  await page.mouse.move(box.x + box.width * from, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * to, y, { steps: 4 });
  await page.mouse.up();
}

export async function typeRange(page: Page, start: string, end: string): Promise<void> {
  await strip(page).press('Enter');
  const form = page.getByRole('dialog', { name: 'Time range' });
  await form.getByLabel('Start').fill(start);
  await form.getByLabel('End').fill(end);
  await form.getByRole('button', { name: 'Show this range' }).click();
}

/**
 * Opens 2 seconds with 200 clock samples, one per 10 ms, and 20 page faults, one per 100 ms; every fourth is the
 * worker's.
 */
export const openScript = (workbench: Workbench, name = 'server.perf.txt'): Promise<void> =>
  workbench.openText(name, perfScript());
