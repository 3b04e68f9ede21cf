import { parseArgs } from 'node:util';
import { runCommand } from './run-command.ts';

/**
 * Random actions in the real window: `npm run soak -- --minutes 30 --seed 7`. Without a seed, a new one is used and
 * printed.
 */
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, seed: { type: 'string' } },
});
const minutes = Number(values.minutes);
const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);

if (!(minutes > 0) || !Number.isSafeInteger(seed)) {
  process.stderr.write('npm run soak: --minutes takes a number above 0, --seed a whole number\n');
  process.exitCode = 2;
} else {
  process.stdout.write(`soak: ${minutes} minutes; again with --seed ${seed}\n`);
  const problem = await runCommand(['playwright', 'test', '-c', 'tests/soak/playwright.config.ts', '--reporter=list'], {
    env: { FLAMEBENCH_SOAK_MINUTES: String(minutes), FLAMEBENCH_SOAK_SEED: String(seed) },
    limitSeconds: minutes * 60 + 400,
  });
  if (problem !== null) {
    process.stderr.write(`npm run soak: ${problem}\n`);
    process.exitCode = 1;
  }
}
