import type { Locator, Page } from 'playwright/test';
import { expect } from './harness.ts';

export const SMALL = `
main;parse;read 300
main;parse 100
main;write;read 200
main;write 50
idle 350`.trim();

export const graph = (page: Page): Locator => page.getByRole('tree', { name: /^Flame graph/ });
export const frame = (page: Page, label: string): Locator =>
  graph(page).locator('.frame', { hasText: label }).first().locator('rect');
export const zoomedInto = (page: Page): Locator =>
  page.getByRole('navigation', { name: 'Zoomed into' }).locator('[aria-current]');
/** Returns what a screen reader announces for the selected frame. */
export const spoken = (page: Page): Locator => page.getByRole('treeitem');

export async function labels(page: Page): Promise<string[]> {
  return graph(page)
    .locator('.frame')
    .evaluateAll((all) => all.flatMap(({ textContent }) => textContent || []).sort());
}

export const inView = (page: Page): Promise<string> =>
  page.locator('.flame-map-view').evaluate((box: HTMLElement) => {
    const percent = (text: string) => Math.round(Number.parseFloat(text));
    return `${percent(box.style.left)} + ${percent(box.style.width)}`;
  });
/** Returns the left and right edge of a frame within the graph, in pixels. */
export async function edges(page: Page, label: string): Promise<[number, number]> {
  const area = await page.locator('.flame-content').boundingBox();
  const box = await frame(page, label).boundingBox();
  return [Math.round(box!.x - area!.x), Math.round(box!.x + box!.width - area!.x)];
}
/** Waits until a gesture has been redrawn. */
export const atRest = (page: Page): Promise<unknown> =>
  expect
    .poll(() => page.locator('.flame-layer').evaluate((layer: HTMLElement) => layer.style.transform))
    .not.toContain('scale');
