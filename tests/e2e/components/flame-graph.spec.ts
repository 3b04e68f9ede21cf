import { expect, test } from './harness.ts';
import { SMALL, graph, frame, zoomedInto, spoken, inView, atRest, labels } from './flame-page.ts';

test('a click zooms and selects, breadcrumbs and Escape go back', async ({ harness }) => {
  const page = await harness.open(SMALL);
  await frame(page, 'main').click();
  await expect(zoomedInto(page)).toHaveText('main');
  expect(await labels(page)).toEqual(['main', 'parse', 'read', 'read', 'write']);
  await frame(page, 'write').click();
  await expect(zoomedInto(page)).toHaveText('write');
  await expect(page.locator('tr[aria-selected=true] td').first()).toHaveText('write');
  await page.getByRole('button', { name: 'main', exact: true }).click();
  await expect(zoomedInto(page)).toHaveText('main');
  await graph(page).focus();
  await page.keyboard.press('Escape');
  await expect(zoomedInto(page)).toHaveText('write');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await expect(zoomedInto(page)).toHaveText('all');
});

test('draws a zoom once, and never the outdated slice', async ({ harness }) => {
  const page = await harness.open(SMALL);
  await page.evaluate(() => {
    const svg = document.querySelector('.flame-chart svg')!;
    const drawings: string[] = [];
    // The chart sets the svg's height once per drawing.
    new MutationObserver(() => drawings.push(svg.querySelectorAll('.fade').length > 0 ? 'own zoom' : 'ours')).observe(
      svg,
      {
        attributeFilter: ['height'],
      },
    );
    Object.assign(window, { drawings });
  });
  await frame(page, 'main').click();
  await expect(zoomedInto(page)).toHaveText('main');
  expect(await page.evaluate(() => Reflect.get(window, 'drawings') as string[])).toEqual(['ours']);
});

test('hovering shows name and shares; leaving hides them', async ({ harness }) => {
  const page = await harness.open(SMALL);
  await frame(page, 'main').click();
  await frame(page, 'parse').hover();
  const tooltip = page.locator('.flame-tooltip');
  await expect(tooltip).toContainText('parse');
  await expect(tooltip).toContainText('400 · 40.0 %');
  await expect(tooltip).toContainText('of zoomed root61.5 %');
  await page.mouse.move(600, 730);
  await expect(tooltip).toHaveCount(0);
});

test('keys move, zoom, invert and copy', async ({ harness }) => {
  const page = await harness.open(SMALL);
  await graph(page).focus();
  await page.keyboard.press('ArrowUp');
  await expect(spoken(page)).toHaveText(/^main, self 0 · 0.0 %, total 650 · 65.0 %, of parent 65.0 %, depth 1$/);
  await page.keyboard.press('ArrowUp');
  await expect(spoken(page)).toHaveText(/^parse/);
  await page.keyboard.press('ArrowRight');
  await expect(spoken(page)).toHaveText(/^write/);
  await page.keyboard.press('c');
  await expect(page.locator('html')).toHaveAttribute('data-copied', 'main\nwrite');
  await page.keyboard.press('Enter');
  await expect(zoomedInto(page)).toHaveText('write');
  await page.keyboard.press('i');
  await page.keyboard.press('ArrowDown');
  await expect(spoken(page)).toHaveText(/^read/);
  await page.keyboard.press('Shift+F10');
  await expect(page.locator('html')).toHaveAttribute('data-menu', /^\d+ \d/);
  await page.keyboard.press('Home');
  await expect(zoomedInto(page)).toHaveText('all');
  const active = await graph(page).getAttribute('aria-activedescendant');
  await expect(spoken(page)).toHaveAttribute('id', active ?? '');
});

test('a search dims other frames, n and N cycle through its matches', async ({ harness }) => {
  const page = await harness.open(SMALL, { search: '^read$' });
  await expect(graph(page).locator('.frame:not(.dimmed)')).toHaveCount(2);
  await graph(page).focus();
  await page.keyboard.press('n');
  await expect(spoken(page)).toHaveText(/^read.*total 300/);
  await page.keyboard.press('n');
  await expect(spoken(page)).toHaveText(/^read.*total 200/);
  await page.keyboard.press('n');
  await expect(spoken(page)).toHaveText(/^read.*total 300/);
  await page.keyboard.press('Shift+N');
  await expect(spoken(page)).toHaveText(/^read.*total 200/);
});

