import { parseArgs } from 'node:util';
import { missingComponents } from './components.mjs';
import { provision, rebuildPty } from './provision.mjs';
import type { Outcome } from './test-outcome.ts';
import { steps } from './test-steps.ts';
import type { Step } from './test-steps.ts';

const usage = `usage: npm test -- [--only ${steps.map(({ id }) => id).join(',')}]`;

/** The steps named by `--only a,b`, in the order in which they run; a word that names none is an error. */
function chosenSteps(only: string | undefined): readonly Step[] {
  if (only === undefined) return steps;
  const names = only.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !steps.some(({ id }) => id === name));
  if (unknown.length > 0) throw new Error(`no step is called ${unknown.join(', ')}`);
  return steps.filter(({ id }) => names.includes(id));
}

async function runStep(step: Step): Promise<Outcome> {
  const missing = missingComponents(step.needs);
  if (missing.length > 0) {
    const names = missing.map(({ id }) => id).join(', ');
    return {
      passed: 0,
      failed: 1,
      problems: [`not run: missing ${names}; npm test installs it as root, or prints how`],
    };
  }
  try {
    return await step.run();
  } catch (error) {
    return { passed: 0, failed: 1, problems: [error instanceof Error ? error.message : String(error)] };
  }
}

async function runSteps(chosen: readonly Step[]): Promise<number> {
  const needs = [...new Set(chosen.flatMap((step) => step.needs))];
  provision(needs);
  if (needs.includes('compiler')) rebuildPty();
  const rows: string[] = [];
  const problems: string[] = [];
  let passed = 0;
  let failed = 0;
  for (const step of chosen) {
    process.stdout.write(`\n== ${step.id}: ${step.checks}\n`);
    const start = performance.now();
    const outcome = await runStep(step);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    passed += outcome.passed;
    failed += outcome.failed;
    problems.push(...outcome.problems.map((problem) => `${step.id}: ${problem}`));
    const row = `${step.id.padEnd(12)} ${seconds.padStart(7)} s  ${outcome.passed} passed, ${outcome.failed} failed`;
    rows.push(row);
    process.stdout.write(`-- ${row}\n`);
  }
  process.stdout.write(`\n${rows.join('\n')}\n`);
  if (problems.length > 0) process.stdout.write(`\n${problems.join('\n')}\n`);
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

try {
  const { values } = parseArgs({ options: { only: { type: 'string' } } });
  const chosen = chosenSteps(values.only);
  process.exitCode = await runSteps(chosen);
} catch (error) {
  process.stderr.write(`npm test: ${error instanceof Error ? error.message : String(error)}\n${usage}\n`);
  process.exitCode = 2;
}
