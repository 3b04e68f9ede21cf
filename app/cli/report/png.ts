import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startProgram } from '#collectors/effects/start-program.ts';
import { makeTempFolder } from '#collectors/effects/remove.ts';
import { writeNew } from '#collectors/effects/write.ts';
import { findChromium } from '../open/open-browser.ts';
import { captureError, usageError } from '../errors.ts';

/** Maximum width and height that Chromium renders, in device pixels. */
const MOST_PIXELS = 16_000;
const DRAWING_MS = 60_000;

/** Renders an SVG as a PNG in an installed Chromium. Deterministic on one machine with the same fonts. */
export async function reportPng(svg: string, scale: number): Promise<Uint8Array> {
  const [, width, height] = /<svg [^>]*?width="(\d+)" height="(\d+)"/.exec(svg)!;
  if (Number(height) * scale > MOST_PIXELS || Number(width) * scale > MOST_PIXELS) {
    throw usageError(
      `the picture is too large for a PNG (${width} × ${height}, ${scale} times)`,
      'use a smaller --scale, or -o report.svg',
    );
  }
  const chromium = findChromium();
  if (chromium === null) {
    throw usageError(
      'PNG needs Chromium, Chrome, Edge or another browser of that family, and none is in PATH',
      'install one (apt-get install chromium), or use -o report.svg',
    );
  }
  const folder = await makeTempFolder('flamebench-png-');
  try {
    const [source, target] = [join(folder.path, 'report.svg'), join(folder.path, 'report.png')];
    await writeNew(source, svg);
    await run(chromium, [
      // Chromium refuses to start for root with its sandbox.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--headless',
      '--disable-gpu',
      '--hide-scrollbars',
      '--no-first-run',
      '--disable-extensions',
      `--user-data-dir=${join(folder.path, 'profile')}`,
      `--force-device-scale-factor=${scale}`,
      `--window-size=${width},${height}`,
      `--screenshot=${target}`,
      pathToFileURL(source).href,
    ]);
    return await readFile(target).catch(() => {
      throw captureError(`${chromium} drew no picture`, 'use -o report.svg');
    });
  } finally {
    await folder.remove();
  }
}

function run(program: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = startProgram(program, args, { stdio: 'ignore', timeout: DRAWING_MS });
    child.once('error', (error) =>
      reject(captureError(`${program} did not start: ${error.message}`, 'use -o report.svg')),
    );
    child.once('exit', () => resolve());
  });
}
