import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import { expect } from 'playwright/test';

interface AxeCheck {
  /** Selectors of what is checked; the whole window by default. */
  readonly within?: string | readonly string[];
  /** Selector of what is left out. */
  readonly without?: string;
  /** Checks contrast alone: enough in a second theme, because the elements are the same. */
  readonly coloursOnly?: boolean;
  /** Also fails for minor and moderate violations. */
  readonly minor?: boolean;
  /** State of the window, for the failure's message. */
  readonly state?: string;
}

/** Checks that axe finds no violation. A failure names each rule with the elements' HTML; the test continues. */
export async function expectAccessible(page: Page, check: AxeCheck = {}): Promise<void> {
  // Skips frames and the details of passing rules, both of which take axe much time.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'], preload: false }).setLegacyMode();
  for (const selector of [check.within ?? []].flat()) axe.include(selector);
  if (check.without !== undefined) axe.exclude(check.without);
  if (check.coloursOnly === true) axe.withRules(['color-contrast']);
  else axe.withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']);
  const { violations } = await axe.analyze();
  const counted = violations.filter(
    ({ impact }) => check.minor === true || impact === 'serious' || impact === 'critical',
  );
  const found = counted.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  expect.soft(found, check.state).toEqual([]);
}

/** Checks all rules in the light theme, and contrast in the dark one. `look` sees each theme. */
export async function expectAccessibleThemes(
  page: Page,
  check: AxeCheck = {},
  look: (theme: 'light' | 'dark') => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    await expectAccessible(page, {
      ...check,
      coloursOnly: theme === 'dark',
      state: [check.state, theme].filter((word) => word !== undefined).join(', '),
    });
    await look(theme);
  }
}