test('shows hostile names as text, whatever they contain', async ({ harness }) => {
  const hostile = [
    '<img src=x onerror=alert(1)>',
    '</script><script>alert(1)</script>',
    '"><svg onload=alert(1)>',
    '{{constructor.constructor("alert(1)")()}}',
    '__proto__',
    'constructor',
    'nul\u0000 and esc\u001b[31m',
    '\u202egnp.exe',
    'x'.repeat(1_000_000),
  ];
  const page = await harness.open(hostile.map((name, row) => `${name};child${row} 100`).join('\n'));
  expect(await page.locator('img, script:not([src])').count()).toBe(0);
  await frame(page, '<img').hover();
  await expect(page.locator('.flame-tooltip b')).toHaveText('<img src=x onerror=alert(1)>');
  await frame(page, '<img').click();
  await expect(zoomedInto(page)).toHaveText('<img src=x onerror=alert(1)>');
  await page.keyboard.press('Escape');
  await frame(page, 'xxx').hover();
  expect((await page.locator('.flame-tooltip b').textContent())?.length).toBeLessThanOrEqual(300);
  await page.getByRole('textbox', { name: 'Filter functions' }).fill('proto');
  await expect(page.locator('tbody tr')).toHaveCount(1);
  expect(await page.evaluate(() => document.querySelectorAll('[onerror], [onload]').length)).toBe(0);
});

test('scrolls a stack of 100,000 frames from root to leaf', async ({ harness }) => {
  const deep = `${Array.from({ length: 100_000 }, (_, depth) => `level_${depth}`).join(';')} 7`;
  const page = await harness.open(deep, { orientation: 'icicle' });
  await expect(graph(page)).toHaveAccessibleName(/100,?000 levels/);
  const scrollTo = (top: number) => graph(page).evaluate((scroller, to) => scroller.scrollTo(0, to), top);
  await scrollTo(900_000);
  await expect(graph(page).getByText('level_50000', { exact: true })).toBeVisible();
  await scrollTo(1e9);
  await expect(graph(page).getByText('level_99999', { exact: true })).toBeVisible();
  expect(await graph(page).locator('.frame').count()).toBeLessThan(80);
  await frame(page, 'level_99990').click();
  await expect(zoomedInto(page)).toHaveText('level_99990');
  await expect(page.getByRole('navigation')).toContainText('99,951 frames');
});

test('draws at most 600 frames, and fillers say what is omitted', async ({ harness }) => {
  const many = Array.from(
    { length: 4000 },
    (_, row) => `caller_${row % 40};middle_${row % 400};leaf_${row} ${1 + (row % 9)}`,
  );
  const page = await harness.open(many.join('\n'));
  expect(await graph(page).locator('.frame').count()).toBeLessThanOrEqual(600);
  const filler = graph(page).locator('.filler rect').first();
  await filler.hover();
  await expect(page.locator('.flame-tooltip')).toContainText(/… [\d,]+ frames?, [\d.]+ %/);
  await expect(page.locator('.flame-tooltip')).toContainText('too narrow to draw at this zoom');
});

test('redraws when the size changes', async ({ harness }) => {
  const page = await harness.open(SMALL);
  const widthOfAll = () => frame(page, 'all').evaluate((rect) => Number(rect.getAttribute('width')));
  const before = await widthOfAll();
  await page.setViewportSize({ width: 700, height: 500 });
  await expect.poll(widthOfAll).toBeLessThan(before - 400);
});

test('reaches frames too narrow to draw through their filler, by mouse and by keyboard', async ({ harness }) => {
  const hidden = Array.from({ length: 6000 }, (_, row) => `main;tiny_${String(row).padStart(4, '0')} 1`);
  const page = await harness.open(['main;big 6000', ...hidden].join('\n'));
  await graph(page).locator('.filler rect').first().click();
  await expect.poll(() => inView(page)).toBe('50 + 50');
  await atRest(page);
  await graph(page).locator('.filler rect').first().click();
  await expect.poll(() => graph(page).locator('.frame').count()).toBeGreaterThan(300);
  const tiny = graph(page).locator('.frame.narrow rect').nth(200);
  await tiny.hover();
  await expect(page.locator('.flame-tooltip b')).toHaveText(/^tiny_\d+$/);
  await page.keyboard.press('Home');
  await graph(page).focus();
  await page.keyboard.press('Home');
  await expect.poll(() => inView(page)).toBe('0 + 100');
  for (const key of ['ArrowUp', 'ArrowUp', 'ArrowRight']) await page.keyboard.press(key);
  await expect(spoken(page)).toHaveText(/^… 6,000 frames, 50.0 %/);
  await page.keyboard.press('Enter');
  await expect.poll(() => inView(page)).toBe('50 + 50');
});

