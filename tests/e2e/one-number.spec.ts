import type { Locator, Page } from 'playwright/test';
import { expect, test } from './workbench.ts';

/** Returns the texts of a row's cells by column; those of weights are exact, as their tooltip has them. */
async function cells(table: Locator, row: Locator): Promise<Record<string, string>> {
  await expect(row).toBeVisible();
  const heads = await table.getByRole('columnheader').allInnerTexts();
  const texts = await row
    .getByRole('gridcell')
    .evaluateAll((all) => all.map((cell) => [cell.textContent, cell.getAttribute('title')] as const));
  const read = (place: number): string => {
    const [text, exact] = texts[place]!;
    return /%|^\S+$/.test(text.trim()) ? text : (exact ?? text);
  };
  return Object.fromEntries(heads.map((head, place) => [head.replace(/[▾▴\s]+$/, ''), read(place)]));
}

/** Returns the texts of a list of facts, by name. */
async function facts(list: Locator): Promise<Record<string, string>> {
  const [names, texts] = await Promise.all([list.locator('dt').allInnerTexts(), list.locator('dd').allInnerTexts()]);
  return Object.fromEntries(names.map((name, place) => [name, texts[place]!]));
}

const showPage = (page: Page, name: string): Promise<void> =>
  page.getByRole('group', { name: 'Page of the details pane' }).getByText(name, { exact: true }).click();

test('one number in all places, of a profile and of a comparison', async ({ workbench, page }) => {
  await test.step('a function has the same weight in summary, table, details and tooltip, or its name says what differs', async () => {
    await workbench.openRun();
    const { details, table } = workbench;
    const line = details.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^match_route/ }) });
    const summed = line.locator('.dim');
    // Half of Wilson’s interval of 18.5 % of this run’s samples, of which each weighs the same.
    await expect(summed).toHaveText('18.5 % ± 2.1 pp');
    await expect(summed).toHaveAttribute('title', '505 ms');
    const row = table.getByRole('row', { name: /^match_route/ });
    expect(await cells(table, row)).toMatchObject({
      Self: '505 ms',
      'Self %': '18.5 %',
      Total: '509 ms',
      'Total %': '18.6 %',
    });
    await row.click();
    await expect(details).toContainText('Heaviest stack');
    expect(await facts(details.locator('.details-facts'))).toMatchObject({
      self: '505 ms · 18.5 % ± 2.1 pp',
      total: '509 ms · 18.6 % ± 2.1 pp',
    });

    // A frame is one call path of several; both places that weigh it say so.
    const tip = page.locator('.flame-tooltip');
    await workbench.pointAt(workbench.frame('match_route'), tip);
    await expect(tip).toContainText('in this call path');
    const ofFrame = await facts(tip);
    expect(ofFrame).toMatchObject({ self: '461 ms · 16.9 % ± 2.0 pp', total: '465 ms · 17.0 % ± 2.0 pp' });
    await workbench.clickFrame('match_route');
    await expect(details.locator('.details-facts')).toContainText('self in this call path');
    expect(await facts(details.locator('.details-facts'))).toMatchObject({
      self: '505 ms · 18.5 % ± 2.1 pp',
      total: '509 ms · 18.6 % ± 2.1 pp',
      'self in this call path': ofFrame['self'],
      'total in this call path': ofFrame['total'],
    });
    await expect(details.getByRole('listitem').filter({ hasText: 'match_route' })).toHaveText(['match_route17.0 %']);
  });

  await test.step('a comparison says the same change of a function in movers, table, details and tooltip', async () => {
    await workbench.compareRuns();
    const { details } = workbench;
    const table = page.getByRole('grid', { name: /^Functions before and after/ });
    const self = '-80.8 ms';
    await expect(details.getByRole('listitem').filter({ hasText: 'match_route' })).toContainText(
      `self 80.8 ms per second before, 0 after (${self} ± 11.1 ms`,
    );
    const row = table.getByRole('row', { name: /^match_route/ });
    expect(await cells(table, row)).toMatchObject({ 'Δ self': `${self} per second`, 'Δ total': '-81.2 ms per second' });
    await row.click();
    await showPage(page, 'Details');
    const change = details.locator('.function-change');
    await expect(change).toContainText(`self 80.8 ms per second before, 0 after (${self} ± 11.1 ms`);
    await expect(change).toContainText('total 81.2 ms per second before, 0 after (-81.2 ms');

    // The function is in two call paths; both places that weigh one say so, with the same numbers.
    const tip = page.locator('.flame-tooltip');
    const frame = workbench.graph
      .first()
      .getByText(/match_route/)
      .first();
    await workbench.pointAt(frame, tip);
    await expect(tip).toContainText('in this call path');
    await expect(tip.locator('.verdict')).not.toContainText('…');
    const ofFrame = await tip.locator('.delta-facts').innerText();
    await workbench.clickFrame(frame);
    await expect(details).toContainText('This call path');
    expect(await details.locator('.delta-facts').innerText()).toBe(ofFrame);
  });
});
