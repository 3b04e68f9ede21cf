import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { dropFiles } from './drop-files.ts';
import { FOLDED, HOSTILE_NAMES, perfScript } from './inputs.ts';
import { expect, test } from './workbench.ts';

test('an empty window: what to do, samples, and files dropped together', async ({ workbench, page }) => {
  await test.step('an empty window explains what to do; the fragment leaves the address', async () => {
    await expect(page.getByRole('heading', { name: 'See where the time goes' })).toBeVisible();
    expect(new URL(page.url()).hash).toBe('');
    await page.reload();
    await expect(workbench.status).toContainText('engine ready');
  });
  await test.step('the bar and the start page lead to the same five places', async () => {
    const bar = page.getByRole('group', { name: 'Main actions' });
    const start = page.getByRole('region', { name: 'Start' });
    for (const [name, title] of [
      ['Record', /Record/],
      ['Live', 'Watch live'],
    ] as const) {
      for (const button of [
        bar.getByRole('button', { name }),
        start.getByRole('button', { name: new RegExp(`^${name}`) }),
      ]) {
        await button.click();
        await expect(page.getByRole('dialog', { name: title })).toBeVisible();
        await page.keyboard.press('Escape');
        await expect(page.getByRole('dialog')).toHaveCount(0);
      }
    }
    for (const button of [bar.getByRole('button', { name: 'Load' }), start.getByRole('button', { name: /^Load/ })]) {
      await button.click();
      await workbench.openTabs.getByRole('tab', { name: 'Load tests' }).press('Delete');
      await expect(start).toBeVisible();
    }
    for (const button of [
      bar.getByRole('button', { name: 'Compare' }),
      start.getByRole('button', { name: /^Compare/ }),
    ]) {
      const chooser = page.waitForEvent('filechooser');
      await button.click();
      expect((await chooser).isMultiple()).toBe(true);
    }
    for (const width of [1440, 640]) {
      await page.setViewportSize({ width, height: 900 });
      for (const name of ['Open', 'Record', 'Live', 'Load', 'Compare', 'Export']) {
        await expect(bar.getByRole('button', { name })).toBeInViewport({ ratio: 1 });
      }
    }
  });
  await test.step('scrolls wherever the pointer is, in a small window', async () => {
    const start = page.getByRole('region', { name: 'Start' });
    await page.setViewportSize({ width: 1280, height: 480 });
    const { x, width } = (await start.boundingBox())!;
    expect(x + width).toBe(1280);
    await expect(start.getByRole('heading', { name: 'See where the time goes' })).toBeInViewport();
    await page.mouse.move(1260, 300);
    await page.mouse.wheel(0, 2000);
    await expect(start.getByText('In a flame graph, width is weight')).toBeInViewport({ ratio: 1 });
    await page.setViewportSize({ width: 1440, height: 900 });
  });
  await test.step('a fleet is found, and the cards’ keys stand beside their titles', async () => {
    const start = page.getByRole('region', { name: 'Start' });
    await start.getByRole('button', { name: /^Fleet…/ }).click();
    await expect(page.getByRole('dialog', { name: 'Fleet' })).toBeVisible();
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1024, height: 700 });
    const heights = await start.locator('.card > b').evaluateAll((all) => all.map((title) => title.clientHeight));
    expect(Math.max(...heights)).toBeLessThan(26);
    await page.setViewportSize({ width: 1440, height: 900 });
  });
  await test.step('opens a bundled sample from the empty window; its tab closes by keyboard', async () => {
    const samples = page.getByRole('region', { name: 'Start' }).getByRole('list').getByRole('button');
    await expect(samples.filter({ hasText: 'page-server, before ↔ after' })).toContainText('hash table');
    await expect(samples.filter({ hasText: 'lookup-service, before ↔ after' })).toContainText('compare 5 with 5 runs');
    await samples.filter({ hasText: 'page-server, after' }).click();
    await expect(workbench.graph).toBeVisible();
    await expect(workbench.status).toContainText(/[\d,]+ samples/);
    await page.getByRole('button', { name: 'Export', exact: true }).press('Enter');
    await page.getByRole('menuitem', { name: 'Copy graph as SVG' }).press('Enter');
    await expect(page.getByText(/Copied the graph as SVG/)).toBeVisible();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Export', exact: true }).press('Enter');
    await page.getByRole('menuitem', { name: 'Copy table as Markdown' }).press('Enter');
    await expect(page.getByText(/Copied the table as Markdown/)).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/\n\| Function \| .*\n\| --- \| ---: \|/);
    await page.getByRole('button', { name: 'Export', exact: true }).press('Enter');
    await page.getByRole('menuitem', { name: 'Copy table as PNG' }).press('Enter');
    await expect(page.getByText('Copied the table as PNG.')).toBeVisible();
    await page.getByRole('button', { name: 'Compare', exact: true }).press('Enter');
    await expect(page.getByRole('dialog', { name: /Compare/ })).toBeVisible();
    await page.keyboard.press('Escape');
    await workbench.openTabs.getByRole('tab', { selected: true }).press('Delete');
    await expect(page.getByRole('heading', { name: 'See where the time goes' })).toBeVisible();
  });
  await test.step('shows whole shares in the narrow table of a small window', async () => {
    await page.setViewportSize({ width: 1280, height: 720 });
    await workbench.openText('whole.folded', FOLDED);
    const whole = workbench.table.getByRole('gridcell', { name: '100.0 %', exact: true }).first();
    await expect(whole).toBeVisible();
    const room = await whole.evaluate((cell) => {
      const text = document.createRange();
      text.selectNodeContents(cell);
      const { paddingLeft, paddingRight } = getComputedStyle(cell);
      const padding = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight);
      return cell.clientWidth - padding - text.getBoundingClientRect().width;
    });
    expect(room).toBeGreaterThanOrEqual(0);
    await page.setViewportSize({ width: 1440, height: 900 });
    await workbench.openTabs.getByRole('tab', { selected: true }).press('Delete');
  });
  await test.step('opens files dropped together in separate tabs', async () => {
    await expect(page.getByText('Record…').first()).toBeVisible();
    const transfer = await page.evaluateHandle((text) => {
      const made = new DataTransfer();
      made.items.add(new File([text], 'before.folded'));
      made.items.add(new File([text], 'after.folded'));
      return made;
    }, FOLDED);
    await page.dispatchEvent('main', 'dragover', { dataTransfer: transfer });
    await expect(page.getByText('Drop to open')).toBeVisible();
    await page.dispatchEvent('main', 'drop', { dataTransfer: transfer });
    await expect(page.getByText('Drop to open')).toBeHidden();
    await page.getByRole('button', { name: 'Open both' }).click();
    await expect(workbench.tab('before.folded')).toBeVisible();
    await expect(workbench.tab('after.folded')).toHaveAttribute('aria-selected', 'true');
    await workbench.tab('after.folded').press('ArrowLeft');
    await expect(workbench.tab('before.folded')).toHaveAttribute('aria-selected', 'true');
    await expect(workbench.frame('work').first()).toBeVisible();
    await workbench.tab('before.folded').press('Delete');
    await expect(workbench.tab('before.folded')).toBeHidden();
    await expect(workbench.tab('after.folded')).toHaveAttribute('aria-selected', 'true');
  });
});