test('draws a filler’s content in its colours below the frames, names it at the pointer, and opens there', async ({
  harness,
}) => {
  const hidden = Array.from({ length: 6000 }, (_, row) => `main;tiny_${row};do_work_[k] 1`);
  const page = await harness.open(['main;big 6000', ...hidden].join('\n'), { colour: 'kind' });
  const filler = graph(page).locator('.filler rect').first();
  await expect(page.locator('.flame-chart.textured')).toBeAttached();
  const box = (await filler.boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y - box.height / 2];
  await page.mouse.move(x, y);
  await expect(page.locator('.flame-tooltip')).toContainText(/… 12,000 frames, 50.0 %here: do_work/);
  await expect(page.getByRole('list', { name: 'Colours' })).toContainText('kernel 50.0 %');
  const colourAt = (): Promise<string> =>
    page.locator('.flame-texture').evaluate(
      (canvas: HTMLCanvasElement, [left, top]) => {
        const { left: x0, top: y0 } = canvas.getBoundingClientRect();
        const pixel = new OffscreenCanvas(1, 1).getContext('2d')!;
        pixel.drawImage(canvas, x0 - left, y0 - top);
        return pixel.getImageData(0, 0, 1, 1).data.join(' ');
      },
      [x, y] as const,
    );
  const kernel = await colourAt();
  expect(kernel).toMatch(/ 255$/);
  await page
    .getByRole('list', { name: 'Colours' })
    .getByRole('button', { name: /^unknown|^kind unknown|^user/ })
    .first()
    .click();
  await expect.poll(colourAt).not.toBe(kernel);
  await page.mouse.click(x, y);
  await expect.poll(() => inView(page)).toBe('50 + 50');
});

test('names and opens frames deep in a stack that is too narrow to draw', async ({ harness }) => {
  const deep = Array.from({ length: 120 }, (_, depth) => `deep_${depth}`).join(';');
  const page = await harness.open(`${deep} 3\nmain;wide 1997`);
  await page.locator('.flame-scroller').evaluate((scroller) => (scroller.scrollTop = 0));
  await expect(page.locator('.flame-chart.textured')).toBeAttached();
  const { x, y } = (await page.locator('.flame-content').boundingBox())!;
  const tooltip = page.locator('.flame-tooltip');
  await expect(async () => {
    await page.mouse.move(x + 40, y + 30);
    await page.mouse.move(x + 1, y + 30);
    await expect(tooltip).toHaveText(/^deep_11\dtoo narrow to draw at this zoom/, { timeout: 500 });
  }).toPass();
  await page.mouse.click(x + 1, y + 30);
  await expect(
    graph(page)
      .locator('.frame', { hasText: /^deep_11\d$/ })
      .first(),
  ).toBeAttached();
});

test('the legend explains the colours of the drawn frames', async ({ harness }) => {
  const page = await harness.open('main;runtime.gcDrain 40\nmain;do_syscall_64_[k] 60', { colour: 'kind' });
  const legend = page.getByRole('list', { name: 'Colours' });
  await expect(legend).toContainText('Go runtime');
  await expect(legend).toContainText('kernel');
  await frame(page, 'runtime.gcDrain').click();
  await expect(legend).not.toContainText('kernel');
});

test('Shift shows all of a long name', async ({ harness }) => {
  const name = `std::pair<${'x'.repeat(600)}>`;
  const page = await harness.open(`${name} 10`);
  await frame(page, 'std').hover();
  await expect(page.locator('.flame-tooltip')).toContainText('Shift shows the whole name');
  await page.keyboard.down('Shift');
  await frame(page, 'std').hover({ position: { x: 30, y: 9 } });
  await expect(page.locator('.flame-tooltip b')).toHaveText(name);
  await page.keyboard.up('Shift');
});

