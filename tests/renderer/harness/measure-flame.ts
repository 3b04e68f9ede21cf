import type { CDPSession, Page } from 'playwright/test';
import { numbers } from './million-nodes.ts';

/** The duration of one kind of action, in ms. */
export interface FlameNumbers {
  /** Name of the tree's graph, and the number of frames drawn when the measurement began. */
  readonly drawnFrames: number;
  /**
   * From the click until the new drawing is presented, as the browser reports it for the event: a multiple of 8. At
   * least until its frame is produced.
   */
  readonly click: Spread;
  /** From the pointer's event in the page to the frame with outline and tooltip. */
  readonly hover: Spread;
  /** From the last key of a pattern to the frame with its matches. */
  readonly search: Spread;
  readonly gestures: readonly GestureNumbers[];
  /** The longest tasks of the window's thread during these actions. */
  readonly longestTask: { readonly zooming: number; readonly searching: number };
}

export interface Spread {
  readonly count: number;
  readonly median: number;
  readonly p95: number;
  /** Processor time of the window's thread, which does not depend on other load. NaN if it was not measured. */
  readonly processorMedian: number;
}

export interface GestureNumbers {
  readonly name: 'zoom' | 'pan' | 'scroll';
  readonly frames: number;
  /** From 0 to 1. */
  readonly slowShare: number;
  readonly p95: number;
  /** From the last event to the frame with the sharp drawing; NaN for scrolling. */
  readonly crisp: number;
  /** Tasks of the window's thread over 50 ms. */
  readonly tasks: readonly number[];
}

const CLICKS = 40;
const MAX_TURNS = 20;
const HOVERS = 60;
const GESTURE_MS = 3000;
/** Time between two events of a gesture, in ms: faster than frames, as with mice. */
const EVENT_MS = 8;
const SLOW_FRAME_MS = 25;
const PATTERNS = ['step_1$', 'package_[357]::', 'Step_.*2', '^main$', 'step_(3|5|7)', 'package_1\\d::step'];

interface Seen {
  readonly frames: number[];
  readonly drawings: number[];
  /** Durations of clicks that the browser reports, from 16 ms on. */
  readonly presented: number[];
  readonly clicks: number[];
  readonly gestures: number[];
  readonly hovers: number[];
  readonly keys: number[];
  readonly tasks: number[];
}

/**
 * Records frames, the graph's drawings (each sets its svg's height once), inputs and long tasks, by the page's clock.
 */
async function watch(page: Page): Promise<void> {
  await page.evaluate(() => {
    const empty = (): number[] => [];
    const seen = {
      frames: empty(),
      drawings: empty(),
      presented: empty(),
      clicks: empty(),
      gestures: empty(),
      hovers: empty(),
      keys: empty(),
      tasks: empty(),
    };
    const tick = (time: number): void => {
      seen.frames.push(time);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    // Runs when the frame has been produced; a message or a timer would come after the window's own work after
    // painting.
    const afterPaint = (done: (time: number) => void): void => {
      requestAnimationFrame(() => {
        void scheduler.postTask(() => done(performance.now()), { priority: 'user-blocking' });
      });
    };
    for (const drawing of document.querySelectorAll('.flame-chart svg')) {
      new MutationObserver(() => {
        afterPaint((time) => seen.drawings.push(time));
      }).observe(drawing, { attributeFilter: ['height'] });
    }
    new PerformanceObserver((list) => {
      seen.tasks.push(...list.getEntries().map(({ duration }) => duration));
    }).observe({ type: 'longtask' });
    const slowEvents: PerformanceObserverInit & { durationThreshold: number } = {
      type: 'event',
      durationThreshold: 16,
    };
    new PerformanceObserver((list) => {
      seen.presented.push(...list.getEntriesByName('click').map(({ duration }) => duration));
    }).observe(slowEvents);
    const listen = (kind: string, note: (event: Event) => void): void => {
      window.addEventListener(kind, note, { capture: true, passive: true });
    };
    listen('click', (event) => seen.clicks.push(event.timeStamp));
    listen('input', (event) => seen.keys.push(event.timeStamp));
    listen('wheel', (event) => seen.gestures.push(event.timeStamp));
    listen('pointermove', (event) => {
      if ((event as PointerEvent).buttons !== 0) seen.gestures.push(event.timeStamp);
      else {
        const begin = performance.now();
        afterPaint((time) => seen.hovers.push(time - begin));
      }
    });
    Object.assign(window, { seen });
  });
}

const take = (page: Page): Promise<Seen> =>
  page.evaluate(() => {
    const seen = Reflect.get(window, 'seen') as Seen;
    const taken = { ...seen };
    for (const key of Object.keys(seen) as (keyof Seen)[]) taken[key] = seen[key].splice(0);
    return taken;
  });

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

export const spread = (times: readonly number[], busy: readonly number[] = []): Spread => ({
  count: times.length,
  median: quantile(times, 0.5),
  p95: quantile(times, 0.95),
  processorMedian: quantile(busy, 0.5),
});

async function processorMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return 1000 * metrics.find(({ name }) => name === 'TaskDuration')!.value;
}

