import { expect } from 'playwright/test';
import type { Page } from 'playwright/test';
import { perfScript } from './inputs.ts';
import type { Workbench } from './workbench.ts';

/** A typical state of the window. */
export interface WindowState {
  readonly name: string;
  /** Leads from the previous state of its journey to this one. */
  readonly show: (workbench: Workbench) => Promise<void>;
  /** Selector of the part that differs from the previous state; absent means the whole window. */
  readonly part?: string;
}

const chooseTime = (page: Page, name: 'Strip' | 'Threads' | 'Heat map'): Promise<void> =>
  page.getByRole('group', { name: 'How time is drawn' }).getByText(name, { exact: true }).click();

const openPage = (page: Page, name: string): Promise<void> => page.getByRole('tab', { name, exact: true }).click();

/** Selects in the table, because clicking a frame would zoom. */
async function pick(workbench: Workbench, name: string): Promise<void> {
  const filter = workbench.page.getByRole('textbox', { name: 'Filter functions' });
  await filter.fill(name);
  const row = workbench.table.getByRole('row').filter({ has: workbench.page.getByText(name, { exact: true }) });
  await row.click();
  await expect(workbench.details.getByRole('heading', { name })).toBeVisible();
  await filter.fill('');
}

/** The states of a Go service with seven threads, the bundled sample. */
const reading: readonly WindowState[] = [
  {
    name: 'empty-library',
    show: ({ status }) => expect(status).toContainText('engine ready'),
  },
  {
    name: 'flame-graph',
    show: async (workbench) => {
      await workbench.library.getByRole('button', { name: /^catalog-service/ }).click();
      await pick(workbench, 'main.handleSearch');
      await expect(workbench.details).toContainText('Heaviest stack');
    },
  },
  {
    name: 'threads',
    part: '.time-pane',
    show: async ({ page }) => {
      await chooseTime(page, 'Threads');
      await expect(page.getByRole('listbox', { name: 'Threads over time' }).getByRole('option').first()).toBeVisible();
      await expect(page.getByRole('list', { name: 'Kinds of code' })).toBeVisible();
    },
  },
  {
    name: 'heat-map',
    part: '.time-pane',
    show: async ({ page }) => {
      await chooseTime(page, 'Heat map');
      await expect(page.getByRole('grid', { name: /^Heat map/ })).toBeVisible();
    },
  },
  {
    name: 'time-order',
    show: async (workbench) => {
      await chooseTime(workbench.page, 'Strip');
      await workbench.chooseRadio('In time');
      await expect(workbench.page.getByRole('tree', { name: /in order of time/ })).toBeVisible();
      await workbench.drawn();
    },
  },
  {
    name: 'sandwich',
    show: async (workbench) => {
      await workbench.chooseRadio('Sandwich');
      await expect(workbench.graph).toHaveCount(2);
    },
  },
  {
    name: 'bottom-up',
    show: async (workbench) => {
      await workbench.chooseRadio('Bottom-up');
      await expect(workbench.graph).toHaveCount(1);
    },
  },
];