test('a large file that is not read, and pasted text', async ({ workbench, page }) => {
  await test.step('reading shows progress and ends on Cancel', async () => {
    await expect(page.getByText('Record…').first()).toBeVisible();
    await page.evaluate(() => {
      const line = Array.from({ length: 40 }, (_, depth) => `function_number_${depth}`).join(';');
      const block = Array.from({ length: 2000 }, (_, row) => `${line};leaf_${row} 1`).join('\n') + '\n';
      const transfer = new DataTransfer();
      transfer.items.add(
        new File(
          Array.from({ length: 150 }, () => block),
          'large.folded',
        ),
      );
      document
        .querySelector('main')
        ?.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    });
    await expect(page.getByRole('progressbar', { name: 'Reading large.folded' })).toBeVisible();
    // Clicks within the page, because the test's own click may take longer than reading. The bench measures how long
    // Cancel takes.
    await page.evaluate(() => {
      [...document.querySelectorAll('button')].find((button) => button.textContent === 'Cancel')?.click();
    });
    await expect(workbench.tab('large.folded')).toHaveCount(0);
    await workbench.openText('good.folded', FOLDED);
    await expect(workbench.frame('work').first()).toBeVisible();
    await workbench.tab('good.folded').press('Delete');
    await expect(page.getByRole('heading', { name: 'See where the time goes' })).toBeVisible();
  });
  await test.step('opens pasted text, except in a field', async () => {
    await workbench.openText('a.folded', FOLDED);
    const paste = (selector: string): Promise<void> =>
      page.evaluate((target) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', 'pasted;inner 7\n');
        document
          .querySelector(target)!
          .dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      }, selector);
    await paste('.search-box input');
    await paste('main');
    await expect(workbench.openTabs.getByRole('tab')).toHaveText([/a\.folded/, /clipboard\.txt/]);
    await expect(workbench.frame('inner').first()).toBeVisible();
  });
});

