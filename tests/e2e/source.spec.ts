import path from 'node:path';
import { expectAccessibleThemes } from './axe.ts';
import type { Page } from 'playwright/test';
import { HOT_SOURCE, compileHot } from '../support/hot-program.ts';
import { runCli } from '../support/run-cli.ts';
import { expect, test } from './workbench.ts';
import type { Workbench } from './workbench.ts';

/** 10 samples: `mix` on lines 7 (60 %) and 9 (30 %), its caller alone (10 %). */
function linedScript(file: string): string {
  const sample = (...frames: [name: string, line: number][]): string =>
    [
      'app 7/7 [000] 1.000000000: 1000000 cpu-clock:',
      ...frames.flatMap(([name, line], index) => [`\t${index + 1} ${name} (/srv/app)`, `  ${file}:${line}`]),
      '',
      '',
    ].join('\n');
  return [
    sample(['mix', 7], ['outer', 15]).repeat(6),
    sample(['mix', 9], ['outer', 15]).repeat(3),
    sample(['outer', 14]),
  ].join('');
}

async function pick(workbench: Workbench, name: string): Promise<void> {
  await workbench.table.getByRole('row').filter({ hasText: name }).first().click();
}

async function inBothThemes(page: Page, name: string): Promise<void> {
  await expectAccessibleThemes(page, { within: '.side-panel', state: name });
}

test('source: lines, consent, a file that is not source code', async ({ workbench, page }) => {
  await test.step('source lines: weights immediately, text by consent, for the selection', async () => {
    const file = workbench.writeFile('hot.c', HOT_SOURCE);
    await workbench.openText('lined.perf.txt', linedScript(file));
    await workbench.chooseRadio('Source');
    const panel = workbench.details;
    await expect(panel).toContainText('Select a frame');
    await pick(workbench, 'mix');
    const lines = panel.getByRole('listbox', { name: 'Source lines' });
    await expect(lines.getByRole('option')).toHaveCount(2);
    await expect(lines.getByRole('option').nth(0)).toHaveAccessibleName(/^hottest self 66\.7 % total 66\.7 % line 7/);
    await expect(panel).toContainText('captures of the library');

    await page.getByRole('button', { name: 'Keep' }).click();
    await expect(panel).toContainText(`${file} has not been read`);
    await panel.getByRole('button', { name: 'Show source of this capture' }).click();
    await expect(panel).toContainText('may be another version of the file');
    const hottest = lines.getByRole('option', { name: /^hottest/ });
    await expect(hottest).toContainText('value ^= value << 13;');
    await expect(hottest).toHaveAttribute('aria-selected', 'true');
    await inBothThemes(page, 'lines');

    await lines.focus();
    await page.keyboard.press('ArrowDown');
    await expect(lines.getByRole('option', { selected: true })).toContainText('value ^= value >> 17;');
    await page.keyboard.press('End');
    await expect(lines.getByRole('option', { selected: true })).toHaveAccessibleName(/line 23$/);
    await panel.getByRole('button', { name: 'Hottest' }).click();
    await expect(hottest).toHaveAttribute('aria-selected', 'true');

    await pick(workbench, 'outer');
    await expect(hottest).toContainText('return mix(seed, 10000) + 1;');
    await expect(hottest).toHaveAccessibleName(/^hottest total 90\.0 % line 15/);

    await panel.getByText('Instructions', { exact: true }).click();
    await expect(panel).toContainText('the capture has no perf.data');
  });

  await test.step('shows nothing of a file that is not source code', async () => {
    await workbench.openText('hostile.perf.txt', linedScript('/etc/shadow'));
    await workbench.chooseRadio('Source');
    await page.getByRole('button', { name: 'Keep' }).click();
    await pick(workbench, 'mix');
    await workbench.details.getByRole('button', { name: 'Show source of this capture' }).click();
    await expect(workbench.details).toContainText('/etc/shadow does not have a source file’s name');
    await expect(workbench.details).not.toContainText('root:');
  });
});

test('resolves lines of a recording on request, and views stay', async ({ workbench, page }) => {
  const { program, source } = compileHot(path.join(workbench.folder, 'program'));
  const library = path.join(workbench.folder, 'library');
  const options = ['--library', library, '--rate', '997', '--event', 'cpu-clock', '--name', 'hot lines'];
  // Recorded with another configuration, so that it counts as a capture from elsewhere.
  const env = { FLAMEBENCH_CONFIG: path.join(workbench.folder, 'of-another') };
  expect(await runCli(['record', 'perf', ...options, '--', program, '8000'], { env })).toMatchObject({ code: 0 });
  await workbench.library.getByRole('button', { name: /^hot lines/ }).click();
  await workbench.chooseRadio('Source');
  await workbench.chooseRadio('Flame');
  await pick(workbench, 'mix');
  const panel = workbench.details;
  await panel.getByRole('button', { name: 'Resolve source lines…' }).click();
  await expect(panel).toContainText('was not recorded by this Flamebench');
  await inBothThemes(page, 'trust');
  await panel.getByRole('button', { name: 'Trust this capture' }).click();
  await expect(panel.locator('pre')).toContainText(`-a -f -i -e ${program}`);
  await inBothThemes(page, 'look-up');

  await panel.getByRole('button', { name: 'Resolve', exact: true }).click();
  await expect(page.getByRole('radio', { name: 'Flame', exact: true })).toBeChecked();
  // Trusting the capture also allows its source text.
  await expect(panel).not.toContainText(`${source} has not been read`);
  const hottest = panel.getByRole('listbox', { name: 'Source lines' }).getByRole('option', { name: /^hottest/ });
  await expect(hottest).toContainText(/value \^= value|rounds; i\+\+/);
});

test('shows instructions of a recording, by the command that is shown', async ({ workbench, page }) => {
  const { program } = compileHot(path.join(workbench.folder, 'program'));
  const library = path.join(workbench.folder, 'library');
  const options = ['--library', library, '--rate', '997', '--event', 'cpu-clock', '--name', 'hot program'];
  const env = { FLAMEBENCH_CONFIG: path.join(workbench.folder, 'config') };
  expect(await runCli(['record', 'perf', ...options, '--', program, '8000'], { env })).toMatchObject({ code: 0 });
  await workbench.library.getByRole('button', { name: /^hot program/ }).click();
  await workbench.chooseRadio('Source');
  await pick(workbench, 'mix');
  const panel = workbench.details;
  await expect(panel).toContainText('has no source lines');
  await panel.getByRole('button', { name: 'Show instructions' }).click();
  await expect(panel.locator('pre')).toContainText('--symbol=mix');
  await inBothThemes(page, 'command');

  await panel.getByRole('button', { name: 'Run', exact: true }).click();
  const code = panel.getByRole('listbox', { name: 'Instructions' });
  const hottest = code.getByRole('option', { name: /^hottest/ });
  await expect(hottest).toBeVisible();
  await expect(hottest).toHaveAttribute('title', / ms · .* %/);
  await expect(panel).toContainText(/whole recording: .* samples/);
  await expect(code).toContainText('value ^= value << 13;');
  await inBothThemes(page, 'code');

  const jump = code.getByRole('option', { name: / j\w+ [0-9a-f]+ <mix/ }).last();
  await jump.dblclick();
  await expect(jump).toHaveAttribute('aria-selected', 'false');

  await pick(workbench, 'main');
  await expect(panel).toContainText(/it has no self samples|whole recording/);
  await expect(panel.getByRole('button', { name: 'Run', exact: true })).toBeHidden();
});
