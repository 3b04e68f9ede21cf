import { errors, type Locator, type Page } from 'playwright/test';
import { liveToWord } from '../../app/engine/live/live-word.ts';
import { startEngineProcess } from '../e2e/engine-process.ts';
import { expect, LINKS_CHANGED, test as base, type Workbench } from '../e2e/workbench.ts';
import { busyAtTimes } from '../support/busy-loop.ts';
import { sshHosts, startSshHost, type SshHost } from '../support/sshd.ts';
import type { MachineProcess } from '../support/test-machine.ts';
import { closeOverlays, settled } from './actions.ts';
import { createRandom, type Random } from './random.ts';

const SEED = Number(process.env['FLAMEBENCH_SOAK_SEED'] ?? '1');
const MS = 60_000;
/** For what takes long on a busy machine or after a link was cut. */
const PATIENT = { timeout: 120_000 };

/** Provides a process on a host whose link can be cut, and an engine that watches it from its start. */
const test = base.extend<{ host: SshHost; program: MachineProcess }>({
  host: async ({ browserName: _none }, use) => {
    if (!sshHosts.present()) throw new Error(`no ssh server can be started here, for this is absent: ${sshHosts.name}`);
    const host = await startSshHost({ link: true });
    await use(host);
    await host.dispose();
  },
  program: async ({ host }, use) => {
    await use(await host.start(busyAtTimes(0.05, 20_000), { user: true }));
  },
  engine: async ({ folder, host, program }, use) => {
    const scope = { kind: 'pid', pid: program.pid, startTicks: null } as const;
    const options = { collector: 'perf', scope, rateHz: 499, event: null, callGraph: 'fp', seconds: null } as const;
    const word = liveToWord({ target: host.destination, options, limits: { maxCpus: null } });
    const env = { FLAMEBENCH_SSH_CONFIG: host.clientConfigFile };
    const engine = await startEngineProcess({ library: `${folder}/library`, files: [word], env });
    await use(engine);
    await engine.close();
  },
});

interface Watched {
  readonly page: Page;
  readonly workbench: Workbench;
  readonly bar: Locator;
  readonly random: Random;
}

/** What a user does while watching. Each names what it did. */
const ACTIONS: readonly ((watched: Watched) => Promise<string>)[] = [
  async ({ page, bar, random }) => {
    await page.keyboard.press('Alt+Shift+P');
    const isPaused = (await bar.getByRole('button', { name: 'Resume' }).count()) > 0;
    await page.waitForTimeout(random.below(1500));
    return isPaused ? 'pause' : 'resume';
  },
  async ({ bar, random }) => {
    const name = random.pick(['10 s', '1 min', '5 min', 'All']);
    await bar.getByText(name, { exact: true }).click();
    return `window ${name}`;
  },
  async ({ page, workbench, random }) => {
    const frames = workbench.graph.locator('g.frame');
    const count = await frames.count();
    if (count === 0) return 'nothing to zoom';
    try {
      await frames.nth(random.below(count)).click({ force: true, timeout: 5000 });
    } catch (error) {
      // An update may take the frame away.
      if (error instanceof errors.TimeoutError) return 'a frame that is gone';
      throw error;
    }
    await page.waitForTimeout(random.below(1500));
    return 'zoom';
  },
  async ({ workbench }) => {
    await workbench.graph.press('Escape');
    return 'zoom out';
  },
  async ({ page }) => {
    await page.keyboard.press('Alt+Shift+B');
    return 'pin';
  },
  async ({ page, random }) => {
    await page.keyboard.press(random.pick(['i', 'b', 't']));
    return 'another form';
  },
  async ({ bar }) => {
    await bar.getByRole('button', { name: 'Save last 30 s' }).click();
    await expect(bar).toContainText(/Saved [\d.]+ s/, PATIENT);
    return 'save';
  },
];

test('a live view stays right through random actions, a cut link and the end of the process', async ({
  workbench,
  page,
  host,
  program,
}) => {
  test.setTimeout(MS + 8 * 60_000);
  console.log(`live soak: seed ${SEED}`);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !LINKS_CHANGED.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.stack ?? error.message));
  const bar = page.getByRole('region', { name: 'Live' });
  await expect(bar).toContainText(/\d+ samples in \d+ s/, PATIENT);
  const watched: Watched = { page, workbench, bar, random: createRandom(SEED) };
  const steps: string[] = [];
  const act = async (until: number): Promise<void> => {
    while (Date.now() < until) {
      steps.push(await watched.random.pick(ACTIONS)(watched));
      await settled(page);
      expect([complaints, await page.locator('.notice.error').allTextContents(), steps]).toEqual([[], [], steps]);
      await closeOverlays(page);
      if (watched.random.chance(0.3)) await workbench.numbersAgree();
    }
  };
  await act(Date.now() + MS / 2);

  await host.cutLink();
  const events = bar.getByRole('status').locator('[title]');
  await expect(events).toHaveAttribute('title', /was lost; reconnecting/, PATIENT);
  await act(Date.now() + MS / 12);
  await host.restoreLink();
  await expect(events).toHaveAttribute('title', /no samples for/i, PATIENT);
  await act(Date.now() + MS / 2);

  const resume = bar.getByRole('button', { name: 'Resume' });
  if (await resume.isVisible()) await resume.click();
  program.kill('SIGKILL');
  await expect(bar).toContainText('Ended', PATIENT);
  await bar.getByText('All', { exact: true }).click();
  await expect(page.locator('.time-gap').first()).toBeVisible(PATIENT);
  await bar.getByRole('button', { name: 'Save all' }).click();
  const said = /Saved [\d.]+ s \(([\d,]+) samples\)/;
  await expect(events).toContainText(said, PATIENT);
  const [, saved = ''] = said.exec((await events.textContent())!)!;
  await expect(bar.locator('.live-facts')).toContainText(`${saved} samples in`);
  await workbench.numbersAgree();
  expect(complaints).toEqual([]);
  expect(steps.length).toBeGreaterThan(10);

  await page.getByRole('tablist', { name: 'Open profiles' }).getByRole('tab', { selected: true }).press('Delete');
  await expect(bar).toBeHidden();
  // One worker is kept for the next tab.
  await expect.poll(() => page.workers().length, PATIENT).toBeLessThan(2);
});