const BAD: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
  ['empty.txt', '', /empty/i],
  ['noise.txt', 'Dear diary,\ntoday nothing happened.\n', /no profile format|not a profile|unrecognized/i],
  ['cut.folded.gz', gzipSync(FOLDED.repeat(1000)).subarray(0, 60), /gzip|cut|truncated|ends/i],
];
test('formats, refused files, hostile names and missing names', async ({ workbench, page }) => {
  await test.step('shows the format, which can be forced', async () => {
    await workbench.openText('a.txt', perfScript());
    const format = workbench.status.getByLabel('read as');
    await expect(format).toHaveValue('');
    await expect(format.locator('option:checked')).toHaveText('perf script text');
    await format.selectOption('pprof');
    await expect(page.getByRole('heading', { name: 'a.txt could not be opened' })).toBeVisible();
    await page.getByLabel('read as').selectOption('');
    await expect(workbench.graph).toBeVisible();
  });
  await test.step('refuses files with a reason and a remedy, and the window stays usable', async () => {
    for (const [name, content, reason] of BAD) {
      await test.step(name, async () => {
        await workbench.open(workbench.writeFile(name, content));
        await expect(page.getByRole('heading', { name: `${name} could not be opened` })).toBeVisible();
        const problem = page.getByRole('tabpanel').getByRole('alert');
        await expect(problem).toContainText(reason);
        await expect(problem.getByRole('paragraph')).toHaveCount(2);
        await expect(problem.getByRole('button', { name: 'Copy details' })).toBeVisible();
        await problem.getByText('More: unknown format').click();
        await expect(problem).toContainText('The format is detected by content, not by name.');
        await workbench.openText(`good after ${name}.folded`, FOLDED);
        await expect(workbench.frame('work').first()).toBeVisible();
      });
    }
  });
  await test.step('shows hostile names as text only', async () => {
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await workbench.openText('hostile.folded', HOSTILE_NAMES.map((name) => `${name};${name} 10`).join('\n'));
    await expect(workbench.frame('__proto__').first()).toBeVisible();
    const functions = await workbench.functionsInTable();
    expect(functions).toEqual(expect.arrayContaining(['__proto__', 'constructor', 'hasOwnProperty', 'toString']));
    await workbench.clickFrame('__proto__');
    await expect(workbench.details).toContainText('__proto__');
    await page.keyboard.press('Control+f');
    await page.keyboard.type('onerror');
    await expect(page.getByText('1/7')).toBeVisible();
    await expect(page.locator('img, script:not([src])')).toHaveCount(0);
    expect(requests.filter((url) => url.endsWith('/x'))).toEqual([]);
  });
  await test.step('opens dropped perf.data, counts its missing names, and says how to get them', async () => {
    const bytes = readFileSync(path.join(import.meta.dirname, '../fixtures/import/perf-data/file.perf.data'));
    await expect(workbench.status).toContainText('engine ready');
    await dropFiles(page, [['perf.data', bytes.toString('base64')]]);
    await expect(workbench.tab('perf.data')).toBeVisible();
    await expect(workbench.frame('[app]').first()).toBeVisible();
    await expect(workbench.status.getByLabel('read as').locator('option:checked')).toHaveText('perf.data');
    await workbench.status.getByRole('button', { name: /2 diagnostics/ }).click();
    await expect(workbench.details).toContainText('100.0 % of the weight is in functions without a symbol');
    await expect(workbench.details).toContainText('flamebench convert FILE --to native');
    await expect(workbench.details).toContainText('perf lost samples');
  });
});

test('keeps the active tab in view, however many there are', async ({ workbench, page }) => {
  await page.setViewportSize({ width: 1024, height: 700 });
  for (const at of [1, 2, 3, 4, 5]) {
    const name = `recording-with-a-long-name-${at}.folded`;
    await workbench.openText(name, FOLDED);
    await expect(workbench.tab(name)).toBeInViewport({ ratio: 1 });
  }
  await workbench.openTabs.getByRole('tab', { selected: true }).press('Home');
  await expect(workbench.openTabs.getByRole('tab').first()).toBeInViewport({ ratio: 1 });
});
