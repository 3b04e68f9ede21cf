import type { Locator, Page } from 'playwright/test';
import type { Workbench } from '../e2e/workbench.ts';
import type { Random } from './random.ts';

export interface Stage {
  readonly page: Page;
  readonly workbench: Workbench;
  readonly random: Random;
  /** Captures to open. */
  readonly files: readonly string[];
}

/** An action of a user. Resolves with a short description, or with null if it is impossible now. */
export interface Action {
  readonly name: string;
  /** Relative frequency. */
  readonly weight: number;
  run(stage: Stage): Promise<string | null>;
}

/** Maximum number of tabs; more would slow the window without improving the test. */
const MAX_TABS = 4;
/** Timeout of a click in ms; targets that are covered or move away are skipped. */
const CLICK_MS = 2000;

/** Names of controls that would record, leave the page, or ask the system for something. */
const LEFT_ALONE = /^(?:start\b|record|open a file|choose|reload|stop\b|new terminal)/i;

const PATTERNS = ['', 'main', 'a', 'read|write', '^\\[', '[a-z]+_[a-z]+', '(', 'std::', '\\bGC\\b', 'x{2,}'];
const KEYS = [
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'Enter',
  'Escape',
  'Backspace',
  'Home',
  'End',
  'PageUp',
  'PageDown',
  'n',
  'Shift+N',
  'i',
  'c',
  '/',
  '?',
  'Control+z',
  'Control+Shift+z',
  'F6',
  'Tab',
];

/** All actions of the soak. Add an action for a new part of the window if the general ones do not reach it. */
export const actions: readonly Action[] = [
  { name: 'open', weight: 2, run: openFile },
  { name: 'close', weight: 2, run: closeTab },
  { name: 'switch', weight: 2, run: (stage) => clickOne(stage, openTabs(stage.page).getByRole('tab')) },
  { name: 'zoom', weight: 6, run: (stage) => clickFrame(stage, 'left') },
  { name: 'frame menu', weight: 4, run: frameMenu },
  { name: 'wheel', weight: 3, run: wheel },
  { name: 'pan', weight: 3, run: (stage) => dragIn(stage, stage.page.locator('.flame-scroller'), 'pan') },
  { name: 'minimap', weight: 1, run: (stage) => dragIn(stage, stage.page.locator('.flame-map'), 'minimap') },
  { name: 'range', weight: 3, run: (stage) => dragIn(stage, stage.page.locator('.time-track'), 'range') },
  { name: 'search', weight: 3, run: search },
  {
    name: 'table row',
    weight: 3,
    run: (stage) => clickOne(stage, stage.page.locator('[role=grid], [role=treegrid]').getByRole('row')),
  },
  { name: 'sort', weight: 2, run: (stage) => clickOne(stage, stage.page.getByRole('columnheader')) },
  { name: 'select', weight: 2, run: chooseOption },
  { name: 'control', weight: 10, run: clickControl },
  { name: 'menu item', weight: 6, run: (stage) => clickOne(stage, stage.page.getByRole('menuitem')) },
  { name: 'command', weight: 8, run: runCommand },
  { name: 'key', weight: 8, run: pressKey },
  { name: 'splitter', weight: 1, run: (stage) => dragIn(stage, stage.page.getByRole('separator'), 'splitter') },
];

/** The tabs of open profiles; panes have their own tabs. */
export const openTabs = (page: Page): Locator => page.getByRole('tablist', { name: 'Open profiles' });

async function openFile({ workbench, page, random, files }: Stage): Promise<string | null> {
  const tabs = await openTabs(page).getByRole('tab').count();
  if (tabs >= MAX_TABS) return null;
  const file = random.pick(files);
  await closeOverlays(page);
  await workbench.open(file);
  await settled(page);
  return file;
}

async function closeTab({ page, random }: Stage): Promise<string | null> {
  const tabs = openTabs(page).getByRole('tab');
  if ((await tabs.count()) < 2) return null;
  const tab = tabs.nth(random.below(await tabs.count()));
  const name = await tab.textContent();
  await tab.press('Delete');
  return name;
}

async function clickFrame({ page, random }: Stage, button: 'left' | 'right'): Promise<string | null> {
  const frames = page.locator('.flame-chart g.frame');
  const count = await frames.count();
  if (count === 0) return null;
  const frame = frames.nth(random.below(count));
  const box = await frame.boundingBox();
  if (box === null) return null;
  await page.mouse.click(box.x + box.width * random.share(), box.y + box.height / 2, { button });
  return `at ${Math.round(box.x)}, ${Math.round(box.y)}`;
}

/** If an item opens a dialog, the general actions will use it. */
async function frameMenu(stage: Stage): Promise<string | null> {
  if ((await clickFrame(stage, 'right')) === null) return null;
  return clickOne(stage, stage.page.getByRole('menuitem'));
}

