import { findCommand } from '../../../scripts/components.mjs';
import { createLocalTarget } from '#collectors/target/local.ts';
import type { Target } from '#collectors/target/target.ts';
import { endStartedProcesses } from '../../support/busy-process.ts';
import { needing } from '../../support/needing.ts';
import { describePipeline } from './pipeline-suite.ts';

endStartedProcesses();

/** Returns the local target, which runs the script with this shell instead of /bin/sh. */
function localWithShell(shell: readonly string[]): Target {
  const target = createLocalTarget();
  return { ...target, run: (argv, options) => target.run([...shell, ...argv.slice(1)], options) };
}

for (const shell of [['dash'], ['bash'], ['busybox', 'sh']]) {
  const [name = ''] = shell;
  needing({ name, present: () => findCommand(name) !== null }, () => {
    describePipeline(`local by ${name}`, () => localWithShell(shell));
  });
}