/** Returns the middles of visible frames wide enough for a label, except the root. */
const targets = (page: Page): Promise<{ x: number; y: number }[]> =>
  page.evaluate(() => {
    const scroller = document.querySelector('.flame-scroller')!;
    const area = scroller.getBoundingClientRect();
    return [...scroller.querySelectorAll('.flame-chart .frame:not(.filler, .narrow) rect')]
      .map((rect) => rect.getBoundingClientRect())
      .filter((box) => box.top >= area.top && box.bottom <= area.bottom && box.left >= area.left)
      .filter((box) => box.right <= area.right)
      .slice(1)
      .map((box) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 }));
  });

/** `graphs` is the number of graphs redrawn by a click in the first one. */
async function clicks(page: Page, session: CDPSession, graphs: number): Promise<{ click: Spread; tasks: number[] }> {
  const next = numbers(2);
  const times: number[] = [];
  const busy: number[] = [];
  const tasks: number[] = [];
  for (let click = 0; click < CLICKS; click++) {
    let all = await targets(page);
    // A busy machine may take several times as long to draw the result of Home.
    for (let turn = 0; all.length < 3 && turn < MAX_TURNS; turn++) {
      await page.locator('.flame-scroller').first().press('Home');
      await page.waitForTimeout(300);
      all = await targets(page);
    }
    // Every fourth click goes back to the caller, whose breadcrumb is the last.
    const crumbs = page.locator('.flame-crumbs').first().locator('button');
    const crumb = click % 4 === 3 && (await crumbs.count()) > 0 ? await crumbs.last().boundingBox() : null;
    const target =
      crumb === null
        ? all[Math.floor(next() * all.length)]!
        : { x: crumb.x + crumb.width / 2, y: crumb.y + crumb.height / 2 };
    await page.mouse.move(target.x, target.y);
    await page.waitForTimeout(120);
    await take(page);
    const before = await processorMs(session);
    await page.mouse.click(target.x, target.y);
    await page.waitForTimeout(350);
    const { drawings, presented, clicks: clicked, tasks: long } = await take(page);
    tasks.push(...long);
    const painted = drawings.filter((time) => time > clicked[0]!)[graphs - 1];
    if (painted === undefined) continue;
    times.push(Math.max(painted - clicked[0]!, ...presented));
    busy.push((await processorMs(session)) - before);
  }
  return { click: spread(times, busy), tasks };
}

async function hovers(page: Page): Promise<Spread> {
  const next = numbers(3);
  const all = await targets(page);
  await take(page);
  for (let hover = 0; hover < HOVERS; hover++) {
    const target = all[Math.floor(next() * all.length)]!;
    await page.mouse.move(target.x, target.y);
    await page.waitForTimeout(40);
  }
  return spread((await take(page)).hovers);
}

type Send = (type: 'mouseWheel' | 'mouseMoved', more: { x?: number; deltaY?: number }) => void;

