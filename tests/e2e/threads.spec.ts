import { expectAccessible } from './axe.ts';
import { hasCorpus, readCorpus } from '../support/corpus.ts';
import { expect, test } from './workbench.ts';

if (hasCorpus()) {
  test('selects threads by name, by process, or all but one, from a row’s menu and from the picker', async ({
    workbench,
    page,
  }) => {
    await workbench.open(workbench.writeFile('iperf.txt', readCorpus('perf-script/perf-iperf-stacks-pidtid-01.txt')));
    await expect(workbench.graph).toBeVisible();
    await workbench.runCommand('row for each thread');
    const rows = page.getByRole('listbox', { name: 'Threads over time' });
    await expect(rows.getByRole('option').first()).toBeVisible();
    const picker = page.getByRole('button', { name: /^thread/ });
    await rows
      .getByRole('option')
      .first()
      .click({ button: 'right', position: { x: 20, y: 8 } });
    const item = (name: string | RegExp) => page.getByRole('menuitem', { name });
    await expect(item('Only this thread')).toBeFocused();
    await page.screenshot({ path: 'artefacts/thread-menu.png' });
    await expectAccessible(page, { within: '.menu', minor: true });
    await item('All but this thread').click();
    await expect(picker).toHaveText(/10 of 11/);
    await workbench.numbersAgree();

    await rows.press('ContextMenu');
    await item('Invert selection').click();
    await expect(picker).toHaveText(/iperf/);

    await picker.click();
    await page.getByRole('searchbox', { name: 'Search threads by name, PID or TID' }).fill('iperf');
    await page.getByRole('button', { name: /^Choose all \d found$/ }).click();
    await expect(picker).toHaveText(/\d of 11/);
    await workbench.numbersAgree();
    await page.keyboard.press('Control+z');
    await expect(picker).toHaveText(/iperf/);
  });
}
