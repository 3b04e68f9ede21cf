/** Parts of the window in the order in which they are read. Those of a profile are looked for in the pane that has the focus. */
const REGIONS: readonly { readonly name: string; readonly selector: string; readonly inPane: boolean }[] = [
  { name: 'library', selector: '.sidebar', inPane: false },
  { name: 'tabs', selector: '[role=tablist]', inPane: true },
  { name: 'toolbar', selector: '.toolbar', inPane: true },
  { name: 'time', selector: '.time-pane', inPane: true },
  { name: 'graph', selector: '.flame-scroller', inPane: true },
  { name: 'table', selector: '[role=grid]:not(.time-grid), [role=treegrid]', inPane: true },
  { name: 'details', selector: '[aria-label=Details]', inPane: true },
  { name: 'terminal', selector: '.terminal-screen', inPane: false },
  { name: 'status', selector: '.status-bar', inPane: false },
];

/** The view that has the focus, of those side by side. */
const ACTIVE_VIEW = '.view-pane.active';

const FOCUSABLE =
  '[tabindex="0"], button:not([tabindex="-1"]):not(:disabled), input:not([tabindex="-1"]):not(:disabled), select:not(:disabled)';

/** Moves the focus to a part of the window by its name, or to the next or previous one that is there. */
export function focusRegion(to: string | 1 | -1): void {
  const present = REGIONS.flatMap((region) => {
    const element = find(region);
    return element === null ? [] : [{ ...region, element }];
  });
  if (typeof to === 'string') {
    focusIn(present.find(({ name }) => name === to)?.element);
    return;
  }
  const at = present.findLastIndex(({ element }) => element.contains(document.activeElement));
  const start = at < 0 ? (to > 0 ? -1 : 0) : at;
  for (let step = 1; step <= present.length; step++) {
    const index = (start + to * step + present.length * 2) % present.length;
    if (focusIn(present[index]?.element)) return;
  }
}

/** After something went that had the focus: to the tab in front, where the keyboard can go on. */
export function rescueFocus(): void {
  requestAnimationFrame(() => {
    const lost = document.activeElement === null || document.activeElement === document.body;
    if (lost) focusRegion('tabs');
  });
}

/** After another page of the details was chosen: source has a pane of its own, which then has the choice that had the focus. */
export function rescueDetailsFocus(): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    pane()?.querySelector<HTMLElement>('.side-panel-head input:checked')?.focus();
  });
}

export function focusGraph(): void {
  focusRegion('graph');
}

/** The graph that the keys act on, which gets the focus; null: there is none. */
export function graphInFront(): Element | null {
  focusGraph();
  return document.activeElement?.matches('.flame-scroller') === true ? document.activeElement : null;
}

/** Into the field that searches functions; what is there is selected, to be written over. */
export function focusSearch(): void {
  pane()?.querySelector<HTMLInputElement>('.search-box input')?.select();
}

/** Presses a control of the pane that has the focus, as a click does; nothing where it is not there. */
export function pressControl(selector: string): void {
  pane()?.querySelector<HTMLElement>(selector)?.click();
}

/** To a control of the pane that has the focus, else of the window. */
export function focusControl(selector: string): void {
  (pane()?.querySelector<HTMLElement>(selector) ?? document.querySelector<HTMLElement>(selector))?.focus();
}

/** The view that has the focus within the pane that has it. */
function pane(): Element | null {
  return document.querySelector('.tab-group.active') ?? document.querySelector('main');
}

function find({ selector, inPane }: (typeof REGIONS)[number]): Element | null {
  const root = inPane ? pane() : document;
  return root?.querySelector(ACTIVE_VIEW)?.querySelector(selector) ?? root?.querySelector(selector) ?? null;
}

function focusIn(region: Element | undefined): boolean {
  const target = region?.matches('[tabindex="0"]') === true ? region : visibleIn(region);
  if (!(target instanceof HTMLElement)) return false;
  target.focus();
  return document.activeElement === target;
}

function visibleIn(region: Element | undefined): Element | null {
  const all = [...(region?.querySelectorAll(FOCUSABLE) ?? [])];
  return all.find((element) => element.getClientRects().length > 0) ?? null;
}
