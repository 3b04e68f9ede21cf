import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'playwright/test';
import { buildSite } from '../../scripts/site.ts';
import { renderPage } from '../../scripts/site/page.ts';

test.describe.configure({ mode: 'serial' });

let folder: string;
let pages: string[];

test.beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'flamebench-site-'));
  pages = await buildSite(folder);
});
test.afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const urlOf = (name: string): string => pathToFileURL(path.join(folder, name)).href;

test('every link, anchor and file of every page exists, and nothing is loaded from elsewhere', () => {
  const files = new Set(globSync('**/*', { cwd: folder }));
  expect(pages.length).toBeGreaterThan(40);
  const anchors = new Map(
    pages.map((name) => [
      name,
      new Set([...readFileSync(path.join(folder, name), 'utf8').matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)),
    ]),
  );
  const broken: string[] = [];
  const linked = new Set(['index.html']);
  for (const name of pages) {
    const html = readFileSync(path.join(folder, name), 'utf8');
    for (const [, tag = '', attribute, target = ''] of html.matchAll(/<(\w+)[^<>]*? (href|src)="([^"]*)"/g)) {
      if (tag === 'a' && attribute === 'href' && /^(?:https?|mailto):/.test(target)) continue;
      const [place = '', anchor = ''] = target.split('#');
      const to = place === '' ? name : path.join(path.dirname(name), place);
      if (to !== name) linked.add(to);
      const isThere = files.has(to) && (anchor === '' || anchors.get(to)?.has(decodeURIComponent(anchor)) === true);
      if (!isThere) broken.push(`${name}: ${target}`);
    }
  }
  expect(broken).toEqual([]);
  expect(pages.filter((name) => !linked.has(name))).toEqual([]);
  // Also at run time the policy allows the site's own files only.
  for (const name of pages) expect(readFileSync(path.join(folder, name), 'utf8')).toContain("default-src 'none'");
});

test('a search finds a section and leads there, from a file, in both colour schemes', async ({ page }) => {
  const requests: string[] = [];
  const errors: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => (message.type() === 'error' ? errors.push(message.text()) : undefined));
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(urlOf('tutorials/index.html'));
  const background = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await background();
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await background()).not.toBe(dark);
  await page.getByRole('searchbox').fill('exit codes');
  const found = page.getByRole('banner').getByRole('link', { name: /Exit codes and errors/ });
  await found.first().click();
  await expect(page.getByRole('heading', { name: 'Exit codes and errors' })).toBeInViewport();
  expect(page.url()).toBe(`${urlOf('cli.html')}#exit-codes-and-errors`);
  await page.getByRole('searchbox').fill('zzzzqqqq');
  await expect(page.getByText('Nothing found')).toBeVisible();
  await page.goto(urlOf('index.html'));
  for (const picture of await page.getByRole('main').getByRole('img').all())
    await expect(picture).toHaveJSProperty('complete', true);
  expect(await page.getByRole('main').getByRole('img').count()).toBe(3);
  expect(requests.filter((url) => !url.startsWith('file:'))).toEqual([]);
  expect(errors).toEqual([]);
});

test('HTML and addresses of scripts in Markdown are text', () => {
  const markdown =
    '# <img src=x onerror=alert(1)>\n\n<script>alert(1)</script>\n\n[a](javascript:alert(1)) <b onclick="x">b</b>\n\n[c](../../etc/passwd) [d](gone.md)\n';
  const source = { file: 'docs/x.md', title: '<i>', markdown, address: 'x.html' };
  const problems: string[] = [];
  const context = { root: path.resolve('.'), pages: new Map([[source.file, source]]), subjects: [], problems };
  const { html } = renderPage(source, context);
  expect(html.slice(html.indexOf('<main>'))).not.toMatch(/<(?:img|script|b|i)\b|href="javascript/);
  expect(html).toContain('<title>&lt;i&gt; · Flamebench</title>');
  expect(problems).toHaveLength(3);
});
