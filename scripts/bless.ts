import { runCommand } from './run-command.ts';

/**
 * `npm run bless [-- TEST FILE…]`: writes the goldens that the tests compare with, new and changed ones. Read the diff before you
 * commit it. `npm run bless -- --pictures` does so with the pictures of the window: look at them.
 */
const [first, ...rest] = process.argv.slice(2);
const problem =
  first === '--pictures'
    ? await runCommand([
        'playwright',
        'test',
        '-c',
        'tests/e2e/playwright.config.ts',
        'snapshots',
        '--update-snapshots',
        ...rest,
      ])
    : await runCommand(['vitest', 'run', '--project', 'unit', ...process.argv.slice(2), '--update'], {
        env: { FLAMEBENCH_BLESS: '1' },
      });
if (problem !== null) process.exitCode = 1;
