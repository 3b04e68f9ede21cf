import { runCommand } from './run-command.ts';

/**
 * `npm run bless [-- TEST FILE…]`: writes the goldens that the tests compare with, new and changed ones. Read the diff before you
 * commit it.
 */
const problem = await runCommand(['vitest', 'run', '--project', 'unit', ...process.argv.slice(2), '--update'], {
  env: { FLAMEBENCH_BLESS: '1' },
});
if (problem !== null) process.exitCode = 1;
