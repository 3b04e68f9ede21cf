import { parseArgs } from 'node:util';
import { missingComponents } from './components.mjs';
import { outsideStep } from './outside-changes.ts';
import { provision, rebuildPty } from './provision.mjs';
import type { CommandOptions } from './run-command.ts';
import { one, sum } from './test-outcome.ts';
import type { Outcome } from './test-outcome.ts';
import { steps } from './test-steps.ts';
import type { Step } from './test-steps.ts';

const usage = `usage: npm test -- [--only ${steps.map(({ id }) => id).join(',')}]`;

interface Ended {
  readonly outcome: Outcome;
  readonly row: string;
}

/**
 * Nice value for steps in spare CPU time: high enough not to disturb the recordings of others, low enough to make
 * progress.
 */
const NICE = 10;

/** Returns the steps named by `--only a,b` in execution order; throws if a word names none. */
function chosenSteps(only: string | undefined): readonly Step[] {
  if (only === undefined) return steps.filter(({ onRequest }) => onRequest === undefined);
  const names = only.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !steps.some(({ id }) => id === name));
  if (unknown.length > 0) throw new Error(`no step is named ${unknown.join(', ')}`);
  return steps.filter(({ id }) => names.includes(id));
}

async function runStep(step: Step, options: CommandOptions): Promise<Outcome> {
  const missing = missingComponents(step.needs);
  if (missing.length > 0) {
    const names = missing.map(({ id }) => id).join(', ');
    return one(`not run: missing ${names}; npm test installs it as root, or prints how`);
  }
  try {
    return await step.run(options);
  } catch (error) {
    return one(error instanceof Error ? error.message : String(error));
  }
}

/** Runs steps one after another, and reports each when it ends. */
async function runInTurn(some: readonly Step[], options: CommandOptions, ended: Map<Step, Ended>): Promise<void> {
  for (const step of some) {
    process.stdout.write(`\n== ${step.id}: ${step.checks}\n`);
    const start = performance.now();
    const outcome = await runStep(step, options);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const row = `${step.id.padEnd(12)} ${seconds.padStart(7)} s  ${outcome.passed} passed, ${outcome.failed} failed`;
    ended.set(step, { outcome, row });
    process.stdout.write(`-- ${row}\n`);
  }
}

/** Runs the steps and prints their results, after them what `leftOut` would have checked. Returns the exit code. */
async function runSteps(chosen: readonly Step[], leftOut: readonly Step[]): Promise<number> {
  const needs = [...new Set(chosen.flatMap((step) => step.needs))];
  provision(needs);
  if (needs.includes('compiler')) rebuildPty();
  const outside = outsideStep();
  const ended = new Map<Step, Ended>();
  const inLane = (lane: Step['lane']): readonly Step[] => chosen.filter((step) => step.lane === lane);
  await runInTurn(inLane('first'), {}, ended);
  const waiting = [inLane('here'), inLane('elsewhere')];
  await Promise.all([
    runInTurn(inLane('spare'), waiting.flat().length === 0 ? {} : { nice: NICE }, ended),
    ...waiting.map((lane) => runInTurn(lane, {}, ended)),
  ]);
  await runInTurn([...inLane(undefined), outside], {}, ended);
  const run = [...chosen, outside];
  const rows = [
    ...run.map((step) => ended.get(step)!.row),
    ...leftOut.map(({ id, onRequest }) => `${id.padEnd(12)} not run: ${onRequest}`),
  ];
  const { passed, failed, problems, unsteady } = sum(
    run.map((step) => {
      const { outcome } = ended.get(step)!;
      const named = (texts: readonly string[]): string[] => texts.map((text) => `${step.id}: ${text}`);
      return { ...outcome, problems: named(outcome.problems), unsteady: named(outcome.unsteady) };
    }),
  );
  process.stdout.write(`\n${rows.join('\n')}\n`);
  if (unsteady.length > 0) process.stdout.write(`\nunsteady, passed only when run again:\n${unsteady.join('\n')}\n`);
  if (problems.length > 0) process.stdout.write(`\n${problems.join('\n')}\n`);
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

try {
  const { values } = parseArgs({ options: { only: { type: 'string' } } });
  const chosen = chosenSteps(values.only);
  const leftOut = values.only === undefined ? steps.filter((step) => !chosen.includes(step)) : [];
  process.exitCode = await runSteps(chosen, leftOut);
} catch (error) {
  process.stderr.write(`npm test: ${error instanceof Error ? error.message : String(error)}\n${usage}\n`);
  process.exitCode = 2;
}
