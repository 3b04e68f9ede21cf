import { expectAccessible } from './axe.ts';
import { hasCorpus, readCorpus } from '../support/corpus.ts';
import { expect, test } from './workbench.ts';

test('threads: selected by name or process, and thousands of them', async ({ workbench, page }) => {
  if (hasCorpus()) {
    await test.step('selects threads by name, by process, or all but one, from a row’s menu and from the picker', async () => {
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

  await test.step('thousands of threads have bars, and only what is in view is on the page', async () => {
    const text = Array.from(
      { length: 4100 },
      (_, thread) => `worker 7/${10 + thread} ${thread}.000000: ${1e6 + thread} cpu-clock:\n\t1 main (/srv)\n`,
    );
    await workbench.openText('threads.txt', `${text.join('\n')}\n`);
    await workbench.runCommand('row for each thread');
    await expect(page.getByText('4,096 threads; 4 lighter threads are not drawn')).toBeVisible();
    const rows = page.getByRole('listbox', { name: 'Threads over time' });
    await expect(rows.getByRole('option').first()).toContainText('4109');
    expect(await rows.getByRole('option').count()).toBeLessThan(50);
    await rows.press('End');
    const last = rows.getByRole('option').last();
    await expect(last).toContainText(/worker\s*14/);
    // The only sample of this thread is the fifth of 4,100.
    await last.locator('.time-thread-bars').hover({ position: { x: 1, y: 8 } });
    await expect(page.locator('.time-tip')).toContainText(/samples\s*1\s*weight\s*1 ms/);

    await page.getByRole('button', { name: /^thread/ }).click();
    const list = page.getByRole('listbox', { name: 'Threads', exact: true });
    await expect(list.getByRole('option').first()).toHaveText(/all 4,100 threads/);
    expect(await list.getByRole('option').count()).toBeLessThan(50);
    await page.keyboard.press('Escape');
    await workbench.numbersAgree();
  });
});
