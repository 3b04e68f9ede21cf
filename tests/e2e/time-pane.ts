import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from 'playwright/test';
import { perfScript } from './inputs.ts';
import { expect } from './workbench.ts';
import type { Workbench } from './workbench.ts';

export const strip = (page: Page): Locator => page.getByRole('slider', { name: /^Time range/ });
export const heatMap = (page: Page): Locator => page.getByRole('grid', { name: /^Heat map/ });
export const chips = (page: Page): Locator => page.getByRole('list', { name: 'Applied to this view' });

export async function chooseForm(page: Page, name: 'Strip' | 'Threads' | 'Heat map'): Promise<void> {
  await page.getByRole('group', { name: 'How time is drawn' }).getByText(name, { exact: true }).click();
}

/** Between two shares of its width, along its middle. */
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

export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .include('.time-pane')
    .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(serious.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
}

/** In 2 seconds 200 samples of the clock, each 10 ms, and 20 page faults, each 100 ms; the worker has every fourth. */
export const openScript = (workbench: Workbench): Promise<void> => workbench.openText('server.perf.txt', perfScript());