async function wheel({ page, random }: Stage): Promise<string | null> {
  const box = await page
    .locator('.flame-scroller')
    .first()
    .boundingBox({ timeout: CLICK_MS })
    .catch(() => null);
  if (box === null) return null;
  await page.mouse.move(box.x + box.width * random.share(), box.y + box.height * random.share());
  const zooms = random.chance(0.7);
  if (zooms) await page.keyboard.down('Control');
  const step = random.pick([-60, -20, 20, 60]);
  for (let turn = 0; turn < 5; turn++) await page.mouse.wheel(0, step);
  if (zooms) await page.keyboard.up('Control');
  return `${zooms ? 'zoom' : 'scroll'} ${step}`;
}

async function dragIn({ page, random }: Stage, places: Locator, what: string): Promise<string | null> {
  const count = await places.count();
  if (count === 0) return null;
  const box = await places.nth(random.below(count)).boundingBox();
  if (box === null) return null;
  const point = (): [number, number] => [box.x + box.width * random.share(), box.y + box.height * random.share()];
  await page.mouse.move(...point());
  await page.mouse.down();
  await page.mouse.move(...point(), { steps: 4 });
  await page.mouse.up();
  return what;
}

async function search({ page, random }: Stage): Promise<string | null> {
  const fields = page.getByRole('searchbox');
  const count = await fields.count();
  if (count === 0) return null;
  const pattern = random.pick(PATTERNS);
  const field = fields.nth(random.below(count));
  if (
    !(await field.fill(pattern, { timeout: CLICK_MS }).then(
      () => true,
      () => false,
    ))
  )
    return null;
  return pattern;
}

async function chooseOption({ page, random }: Stage): Promise<string | null> {
  const boxes = page.locator('select:visible');
  const count = await boxes.count();
  if (count === 0) return null;
  const box = boxes.nth(random.below(count));
  // Most inputs refuse a format chosen by hand, with a message that is not an error of the window.
  const chooses = (await box.textContent({ timeout: CLICK_MS }).catch(() => null)) ?? 'Folded stacks';
  if (chooses.includes('Folded stacks')) return null;
  const options = await box.locator('option:not([disabled])').count();
  if (options === 0) return null;
  const index = random.below(options);
  if (
    !(await box.selectOption({ index }, { timeout: CLICK_MS }).then(
      () => true,
      () => false,
    ))
  )
    return null;
  return `${chooses.slice(0, 40)}… ${index}`;
}

async function clickControl(stage: Stage): Promise<string | null> {
  const kinds = ['button', 'radio', 'checkbox', 'switch', 'tab', 'treeitem'] as const;
  return clickOne(stage, stage.page.getByRole(stage.random.pick(kinds)));
}

/** Clicks a visible and harmless candidate. */
async function clickOne({ page, random }: Stage, candidates: Locator): Promise<string | null> {
  const visible = candidates.and(page.locator(':visible:not([disabled]):not([aria-disabled=true])'));
  const count = await visible.count();
  if (count === 0) return null;
  const one = visible.nth(random.below(count));
  const name = await one
    .evaluate((element) => (element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 80), null, {
      timeout: CLICK_MS,
    })
    .catch(() => null);
  if (name === null || LEFT_ALONE.test(name)) return null;
  return one.click({ timeout: CLICK_MS }).then(
    () => name,
    () => null,
  );
}

async function runCommand({ page, random }: Stage): Promise<string | null> {
  await page.keyboard.press('Control+k');
  const options = page.getByRole('dialog').getByRole('option');
  const shown = await options
    .first()
    .waitFor({ timeout: CLICK_MS })
    .then(
      () => true,
      () => false,
    );
  if (!shown) return null;
  const option = options.nth(random.below(await options.count()));
  const name = (await option.textContent()) ?? '';
  if (LEFT_ALONE.test(name)) {
    await page.keyboard.press('Escape');
    return null;
  }
  await option.click({ timeout: CLICK_MS }).catch(() => page.keyboard.press('Escape'));
  return name;
}

async function pressKey({ page, random }: Stage): Promise<string | null> {
  if (random.chance(0.5))
    await page
      .locator('.flame-scroller')
      .first()
      .focus({ timeout: CLICK_MS })
      .catch(() => null);
  // In a select element, keys choose an option; formats are skipped, see `chooseOption`.
  if (await page.evaluate(() => document.activeElement?.tagName === 'SELECT')) return null;
  const key = random.pick(KEYS);
  for (let times = random.below(3); times >= 0; times--) await page.keyboard.press(key);
  return key;
}

/** Waits until nothing is being read or analysed. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () => document.querySelector('.loading-view, .analysing, .part-loading, [aria-busy=true]') === null,
    null,
    {
      timeout: 60_000,
    },
  );
}

/** Closes dialogs, menus and messages. */
export async function closeOverlays(page: Page): Promise<void> {
  const overlays = page.locator('dialog[open], [role=menu], .popover');
  for (let tries = 0; tries < 6 && (await overlays.count()) > 0; tries++) await page.keyboard.press('Escape');
  const messages = page.getByRole('button', { name: 'Close this message' });
  for (let left = await messages.count(); left > 0; left--) {
    await messages
      .first()
      .click({ timeout: 2000 })
      .catch(() => null);
  }
}
