import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test, type Browser, type BrowserContextOptions, type Page } from 'playwright/test';
import { reportHtml, type ReportViewer } from '#core/report/html-file.ts';
import { reportPage } from '#core/report/page.ts';
import { reportSvg } from '#core/report/report-picture.ts';
import { HOSTILE_TEXTS, hostileReport } from '../support/hostile-report.ts';
import { noteOn } from '../support/report-of.ts';
import { runCli } from '../support/run-cli.ts';
import { Firefox, FIREFOX_KEYS } from './firefox.ts';
import { expectAccessibleThemes } from './axe.ts';

/** Opens reports as readers do: as files, in a browser without network access. */

let folder = '';
const at = (name: string): string => path.join(folder, name);
const HOSTILE = `</script><script>alert(1)</script><img src=x onerror=alert(1)>`;

// One worker makes the files and runs all tests. One that gets tests again makes the files again.
test.describe.configure({ mode: 'default' });
test.beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'flamebench-report-'));
  const stacks = (read: number): string =>
    `main;parse;read ${read}\nmain;parse 10\nmain;write 20\nmain;${HOSTILE};leaf 5\n`;
  writeFileSync(at('before.folded'), stacks(300));
  writeFileSync(at('after.folded'), stacks(90));
  writeFileSync(
    at('notes.md'),
    `# Reads are slow\n\n${HOSTILE}\n\n[a link](https://example.com) and [no link](javascript:alert(1))\n`,
  );
  const notes = [
    noteOn('c1', { kind: 'function', func: { name: 'read', module: '' } }, '# Reads twice').note,
    { ...noteOn('c1', { kind: 'function', func: { name: 'write', module: '' } }, 'Writes once').note, created: 2 },
  ];
  writeFileSync(at('notes.json'), JSON.stringify({ schemaVersion: 2, notes }));
  const both = [at('before.folded'), at('after.folded'), '--compare', '--notes', at('notes.md')];
  const deep = Array.from({ length: 100 }, (_, level) => `level_${level}`).join(';');
  writeFileSync(at('deep.folded'), `${deep} 100\n`);
  for (const args of [
    [at('deep.folded'), '-o', at('deep.html')],
    [at('before.folded'), '--notes', at('notes.json'), '-o', at('one.html')],
    [...both, '--title', HOSTILE, '-o', at('two.html')],
    [...both, '--template', 'finding', '-o', at('finding.html')],
  ]) {
    const run = await runCli(['report', ...args]);
    expect(run.code, run.stderr).toBe(0);
  }
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Opens a file; any request but its own, console message or dialog fails the test. */
async function open(
  browser: Browser,
  name: string,
  options: BrowserContextOptions = {},
  kind: 'page' | 'svg' = 'page',
): Promise<Page> {
  const context = await browser.newContext({ offline: true, viewport: { width: 1200, height: 900 }, ...options });
  const page = await context.newPage();
  const url = pathToFileURL(at(name)).href;
  const told: string[] = [];
  await page.exposeFunction('tellStored', (what: string) => told.push(`storage ${what}`));
  await page.addInitScript(() => {
    const tell = (window as unknown as { tellStored: (what: string) => void }).tellStored;
    for (const what of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
      Object.defineProperty(window, what, {
        get: () => {
          tell(what);
          throw new DOMException('blocked', 'SecurityError');
        },
      });
  });
  page.on('console', (message) => told.push(message.text()));
  page.on('pageerror', (error) => told.push(error.message));
  page.on('dialog', (dialog) => {
    told.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (request.url() !== url) told.push(`request ${request.url()}`);
  });
  await page.goto(url);
  if (kind === 'page' && options.javaScriptEnabled !== false) await expect(page.locator('html.is-live')).toBeAttached();
  Object.assign(page, { told });
  return page;
}

const toldBy = (page: Page): string[] => (page as Page & { told: string[] }).told;

test('a capture’s report works offline, leads to its notes, and prints', async ({ browser }) => {
  const page = await open(browser, 'one.html');
  await test.step('zooms, searches and sorts by keyboard, and sends no request', async () => {
    const flame = page.locator('#section-0');
    const graph = flame.getByRole('tree');
    await expect(flame.locator('.still')).toBeHidden();
    await graph.focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect(flame.getByRole('navigation')).toContainText('main');
    await expect(graph.getByRole('treeitem')).toHaveAttribute('aria-level', '3');
    await page.keyboard.press('/');
    await page.keyboard.type('read');
    await expect(flame.getByText('1 function ·')).toBeVisible();
    const table = page.locator('#section-1');
    await expect(table.getByRole('row').nth(1)).toContainText('read');
    await table.getByRole('button', { name: /^Function/ }).press('Enter');
    await expect(table.getByRole('columnheader', { name: /^Function/ })).toHaveAttribute('aria-sort', /ending/);
    await expectAccessibleThemes(page, { state: 'report', without: '.flame-scroller' });
    expect(toldBy(page)).toEqual([]);
    // Back to the whole graph, without a search.
    await flame.getByRole('searchbox').fill('');
    await expect(flame.getByText('1 function ·')).toHaveCount(0);
    await graph.press('Home');
    await expect(flame.getByRole('navigation')).not.toContainText('main');
  });
  await test.step('note numbers on frames and rows lead to the list of notes, which leads back', async () => {
    const graph = page.locator('#section-0 .live');
    await expect(graph.locator('.flame-overlay [data-pin=note-1]')).toBeVisible();
    await graph.locator('.flame-overlay [data-pin=note-1]').click();
    await expect(page.locator('#note-1:target')).toContainText('Reads twice');
    const row = page.locator('#section-1').getByRole('row', { name: /^write/ });
    await row.getByRole('img', { name: 'Note 2: Writes once' }).click();
    await expect(page.locator('#note-2:target')).toBeVisible();
    await page.locator('#note-1').getByRole('link', { name: 'section 2' }).press('Enter');
    await expect(page.locator('#section-1').getByRole('row', { name: /^read/ })).toHaveAttribute(
      'aria-selected',
      'true',
    );
    expect(toldBy(page)).toEqual([]);
  });
  await test.step('prints its static views in light colours, whatever the theme', async () => {
    const dark = await open(browser, 'one.html', { colorScheme: 'dark' });
    await dark.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await expect(dark.locator('#section-0 .still')).toBeVisible();
    await expect(dark.locator('#section-0 .live')).toBeHidden();
    expect(await dark.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)');
    // Notes are first on paper, below the title.
    const top = async (part: string): Promise<number> => (await dark.locator(part).boundingBox())!.y;
    expect(await top('[data-kind=notes]')).toBeLessThan(await top('#section-0'));
    expect(await top('.report-head')).toBeLessThan(await top('[data-kind=notes]'));
    // A short table stays on one page, with its caption.
    await expect(dark.locator('[data-kind=target] table').first()).toHaveCSS('break-inside', 'avoid');
    expect((await dark.pdf({ format: 'A4' })).subarray(0, 4).toString()).toBe('%PDF');
    // A finding begins with what is claimed, what else could explain it, and what remains open.
    const finding = await open(browser, 'finding.html');
    const parts = ['.report-head', '#section-0', '#section-1', '#section-2', '#section-3'];
    const topOf = async (one: string): Promise<number> => (await finding.locator(one).boundingBox())!.y;
    await expect(finding.locator('#section-0')).toContainText('a change of the total does not show');
    for (const media of ['screen', 'print'] as const) {
      await finding.emulateMedia({ media });
      const tops = await Promise.all(parts.map(topOf));
      expect(tops).toEqual(tops.toSorted((a, b) => a - b));
    }
    expect(await topOf('#section-2')).toBeLessThan(await topOf('[data-kind=notes]'));
    expect(await topOf('[data-kind=notes]')).toBeLessThan(await topOf('#section-3'));
    const deep = await open(browser, 'deep.html');
    await deep.emulateMedia({ media: 'print' });
    const graph = deep.locator('#section-0 .flame-still');
    await expect(graph).toBeVisible();
    // A taller one would leave pages empty: Letter without margins has 250 mm.
    const millimetre = 96 / 25.4;
    expect((await graph.boundingBox())!.height).toBeLessThan(190 * millimetre);
  });
});

test('works in Firefox without sending or storing anything', async () => {
  const firefox = await Firefox.launch();
  const text = (expression: string) => expect.poll(() => firefox.text(expression), { timeout: 30_000 });
  try {
    await firefox.open(pathToFileURL(at('one.html')).href);
    await text(`document.documentElement.classList.contains('is-live')`).toBe('true');
    const graph = `document.querySelector('#section-0 [role=tree]')`;
    await text(`${graph} !== null && (${graph}.focus(), document.activeElement === ${graph})`).toBe('true');
    await firefox.press(FIREFOX_KEYS.up, FIREFOX_KEYS.up, FIREFOX_KEYS.enter);
    await text(`document.querySelector('#section-0 nav')?.textContent`).toContain('main');
    await firefox.press('/', 'r', 'e', 'a', 'd');
    await text(`document.querySelector('#section-0').textContent`).toContain('1 function ·');
    const head = `document.querySelector('#section-1 th [type=button], #section-1 th button')`;
    await text(`(${head}.click(), document.querySelector('#section-1 th[aria-sort]')?.textContent)`).not.toBe('');
    await text(`document.querySelector('#section-0 .live [data-pin]')?.getAttribute('data-pin')`).toBe('note-1');
    expect(firefox.told).toEqual([]);
  } finally {
    await firefox.close();
  }
});

test('a comparison’s report works with and without scripts, and nothing hostile runs', async ({ browser }) => {
  await test.step('both sides move together, and nothing hostile runs', async () => {
    const page = await open(browser, 'two.html');
    await expect(page.getByRole('heading', { level: 1 })).toContainText('</script>');
    const graphs = page.locator('#section-1').getByRole('tree');
    await expect(graphs).toHaveCount(2);
    await graphs.first().focus();
    for (const key of ['ArrowUp', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
    for (const crumbs of await page.locator('#section-1').getByRole('navigation').all())
      await expect(crumbs).toContainText('main');
    await expect(page.getByRole('link', { name: 'a link' })).toHaveAttribute('href', 'https://example.com');
    await expect(page.getByRole('link', { name: 'no link' })).toHaveCount(0);
    await expectAccessibleThemes(page, { state: 'comparison', without: '.flame-scroller' });
    expect(toldBy(page)).toEqual([]);
  });
  await test.step('shows pictures, tables and notes without scripts, in light colours, whatever the theme', async () => {
    const plain = await open(browser, 'two.html', { javaScriptEnabled: false, colorScheme: 'dark' });
    await expect(plain.locator('body')).toHaveCSS('background-color', 'rgb(245, 246, 248)');
    await expect(plain.getByRole('img', { name: /^Before: samples/ })).toBeVisible();
    await expect(plain.getByRole('table', { name: /^Total \(cumulative\)/ })).toBeVisible();
    await expect(plain.locator('#note-1')).toContainText('Reads are slow');
  });
  await test.step('runs nothing from hostile names, modules, files, hosts, commands and notes', async () => {
    const viewer = JSON.parse(readFileSync('dist/renderer/report-viewer.json', 'utf8')) as ReportViewer;
    const { report, prepared, profiles } = await hostileReport(HOSTILE_TEXTS.join(' '));
    writeFileSync(at('hostile.html'), reportHtml(report, reportPage(prepared), profiles, viewer));
    writeFileSync(at('hostile.svg'), reportSvg(prepared, true)!);
    const hostile = await open(browser, 'hostile.html');
    await expect(hostile.locator('#section-4').getByRole('tree')).toHaveCount(2, { timeout: 30_000 });
    expect(toldBy(hostile)).toEqual([]);
    const picture = await open(browser, 'hostile.svg', {}, 'svg');
    await expect(picture.locator('#frames')).toBeAttached();
    expect(toldBy(picture)).toEqual([]);
  });
});