async function gesture(page: Page, name: GestureNumbers['name'], step: (at: number) => void): Promise<GestureNumbers> {
  await page.waitForTimeout(500);
  await take(page);
  const begin = performance.now();
  while (performance.now() - begin < GESTURE_MS) {
    step((performance.now() - begin) / GESTURE_MS);
    await new Promise((resolve) => {
      setTimeout(resolve, EVENT_MS);
    });
  }
  // A busy machine delivers the last events late.
  await page.waitForTimeout(1500);
  const { frames, drawings, gestures, tasks } = await take(page);
  const [first, last] = [gestures[0] ?? 0, gestures.at(-1) ?? 0];
  const during = frames.filter((time) => time >= first && time <= last);
  const gaps = during.slice(1).map((time, index) => time - during[index]!);
  return {
    name,
    frames: gaps.length,
    slowShare: gaps.filter((gap) => gap > SLOW_FRAME_MS).length / gaps.length,
    p95: quantile(gaps, 0.95),
    crisp: name === 'scroll' ? Number.NaN : (drawings.find((time) => time > last) ?? Number.NaN) - last,
    tasks,
  };
}

async function gestures(page: Page, session: CDPSession): Promise<GestureNumbers[]> {
  await page.locator('.flame-scroller').focus();
  await page.keyboard.press('Home');
  const area = (await page.locator('.flame-scroller').boundingBox())!;
  const [x, y] = [area.x + area.width * 0.4, area.y + area.height / 2];
  await page.mouse.move(x, y);
  const sender =
    (more: { modifiers?: number; buttons?: number }): Send =>
    (type, change) => {
      const event = { type, x, y, deltaX: 0, deltaY: 0, ...more, ...change };
      // Not awaited, since a mouse does not wait for the page either.
      session.send('Input.dispatchMouseEvent', event).catch(() => undefined);
    };
  const control = sender({ modifiers: 2 });
  const zoom = await gesture(page, 'zoom', (at) => {
    control('mouseWheel', { deltaY: at < 0.5 ? -8 : 4 });
  });
  await page.mouse.down();
  const drag = sender({ buttons: 1 });
  const pan = await gesture(page, 'pan', (at) => {
    drag('mouseMoved', { x: x + Math.sin(at * 20) * 300 });
  });
  await page.mouse.up();
  const plain = sender({});
  const scroll = await gesture(page, 'scroll', (at) => {
    plain('mouseWheel', { deltaY: at < 0.5 ? -15 : 15 });
  });
  return [zoom, pan, scroll];
}

async function searches(page: Page): Promise<{ search: Spread; tasks: number[] }> {
  const times: number[] = [];
  const tasks: number[] = [];
  const field = page.getByRole('searchbox', { name: 'Search functions by regular expression' });
  for (const pattern of PATTERNS) {
    // All characters but the last are typed before.
    await field.fill(pattern.slice(0, -1));
    await page.waitForTimeout(600);
    await take(page);
    await field.press('End');
    await field.press(pattern.slice(-1));
    await page.waitForTimeout(700);
    const { keys, drawings, tasks: long } = await take(page);
    const drawn = drawings.at(-1);
    if (drawn !== undefined && drawn > keys.at(-1)!) times.push(drawn - keys.at(-1)!);
    tasks.push(...long);
  }
  await field.fill('');
  return { search: spread(times), tasks };
}

export type LinkedNumbers = Pick<FlameNumbers, 'click' | 'hover' | 'drawnFrames'> & { readonly longestTask: number };

/** Clicks and points in the first of several linked graphs, measured to the frame in which all of them are drawn. */
export async function measureLinked(page: Page, graphs: number): Promise<LinkedNumbers> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await watch(page);
  const drawnFrames = await page.locator('.flame-chart g.frame').count();
  const { click, tasks } = await clicks(page, session, graphs);
  const hover = await hovers(page);
  await session.detach();
  return { drawnFrames, click, hover, longestTask: Math.max(0, ...tasks) };
}

/**
 * Clicks, points, scrolls, drags and searches as a user does, in a window that shows one flame graph with a search
 * field. The page must allow the caller's scripts (Playwright's `evaluate` always may).
 */
export async function measureFlame(page: Page): Promise<FlameNumbers> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await watch(page);
  const drawnFrames = await page.locator('.flame-chart g.frame').count();
  const { click, tasks: clickTasks } = await clicks(page, session, 1);
  const hover = await hovers(page);
  const moved = await gestures(page, session);
  const { search, tasks: searching } = await searches(page);
  await session.detach();
  const zooming = [...clickTasks, ...moved.flatMap(({ tasks }) => tasks)];
  return {
    drawnFrames,
    click,
    hover,
    search,
    gestures: moved,
    longestTask: { zooming: Math.max(0, ...zooming), searching: Math.max(0, ...searching) },
  };
}
