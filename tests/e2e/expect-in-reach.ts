import type { Page } from 'playwright/test';
import { expect } from './workbench.ts';

/** A window of 1,024 px, and 200 % zoom of 1,440 × 900 and of 1,280 × 800. */
export const SMALL = [
  { width: 1024, height: 700 },
  { width: 720, height: 450 },
  { width: 640, height: 400 },
];

/**
 * Checks in each small window that everything is reachable and that the page does not scroll sideways. Restores
 * the window's size.
 */
export async function expectInReach(page: Page, state: string): Promise<void> {
  const large = page.viewportSize()!;
  for (const size of SMALL) {
    await page.setViewportSize(size);
    const at = `${state} at ${size.width} × ${size.height}`;
    // Layout that depends on the window's size changes in the next frame.
    await expect
      .configure({ soft: true })
      .poll(() => page.evaluate(controlsOutOfReach), { message: at })
      .toEqual([]);
    expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), at).toBe(size.width);
  }
  await page.setViewportSize(large);
}

/** Returns controls that cannot be clicked: outside the window, cut off without scrolling, or covered. */
function controlsOutOfReach(): string[] {
  const faults: string[] = [];
  const opened = document.querySelector('.popover, .menu') ?? document.querySelector('dialog[open]');
  if (opened !== null) {
    const { left, right, top, bottom } = opened.getBoundingClientRect();
    const isInside = left >= 0 && top >= 0 && right <= window.innerWidth && bottom <= window.innerHeight;
    if (!isInside) faults.push(`${opened.className} is partly outside of the window`);
  }
  const selector = 'button, select, input:not([type=radio], .sr-only), a[href], [role=tab], .segments label';
  for (const control of (opened ?? document.body).querySelectorAll<HTMLElement>(selector)) {
    if (!control.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true })) continue;
    // Rows of virtual lists are created and removed.
    if (control.closest('tbody, [role=listbox], [role=tree], [inert]') !== null) continue;
    const name = control.getAttribute('aria-label') ?? control.textContent ?? control.tagName;
    control.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    for (let up = control.parentElement; up !== null; up = up.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(up);
      if ((overflowX === 'hidden' && up.scrollLeft > 0) || (overflowY === 'hidden' && up.scrollTop > 0)) {
        faults.push(`${name} is cut off in ${up.className}`);
        up.scrollTo(0, 0);
      }
    }
    const { left, right, top: above, bottom } = control.getBoundingClientRect();
    const at = document.elementFromPoint((left + right) / 2, (above + bottom) / 2);
    if (at === null || !(control.contains(at) || at.contains(control))) {
      faults.push(`${name} is under ${at === null ? 'the edge of the window' : at.className}`);
    }
  }
  return faults;
}
