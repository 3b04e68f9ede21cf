import type { Page } from 'playwright/test';
import { expect, test } from './harness.ts';
import { SMALL, graph, frame, zoomedInto, inView, edges, atRest } from './flame-page.ts';

test('Ctrl with the wheel zooms around the pointer, Escape goes back', async ({ harness }) => {
  const page = await harness.open(SMALL);
  const area = (await page.locator('.flame-content').boundingBox())!;
  const [idleRight] = [area.x + area.width * 0.175, area.y];
  const before = await edges(page, 'main');
  await page.mouse.move(idleRight, area.y + area.height - 60);
  await page.keyboard.down('Control');
  for (let notch = 0; notch < 3; notch++) await page.mouse.wheel(0, -100);
  await page.keyboard.up('Control');
  await atRest(page);
  const scale = Math.exp(3 * 100 * 0.0037);
  const [left] = await edges(page, 'main');
  const place = area.width * 0.175;
  expect(Math.abs(left - (place + (before[0] - place) * scale))).toBeLessThanOrEqual(5);
  await expect.poll(() => inView(page)).not.toBe('0 + 100');
  await graph(page).focus();
  await page.keyboard.press('Escape');
  await expect.poll(() => inView(page)).toBe('0 + 100');
  expect(await edges(page, 'main')).toEqual(before);
});

test('dragging pans and is not a click; Shift with arrows, plus and minus do the same by keyboard', async ({
  harness,
}) => {
  const page = await harness.open(SMALL);
  await graph(page).focus();
  for (let press = 0; press < 4; press++) await page.keyboard.press('+');
  await expect.poll(() => inView(page)).toBe('40 + 20');
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(() => inView(page)).toBe('44 + 20');
  await atRest(page);
  const area = (await page.locator('.flame-content').boundingBox())!;
  await page.mouse.move(area.x + 300, area.y + area.height - 30);
  await page.mouse.down();
  await page.mouse.move(area.x + 300 + area.width / 5, area.y + area.height - 30, { steps: 6 });
  await page.mouse.up();
  await expect.poll(() => inView(page)).toBe('40 + 20');
  await expect(zoomedInto(page)).toHaveText('all');
  await page.keyboard.press('Home');
  await expect.poll(() => inView(page)).toBe('0 + 100');
});

test('the map shows the visible range, moves it and selects another', async ({ harness }) => {
  const page = await harness.open(SMALL);
  const map = (await page.locator('.flame-map canvas').boundingBox())!;
  const y = map.y + map.height / 2;
  await page.mouse.move(map.x + map.width * 0.4, y);
  await page.mouse.down();
  await page.mouse.move(map.x + map.width * 0.6, y, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => inView(page)).toBe('40 + 20');
  await page.mouse.move(map.x + map.width * 0.5, y);
  await page.mouse.down();
  await page.mouse.move(map.x + map.width * 0.7, y, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => inView(page)).toBe('60 + 20');
  await atRest(page);
  await frame(page, 'write').click();
  await expect(zoomedInto(page)).toHaveText('write');
  await expect.poll(() => inView(page)).toBe('75 + 25');
});

