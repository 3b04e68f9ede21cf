import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright';
import { runCli } from '../tests/support/run-cli.ts';
import { CHROMIUM_FLAGS } from './bench/browser.ts';
import { buildStale } from './build.ts';
import { findChromium } from './components.mjs';
import { root } from './run-command.ts';

/**
 * `npm run bless -- --report` regenerates the tour's picture of a report: the bundled apiserver samples with two
 * notes, in Chromium. Check it by eye before committing.
 */
const TITLE = 'Request dumping takes more than half of the CPU time';
const SIZE = { width: 1280, height: 860 };
const NOTES = [
  { func: 'main.handler.dumpBodies.func1', text: 'Dumps every body, also those that nobody logs.', colour: 'red' },
  { func: 'runtime.gcDrain', text: 'Less garbage: no copies of bodies.', colour: 'blue' },
];

const executablePath = findChromium();
if (executablePath === null) throw new Error('chromium is absent');
await buildStale(['renderer']);
const folder = mkdtempSync(join(tmpdir(), 'flamebench-picture-'));
try {
  const notes = NOTES.map(({ func, text, colour }, place) => ({
    id: `note-${place + 1}`,
    anchor: { kind: 'function', func: { name: func, module: '' } },
    text,
    author: '',
    created: place + 1,
    edited: null,
    colour,
  }));
  writeFileSync(join(folder, 'notes.json'), JSON.stringify({ schemaVersion: 2, notes }));
  const runs = (side: string): string[] =>
    Array.from({ length: 5 }, (_, run) => `samples/profiles/pprof/apiserver-${side}-${run + 1}/raw.pprof`);
  const path = join(folder, 'report.html');
  const sides = ['--before', ...runs('before'), '--after', ...runs('after'), '--compare', '--author='];
  const options = ['--title', TITLE, '--notes', join(folder, 'notes.json'), '-o', path];
  const written = await runCli(['report', ...sides, ...options], { cwd: root });
  if (written.code !== 0) throw new Error(written.stderr);
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
  try {
    const page = await browser.newPage({ viewport: SIZE, colorScheme: 'dark', locale: 'en' });
    await page.goto(pathToFileURL(path).href);
    await page.locator('.live .flame-overlay [data-pin=note-2]').first().waitFor();
    await page.screenshot({ path: join(root, 'docs/images/report-dark.png') });
  } finally {
    await browser.close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
