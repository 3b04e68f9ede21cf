import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { docsPictures } from './docs-pictures.ts';
import { writeRooms } from './rooms.ts';
import { root, runCommand } from './run-command.ts';

/**
 * `npm run bless [-- TEST FILE…]` writes new and changed goldens of the tests. Read the diff before committing.
 * `npm run bless -- --pictures` writes the pictures of the window, of which the docs show two, `-- --report` that of a
 * report in docs/index.md; check them by eye. `-- --lines` writes the lines of each room into docs/architecture.md.
 */
const [first, ...rest] = process.argv.slice(2);
if (first === '--lines') {
  writeRooms(root);
  process.exit();
}
const problem =
  first === '--pictures'
    ? await runCommand([
        'playwright',
        'test',
        '-c',
        'tests/e2e/playwright.config.ts',
        'snapshots',
        // Also those that differ by less than the tests tolerate: a changed word is not a hundredth of a picture.
        '--update-snapshots=all',
        ...rest,
      ])
    : first === '--report'
      ? await runCommand(['node', 'scripts/report-picture.ts'])
      : await runCommand(['vitest', 'run', '--project', 'unit', ...process.argv.slice(2), '--update'], {
          env: { FLAMEBENCH_BLESS: '1' },
        });
if (problem !== null) process.exitCode = 1;
if (first === '--pictures') {
  for (const { name, snapshot } of docsPictures) {
    copyFileSync(path.join(root, 'tests/e2e/snapshots', snapshot), path.join(root, 'docs/images', name));
  }
}