test('the map shows the visible rows, and scrolls them', async ({ harness }) => {
  const stack = Array.from({ length: 400 }, (_, depth) => `f${depth}`).join(';');
  const page = await harness.open(`${stack} 70\nother 30`);
  const map = (await page.locator('.flame-map canvas').boundingBox())!;
  const box = page.locator('.flame-map-view');
  /** The visible rows according to the map, and according to the graph's scroll position, from the root. */
  const rows = async (): Promise<{ mapped: number; scrolled: number; high: number }> => {
    const { y, height } = (await box.boundingBox())!;
    const perRow = map.height / 401;
    const scrolled = await graph(page).evaluate(
      (area) => (area.scrollHeight - area.clientHeight - area.scrollTop) / 18,
    );
    return { mapped: (map.y + map.height - y - height) / perRow, scrolled, high: height / perRow };
  };
  const shown = await graph(page).evaluate((area) => area.clientHeight / 18);
  const first = await rows();
  expect([Math.round(first.mapped), first.scrolled]).toEqual([0, 0]);
  expect(Math.abs(first.high - shown)).toBeLessThan(1);

  // Dragging vertically does not move it horizontally.
  const x = map.x + map.width * 0.3;
  const rowAt = (row: number): number => map.y + map.height * (1 - row / 401);
  await page.mouse.move(x, rowAt(10));
  await page.mouse.down();
  await page.mouse.move(x + 1, rowAt(110), { steps: 5 });
  await page.mouse.up();
  await expect.poll(async () => Math.abs((await rows()).scrolled - 100)).toBeLessThan(1);
  expect(Math.abs((await rows()).mapped - 100)).toBeLessThan(1);
  expect(await inView(page)).toBe('0 + 100');

  // A click centres the row under it.
  await page.mouse.click(x, rowAt(300));
  await expect.poll(async () => Math.abs((await rows()).mapped + shown / 2 - 300)).toBeLessThan(2);
  await expect(frame(page, 'f299')).toBeAttached();

  // The box moves in both directions once there is room.
  await page.mouse.move(map.x + 1, rowAt(200));
  await page.mouse.down();
  await page.mouse.move(map.x + map.width * 0.5, rowAt(200), { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => inView(page)).toBe('0 + 50');
  const before = await rows();
  await page.mouse.move(x, rowAt(200));
  await page.mouse.down();
  await page.mouse.move(x + map.width * 0.1, rowAt(150), { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => inView(page)).toBe('10 + 50');
  expect(Math.abs((await rows()).mapped - before.mapped + 50)).toBeLessThan(2);

  // With the root on top, the box is at the top too.
  await graph(page).focus();
  await page.keyboard.press('i');
  const { mapped } = await rows();
  await expect
    .poll(async () => Math.abs(((await box.boundingBox())!.y - map.y) / (map.height / 401) - (before.mapped - 50)))
    .toBeLessThan(2);
  expect(mapped).toBeGreaterThan(0);
});

/** Advances the page's clock past the time after which a gesture is redrawn. */
const pastRest = (page: Page): Promise<void> => page.clock.fastForward(200);

test('a key right after a gesture takes precedence over where the gesture would rest', async ({
  harness,
  page: { clock },
}) => {
  await clock.install();
  const page = await harness.open(SMALL);
  await graph(page).focus();
  const pressAll = (keys: readonly string[]) =>
    page.evaluate((all) => {
      for (const key of all)
        document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    }, keys);
  await pressAll(['+', '+', 'Home']);
  await pastRest(page);
  await expect.poll(() => inView(page)).toBe('0 + 100');
  await pressAll(['+', '+', '+', '+', 'Escape']);
  await pastRest(page);
  await expect.poll(() => inView(page)).toBe('0 + 100');
});

/**
 * Returns the weight that the axis shows at an edge of a frame, from the adjacent ticks; read within one animation
 * frame.
 */
function weightAt(page: Page, label: string, edge: 'left' | 'right'): Promise<number> {
  return page.evaluate(
    async ([name, side]) => {
      await new Promise(requestAnimationFrame);
      const ticks = [...document.querySelectorAll('.flame-axis span')]
        .filter(({ textContent }) => textContent !== '')
        .map((tick) => ({ x: tick.getBoundingClientRect().left, weight: Number(tick.textContent.replace(',', '')) }));
      const [first, last] = [ticks[0]!, ticks.at(-1)!];
      const group = [...document.querySelectorAll('.flame-chart .frame')].find((each) => each.textContent === name)!;
      const x = group.querySelector('rect')!.getBoundingClientRect()[side];
      return first.weight + ((x - first.x) / (last.x - first.x)) * (last.weight - first.weight);
    },
    [label, edge] as const,
  );
}

test('the axis shows the drawing’s weights, also during a gesture', async ({ harness }) => {
  const page = await harness.open(SMALL);
  const axis = page.locator('.flame-axis');
  await expect(axis).toHaveText(/^0100200300/);
  expect(await weightAt(page, 'main', 'left')).toBeCloseTo(350, -1);
  const area = (await page.locator('.flame-content').boundingBox())!;
  await page.mouse.move(area.x + area.width * 0.4, area.y + area.height - 60);
  await page.keyboard.down('Control');
  for (let notch = 0; notch < 4; notch++) {
    await page.mouse.wheel(0, -100);
    expect(Math.abs((await weightAt(page, 'main', 'left')) - 350)).toBeLessThan(5);
  }
  await page.keyboard.up('Control');
  await expect(axis).toHaveText(/340.*360/);
  await graph(page).focus();
  await page.keyboard.press('Home');
  await expect(axis).toHaveText(/^0100200300/);
  await frame(page, 'main').click();
  await expect(axis).toHaveText(/^050100.*600/);
  expect(Math.abs((await weightAt(page, 'main', 'right')) - 650)).toBeLessThan(5);
});