test('each of several quick clicks is a step in the history', async ({ harness }) => {
  const page = await harness.open(SMALL);
  await frame(page, 'main').click();
  // The zoom into main is on screen; breadcrumbs and table may not be updated yet.
  await frame(page, 'write').click();
  await expect(zoomedInto(page)).toHaveText('write');
  await graph(page).focus();
  await page.keyboard.press('Escape');
  await expect(zoomedInto(page)).toHaveText('main');
  await page.keyboard.press('Escape');
  await expect(zoomedInto(page)).toHaveText('all');
});

test('a key right after a click follows it', async ({ harness, page: { clock } }) => {
  await clock.install();
  const page = await harness.open(SMALL);
  await frame(page, 'main').click();
  await expect(zoomedInto(page)).toHaveText('main');
  const write = (await frame(page, 'write').boundingBox())!;
  await Promise.all([page.mouse.click(write.x + 5, write.y + 9), page.keyboard.press('Escape')]);
  await expect
    .poll(() =>
      frame(page, 'write')
        .boundingBox()
        .then((box) => box?.width),
    )
    .toBe(write.width);
  await clock.fastForward(300);
  await expect(zoomedInto(page)).toHaveText('main');
});

test('a frame narrower than a pixel is a bar, shows its content, and opens', async ({ harness }) => {
  const page = await harness.open('main;big 100000\nmain;tiny;deep 3\nmain;wide 100000');
  const bars = await page.locator('.flame-overlay .hairlines').getAttribute('d');
  expect(bars?.match(/M/g)).toHaveLength(1);
  await expect(page.locator('.flame-overlay .hairlines')).toBeVisible();
  const big = (await frame(page, 'big').boundingBox())!;
  await page.mouse.move(big.x + big.width + 0.5, big.y + 9);
  const tooltip = page.locator('.flame-tooltip');
  await expect(tooltip).toContainText('… 2 frames');
  await graph(page).focus();
  for (const key of ['ArrowUp', 'ArrowUp', 'ArrowRight']) await page.keyboard.press(key);
  await expect(spoken(page)).toHaveText(/^… 2 frames, 0\.0 %|^… 2 frames, < ?0/);
  await page.keyboard.press('Enter');
  await expect(graph(page).locator('.frame', { hasText: 'tiny' }).first()).toBeAttached();
});

test('a legend entry dims all other frames', async ({ harness }) => {
  const page = await harness.open('main;runtime.gcDrain 40\nmain;do_syscall_64_[k] 60', { colour: 'kind' });
  const legend = page.getByRole('list', { name: 'Colours' });
  const kernel = legend.getByRole('button', { name: 'kernel 60.0 %' });
  await kernel.click();
  await expect(graph(page).locator('.frame:not(.dimmed)')).toHaveCount(1);
  await kernel.click();
  await expect(graph(page).locator('.dimmed')).toHaveCount(0);
});

test('paints labels on their frames, and again with another font', async ({ harness }) => {
  const page = await harness.open(SMALL);
  /** Returns the number of painted pixels between two fractions of a frame's width. */
  const painted = (name: string, from: number, to: number): Promise<number> =>
    frame(page, name).evaluate(
      (rect, [first, last]) => {
        const copy = new OffscreenCanvas(2000, 2000).getContext('2d', { willReadFrequently: true })!;
        copy.drawImage(document.querySelector<HTMLCanvasElement>('canvas.flame-labels')!, 0, 0);
        const [x, y, width] = ['x', 'y', 'width'].map((attribute) => Number(rect.getAttribute(attribute)));
        const box = [x! + first! * width!, y!, (last! - first!) * width!, 18].map((px) => Math.round(px));
        const { data } = copy.getImageData(box[0]!, box[1]!, box[2]!, box[3]!);
        return data.filter((value, place) => place % 4 === 3 && value > 0).length;
      },
      [from, to],
    );
  const before = await painted('main', 0, 0.2);
  expect(before).toBeGreaterThan(20);
  expect(await painted('main', 0.5, 1)).toBe(0);
  await page.evaluate(() => document.documentElement.style.setProperty('--mono-scale', '1.4'));
  await expect.poll(() => painted('main', 0, 0.2)).toBeGreaterThan(before * 1.2);
  await frame(page, 'parse').click();
  await expect(zoomedInto(page)).toHaveText('parse');
  expect(await painted('read', 0.5, 1)).toBe(0);
});
