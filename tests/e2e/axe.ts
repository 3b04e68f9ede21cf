import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright/test';
import { expect } from 'playwright/test';

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface AxeCheck {
  /** Selectors of what is checked; the whole window by default. */
  readonly within?: string | readonly string[];
  /** Selector of what is left out. */
  readonly without?: string;
  /** Checks contrast alone: enough in a second theme, because the elements are the same. */
  readonly coloursOnly?: boolean;
  /** Checks these rules instead, whatever their impact. */
  readonly rules?: readonly string[];
  /** Also fails for minor and moderate violations. */
  readonly minor?: boolean;
  /** State of the window, for the failure's message. */
  readonly state?: string;
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Violation {
  readonly id: string;
  readonly impact: axe.ImpactValue | undefined;
  /** The HTML of the elements. */
  readonly elements: readonly string[];
}

/** Loads axe once per page: compiling its 650 kB of script takes longer than many checks. */
async function findViolations(page: Page, check: AxeCheck): Promise<Violation[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(readFileSync(axeFile, 'utf8'));
  const asked = {
    include: [check.within ?? 'html'].flat(),
    exclude: [check.without ?? []].flat(),
    runOnly: [...(check.coloursOnly === true ? ['color-contrast'] : (check.rules ?? TAGS))],
  };
  return page.evaluate(async ({ include, exclude, runOnly }) => {
    const { axe: loaded } = window as Window & { readonly axe?: Pick<typeof axe, 'run'> };
    const { violations } = await loaded!.run(
      { include, exclude },
      // Skips the details of passing rules and the selectors of elements, which take axe much time.
      { runOnly, resultTypes: ['violations'], selectors: false, preload: false },
    );
    return violations.map(({ id, impact, nodes }) => ({ id, impact, elements: nodes.map(({ html }) => html) }));
  }, asked);
}

/** Checks that axe finds no violation. A failure names each rule with the elements' HTML; the test continues. */
export async function expectAccessible(page: Page, check: AxeCheck = {}): Promise<void> {
  const counted = (await findViolations(page, check)).filter(
    ({ impact }) => check.minor === true || check.rules !== undefined || impact === 'serious' || impact === 'critical',
  );
  const found = counted.map(({ id, elements }) => `${id}: ${elements.join(' | ')}`);
  expect.soft(found, check.state).toEqual([]);
}

/** Checks all rules in the light theme, and contrast in the dark one. */
export async function expectAccessibleThemes(page: Page, check: AxeCheck = {}): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    await expectAccessible(page, {
      ...check,
      coloursOnly: theme === 'dark',
      state: [check.state, theme].filter((word) => word !== undefined).join(', '),
    });
  }
}
