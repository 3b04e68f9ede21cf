import { readFileSync } from 'node:fs';
import os from 'node:os';
import { chromium, type CDPSession, type Page } from 'playwright/test';
import { chromiumPath } from '../../e2e/chromium-path.ts';
import { serveHarness } from '../../e2e/components/serve-harness.ts';

/**
 * Times zooms by click and gestures of the flame graph alone, in Chromium: `node tests/renderer/harness/measure-gestures.ts [file]`. Without
 * a file, a made-up tree of a million nodes. The harness slices on the window's own thread, so times are no better than the workbench's.
 */

const VIEWPORT = { width: 1600, height: 900 };
const GESTURE_MS = 3000;
const CLICKS = 40;
/** Between two events of a gesture: faster than frames, as mice are. */
const EVENT_MS = 8;

/** A repeatable source of numbers, 0 … 1 (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function millionNodes(): string {
  const next = numbers(1);
  const lines: string[] = [];
  for (let row = 0; row < 131_000; row++) {
    const frames = ['main'];
    for (let depth = 1; depth < 14; depth++) frames.push(`package_${depth}::step_${Math.floor(next() ** 3 * 12)}`);
    lines.push(`${frames.join(';')} ${1 + Math.floor(next() * 9)}`);
  }
  return lines.join('\n');
}

/** Notes each frame's time, and each drawing's: the chart sets its svg's width once per drawing. */
async function watch(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen = { frames: [] as number[], drawings: [] as number[], inputs: [] as number[] };
    const tick = (time: number) => {
      seen.frames.push(time);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    const painted = new MessageChannel();
    painted.port1.addEventListener('message', () => seen.drawings.push(performance.now()));
    painted.port1.start();
    new MutationObserver(() => requestAnimationFrame(() => painted.port2.postMessage(null))).observe(
      document.querySelector('.flame-chart svg')!,
      { attributeFilter: ['width'] },
    );
    for (const kind of ['wheel', 'pointermove', 'click']) {
      window.addEventListener(kind, (event) => seen.inputs.push(event.timeStamp), { capture: true, passive: true });
    }
    Object.assign(window, { seen });
  });
}

interface Seen {
  readonly frames: number[];
  readonly drawings: number[];
  readonly inputs: number[];
}

const take = (page: Page): Promise<Seen> =>
  page.evaluate(() => {
    const seen = Reflect.get(window, 'seen') as Seen;
    return { frames: seen.frames.splice(0), drawings: seen.drawings.splice(0), inputs: seen.inputs.splice(0) };
  });

/** Processor time of the window's thread, in ms: unlike time on the clock the same on a busy machine. */
async function processorMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return 1000 * metrics.find(({ name }) => name === 'TaskDuration')!.value;
}

const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

async function gesture(
  page: Page,
  session: CDPSession,
  name: string,
  step: (at: number) => Promise<void>,
): Promise<void> {
  await page.waitForTimeout(400);
  await take(page);
  const before = await processorMs(session);
  const begin = performance.now();
  while (performance.now() - begin < GESTURE_MS) {
    await step((performance.now() - begin) / GESTURE_MS);
    await page.waitForTimeout(EVENT_MS);
  }
  const busy = (await processorMs(session)) - before;
  await page.waitForTimeout(500);
  const { frames, drawings, inputs } = await take(page);
  const [first, last] = [inputs[0] ?? 0, inputs.at(-1) ?? 0];
  const during = frames.filter((time) => time >= first && time <= last);
  const gaps = during.slice(1).map((time, index) => time - during[index]!);
  const slow = gaps.filter((gap) => gap > 25).length;
  const crisp = (drawings.find((time) => time > last) ?? Number.NaN) - last;
  const early = drawings.filter((time) => time < last).length;
  console.log(
    `${name}: ${gaps.length} frames, ${((100 * slow) / gaps.length).toFixed(1)} % over 25 ms, p95 ${quantile(gaps, 0.95).toFixed(1)} ms, ` +
      `longest ${Math.max(...gaps).toFixed(0)} ms, ${(busy / gaps.length).toFixed(1)} ms of processor a frame; ${inputs.length} events, ${early} drawings meanwhile; crisp ${crisp.toFixed(0)} ms after rest`,
  );
}

async function clicks(page: Page, session: CDPSession): Promise<void> {
  const next = numbers(2);
  const times: number[] = [];
  const busy: number[] = [];
  const area = (await page.locator('.flame-scroller').boundingBox())!;
  for (let click = 0; click < CLICKS; click++) {
    const targets = page.locator('.flame-chart .frame:not(.filler):not(.spacer):not(.narrow) rect');
    const count = await targets.count();
    await take(page);
    const before = await processorMs(session);
    const out = page.locator('.flame-crumbs button').first();
    if ((click % 4 === 3 || count < 3) && (await out.isVisible())) await out.click();
    else {
      const target = await targets.nth(1 + Math.floor(next() * (count - 1))).boundingBox();
      if (target === null || target.y < area.y || target.y + 18 > area.y + area.height) continue;
      await page.mouse.click(target.x + target.width / 2, target.y + 9);
    }
    await page.waitForTimeout(250);
    const { drawings, inputs } = await take(page);
    const clicked = inputs.at(-1);
    if (clicked !== undefined && drawings.length > 0) {
      times.push(drawings.at(-1)! - clicked);
      busy.push((await processorMs(session)) - before);
    }
  }
  console.log(
    `click to painted: ${times.length} zooms, median ${quantile(times, 0.5).toFixed(0)} ms, p95 ${quantile(times, 0.95).toFixed(0)} ms; ` +
      `processor median ${quantile(busy, 0.5).toFixed(0)} ms, p95 ${quantile(busy, 0.95).toFixed(0)} ms, what Playwright asks of the page included`,
  );
}

async function measure(file: string | undefined): Promise<void> {
  const server = await serveHarness();
  const args = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'];
  const browser = await chromium.launch({ executablePath: chromiumPath(), args });
  try {
    server.addFile('measured', file === undefined ? millionNodes() : readFileSync(file, 'utf8'));
    const page = await browser.newPage({ viewport: VIEWPORT });
    await page.goto(`${server.url}?file=measured`);
    await page.locator('.flame-chart g.frame').first().waitFor({ timeout: 120_000 });
    const frames = await page.locator('.flame-chart g.frame').count();
    console.log(`load ${os.loadavg()[0]!.toFixed(1)} on ${os.cpus().length} cores; ${frames} frames drawn`);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    await watch(page);
    await clicks(page, session);
    await page.locator('.flame-scroller').focus();
    await page.keyboard.press('Home');
    const area = (await page.locator('.flame-scroller').boundingBox())!;
    const [x, y] = [area.x + area.width * 0.4, area.y + area.height / 2];
    await page.mouse.move(x, y);
    await page.keyboard.down('Control');
    await gesture(page, session, 'zoom', (at) => page.mouse.wheel(0, at < 0.5 ? -12 : 10));
    await page.keyboard.up('Control');
    await page.mouse.down();
    await gesture(page, session, 'pan', (at) => page.mouse.move(x + Math.sin(at * 20) * 300, y));
    await page.mouse.up();
    await gesture(page, session, 'scroll', (at) => page.mouse.wheel(0, at < 0.5 ? -30 : 30));
  } finally {
    await browser.close();
    await server.close();
  }
}

await measure(process.argv[2]);
