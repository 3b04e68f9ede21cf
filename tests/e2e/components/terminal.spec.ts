import { expectAccessible } from '../axe.ts';
import type { Locator, Page } from 'playwright/test';
import { expect, test } from './harness.ts';

const ESC = '\u001b';

/** Returns the drawn rows; spaces are drawn as no-break spaces. */
const rows = async (page: Page): Promise<string> =>
  (await page.locator('.xterm-rows > div').allTextContents()).join('\n').replaceAll('\u00a0', ' ');

const typed = (page: Page): Promise<string | null> => page.locator('html').getAttribute('data-typed');
const input = (page: Page): Locator => page.getByRole('textbox', { name: 'Terminal of web-1' });

for (const theme of ['light', 'dark']) {
  test(`draws ssh’s prompt in the window’s colours and accepts an answer, ${theme}`, async ({ harness }) => {
    const question =
      `The authenticity of host '[10.0.0.7]:22' can't be established.\r\n${ESC}[31mred${ESC}[0m ${ESC}[1;32mgreen${ESC}[m\r\n` +
      'Are you sure you want to continue connecting (yes/no/[fingerprint])? ';
    const page = await harness.open(null, { terminal: question, theme });
    await expect.poll(() => rows(page)).toContain('Are you sure you want to continue');
    const [ground, red, expected] = await page.evaluate(() => {
      const colour = (selector: string, name: 'color' | 'backgroundColor'): string =>
        getComputedStyle(document.querySelector(selector)!)[name];
      const probe = document.createElement('i');
      probe.style.color = 'var(--danger)';
      document.body.append(probe);
      return [
        colour('.xterm-scrollable-element', 'backgroundColor'),
        colour('.xterm-fg-1', 'color'),
        `${getComputedStyle(document.body).backgroundColor} ${getComputedStyle(probe).color}`,
      ];
    });
    expect(`${ground} ${red}`).toBe(expected);

    await input(page).focus();
    await page.keyboard.type('yes\n');
    expect(await typed(page)).toBeNull();
    await page.getByLabel('asks').check();
    await input(page).focus();
    await page.keyboard.type('yes');
    await page.keyboard.press('Enter');
    await expect.poll(() => typed(page)).toBe('yes\r');
    await page.getByLabel('asks').uncheck();
    await input(page).focus();
    await page.keyboard.type('no');
    await page.getByLabel('asks').check();
    await expect.poll(() => typed(page)).toBe('yes\r');

    await expectAccessible(page, { within: '.terminal-screen', coloursOnly: theme === 'dark' });
  });
}

test('output of a hostile host has no effect outside its rows, and does not answer for the user', async ({
  harness,
}) => {
  const hostile = [
    `${ESC}]52;c;ZXZpbA==\u0007`,
    `${ESC}]0;[sudo] password for root:\u0007`,
    `${ESC}]8;;https://example.com${ESC}\\link${ESC}]8;;${ESC}\\`,
    `${ESC}[6n${ESC}[c${ESC}[>c${ESC}[21t${ESC}]10;?\u0007${ESC}P$qm${ESC}\\${ESC}[?1000h${ESC}[?1004h${ESC}[?2004h`,
    `${ESC}[38;2;1;2;3m${ESC}[48;5;9m<b>markup</b> ${ESC}[8mhidden${ESC}[0m`,
    `\r\n[sudo] password for root: `,
  ].join('');
  const page = await harness.open(null, { terminal: hostile });
  await page.getByLabel('asks').check();
  await expect.poll(() => rows(page)).toContain('link<b>markup</b> hidden');
  await input(page).focus();
  await page.locator('.xterm-screen').click();
  await page.keyboard.type('x');
  await expect.poll(() => typed(page)).toBe('x');
  await expect(page).toHaveTitle('Flame graph and table');
  await expect(page.locator('.terminal-screen a, .terminal-screen b')).toHaveCount(0);
});

test('text can be selected without violating the page’s policy; size and colours follow the window', async ({
  harness,
}) => {
  const page = await harness.open(null, { terminal: 'one two three\r\n', theme: 'light' });
  await expect.poll(() => rows(page)).toContain('one two three');
  await page.locator('.xterm-screen').dblclick({ position: { x: 8, y: 8 } });
  await expect(page.locator('.xterm-selection > div').first()).toBeVisible();
  const wide = await page.locator('html').getAttribute('data-size');
  await page.setViewportSize({ width: 700, height: 760 });
  await expect(page.locator('html')).not.toHaveAttribute('data-size', wide!);
  await page.getByRole('button', { name: 'say it again' }).click();
  await expect.poll(() => rows(page)).toContain('one two three\none two three');
  await page.evaluate(() => {
    document.documentElement.dataset['theme'] = 'dark';
  });
  const ground = page.locator('.xterm-scrollable-element');
  await expect(ground).toHaveCSS(
    'background-color',
    await page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor),
  );
});

test('Tab enters and leaves', async ({ harness }) => {
  const page = await harness.open(null, { terminal: 'a line\r\n' });
  await page.getByLabel('asks').check();
  await page.getByRole('button', { name: 'say it again' }).focus();
  await page.keyboard.press('Tab');
  await expect(input(page)).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'after' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(input(page)).toBeFocused();
  expect(await typed(page)).toBeNull();
});
