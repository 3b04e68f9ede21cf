import type { Page } from 'playwright/test';
import { spread, type Spread } from './measure-flame.ts';
import { numbers } from './million-nodes.ts';

/** Number of frames in the unmodified d3-flame-graph, all drawn. */
export const SHIPPED_FRAMES = 1000;
/** Duration of such clicks on the machine for which the window's limits were set: p95 of 80 to 101 ms. */
export const SHIPPED_THERE_MS = { least: 80, most: 101 };

const VIEWPORT = { width: 1600, height: 900 };
const CLICKS = 40;
/** Pause in ms between two actions, longer than any of them. */
const REST_MS = 400;

/**
 * Measures clicks in an unmodified d3-flame-graph, by which machines, and moments of one machine, can be compared. In
 * ms from the click to the frame in which the clicked frame is as wide as the graph. `url` is that of the harness.
 */
export async function measureShipped(page: Page, url: string): Promise<Spread> {
  await page.setViewportSize(VIEWPORT);
  await page.goto(`${url}?shipped=${SHIPPED_FRAMES}`);
  await page
    .locator('g.frame rect')
    .nth(SHIPPED_FRAMES - 1)
    .waitFor({ state: 'attached' });
  await page.evaluate(noteClicks);
  const next = numbers(5);
  for (let click = 0; click < CLICKS; click++) {
    await page.waitForTimeout(REST_MS);
    const { root, inside } = await page.evaluate(clickable);
    const { x, y } = inside[Math.floor(next() * inside.length)]!;
    await page.mouse.move(x, y);
    await page.waitForTimeout(REST_MS / 4);
    await page.mouse.click(x, y);
    await page.waitForTimeout(REST_MS);
    await page.mouse.click(root.x, root.y);
  }
  return spread(await page.evaluate(() => Reflect.get(window, 'clicksToPainted') as number[]));
}

/** Returns the middles of the root and of frames that are wide enough for a label but narrower than the graph. */
function clickable() {
  const boxes = [...document.querySelectorAll('g.frame rect')].map((rect) => rect.getBoundingClientRect());
  const middle = (box: DOMRect) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
  const widest = Math.max(...boxes.map(({ width }) => width));
  return {
    root: middle(boxes.find(({ width }) => width === widest)!),
    inside: boxes
      .filter(({ width, top, bottom }) => width > 35 && width < widest && top > 0 && bottom < innerHeight)
      .map(middle),
  };
}

/** Records clicks on elements that they make wider. */
function noteClicks(): void {
  const times: number[] = [];
  Object.assign(window, { clicksToPainted: times });
  const note = ({ timeStamp, target }: Event): void => {
    const drawn = new MutationObserver(() => {
      drawn.disconnect();
      requestAnimationFrame(() => {
        void scheduler.postTask(() => times.push(performance.now() - timeStamp), { priority: 'user-blocking' });
      });
    });
    drawn.observe(target as Element, { attributeFilter: ['width'] });
  };
  window.addEventListener('click', note, { capture: true });
}