const tables: readonly WindowState[] = [
  {
    name: 'call-tree',
    part: '.table-pane',
    show: async (workbench) => {
      const { page } = workbench;
      await workbench.library.getByRole('button', { name: /^catalog-service/ }).click();
      await openPage(page, 'Call tree');
      await page.getByRole('treegrid').press('Home');
      await page.keyboard.press('Shift+ArrowRight');
      await expect(page.locator('.data-table tr[aria-selected=true] .hot')).toBeVisible();
    },
  },
  {
    name: 'callers-callees',
    part: '.table-pane',
    show: async (workbench) => {
      const { page } = workbench;
      await openPage(page, 'Functions');
      await pick(workbench, 'main.handleSearch');
      await openPage(page, 'Callers & callees');
      await expect(page.getByRole('grid', { name: 'Callees' }).getByRole('row').nth(1)).toBeVisible();
    },
  },
  {
    name: 'transform-dialog',
    part: 'dialog',
    show: async (workbench) => {
      const { page } = workbench;
      await openPage(page, 'Functions');
      await workbench.table.getByRole('row', { selected: true }).click({ button: 'right' });
      await page.getByRole('menuitem', { name: /^Focus on this function/ }).click();
      await page.getByRole('button', { name: 'Transform…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add transform' });
      await dialog.getByText('Merge', { exact: true }).click();
      await dialog.getByText('Regex', { exact: true }).click();
      await dialog.getByRole('textbox').first().fill('^runtime\\.');
      await expect(dialog.locator('.preview')).toContainText('Finds');
    },
  },
  {
    name: 'transforms',
    show: async ({ page }) => {
      const dialog = page.getByRole('dialog', { name: 'Add transform' });
      await dialog.getByRole('button', { name: 'Add' }).click();
      await expect(page.getByRole('list', { name: 'Applied to this view' }).locator('[data-chip]')).toHaveCount(2);
      await page.getByRole('searchbox', { name: 'Search functions by regular expression' }).fill('json');
      await expect(page.locator('.search-result').first()).toContainText('%');
    },
  },
  {
    name: 'settings',
    part: 'dialog',
    show: async ({ page }) => {
      await page.keyboard.press('Control+,');
      await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
    },
  },
  {
    name: 'keys',
    part: 'dialog',
    show: async ({ page }) => {
      await page.keyboard.press('Escape');
      await page.keyboard.press('F1');
      await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
    },
  },
];

/** 10 samples in 10 ms: `parse` on lines 4 (60 %) and 6 (30 %), its caller alone (10 %). */
function linedScript(): string {
  const frame = (name: string, line: number): string => `\t1 ${name}+0x1 (/srv/app)\n  /srv/src/app.c:${line}\n`;
  const stack = (at: number): string => {
    if (at === 9) return frame('serve', 14);
    return frame('parse', at < 6 ? 4 : 6) + frame('serve', 15);
  };
  const samples = Array.from(
    { length: 10 },
    (_, at) => `app 7/7 [000] 1.00${at}000: 1000000 cpu-clock:\n${stack(at)}\n`,
  );
  return samples.join('');
}

const panes: readonly WindowState[] = [
  {
    name: 'source',
    show: async (workbench) => {
      await workbench.openText('lined.perf.txt', linedScript());
      await workbench.chooseRadio('Source');
      await workbench.table.getByRole('row', { name: /^parse/ }).click();
      const lines = workbench.details.getByRole('listbox', { name: 'Source lines' });
      await expect(lines.getByRole('option')).toHaveCount(2);
    },
  },
  {
    name: 'views',
    show: async (workbench) => {
      const { page } = workbench;
      await workbench.openText('server.perf.txt', perfScript());
      await workbench.chooseRadio('Details');
      await page.getByRole('button', { name: 'Split view' }).click();
      await page.getByRole('menuitem', { name: 'page-faults, count' }).click();
      await expect(workbench.graph).toHaveCount(2);
      await workbench.table.getByRole('row', { name: /^main/ }).click();
    },
  },
];

/** The bundled page-server's five runs before and after. */
const comparing: readonly WindowState[] = [
  {
    name: 'compare',
    show: async (workbench) => {
      const { page } = workbench;
      await workbench.openRun();
      await workbench.compareRuns();
      const cell = page.getByRole('gridcell', { name: 'match_route', exact: true });
      await cell.click();
      await expect(page.getByText('not in after: match_route')).toBeVisible();
    },
  },
  {
    name: 'compare-delta',
    part: '.compare-graphs',
    show: async (workbench) => {
      await workbench.chooseRadio('Delta graph');
      await expect(workbench.graph).toHaveCount(1);
      await expect(workbench.graph.getByText('match_route · only before')).toBeVisible();
    },
  },
];

/** Each journey starts in a window whose samples are closed. */
export const JOURNEYS = { reading, tables, panes, comparing } as const;
