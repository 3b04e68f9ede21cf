import { parseArgs } from 'node:util';
import { chooseSteps, type Choice } from './choose-steps.ts';
import { missingComponents } from './components.mjs';
import { hashOfSources, writeFullRun } from './full-run.ts';
import { outsideStep } from './outside-changes.ts';
import { provision, rebuildPty } from './provision.mjs';
import { root, type CommandOptions } from './run-command.ts';
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

/** Width of the names of steps and their parts. */
const NAME_COLUMNS = 15;

/** Whether steps also run that passed with the same sources; that they pass is written. */
const isFull = process.env['CI_FULL'] === '1';

/** A step, or the part of it that `shard` names. */
interface Part {
  readonly step: Step;
  readonly shard?: string;
}

const partsOf = (step: Step): Part[] =>
  step.halves === true ? ['1/2', '2/2'].map((shard) => ({ step, shard })) : [{ step }];

async function runPart({ step, shard }: Part, options: CommandOptions): Promise<Outcome> {
  const missing = missingComponents(step.needs);
  if (missing.length > 0) {
    const names = missing.map(({ id }) => id).join(', ');
    return one(`not run: missing ${names}; npm test installs it as root, or prints how`);
  }
  try {
    return await step.run(options, shard);
  } catch (error) {
    return one(error instanceof Error ? error.message : String(error));
  }
}

/** Takes parts from the queue until it is empty, runs each to its end and reports it. */
async function runInTurn(queue: Part[], options: CommandOptions, ended: Map<Step, Ended[]>): Promise<void> {
  for (let part = queue.shift(); part !== undefined; part = queue.shift()) {
    const { step, shard } = part;
    const name = shard === undefined ? step.id : `${step.id} ${shard}`;
    process.stdout.write(`\n== ${name}: ${step.checks}\n`);
    const start = performance.now();
    const outcome = await runPart(part, options);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const row = `${name.padEnd(NAME_COLUMNS)} ${seconds.padStart(7)} s  ${outcome.passed} passed, ${outcome.failed} failed`;
    ended.set(step, [...(ended.get(step) ?? []), { outcome, row }]);
    process.stdout.write(`-- ${row}\n`);
  }
}

/** Runs the steps and prints their results, after them what was left out, and why. Returns the exit code. */
async function runSteps({ chosen, leftOut }: Choice): Promise<number> {
  const needs = [...new Set(chosen.flatMap((step) => step.needs))];
  provision(needs);
  if (needs.includes('compiler')) rebuildPty();
  const outside = outsideStep();
  // Before the steps run, because a file may be written meanwhile.
  const hashes = new Map(
    chosen.flatMap(({ id, sources }) => (sources === undefined ? [] : [[id, hashOfSources(root, sources)] as const])),
  );
  const ended = new Map<Step, Ended[]>();
  const inLane = (lane: Step['lane']): Part[] => chosen.filter((step) => step.lane === lane).flatMap(partsOf);
  await runInTurn(inLane('first'), {}, ended);
  const pairs = inLane('pairs');
  await Promise.all([
    runInTurn(inLane('spare'), pairs.length === 0 ? {} : { nice: NICE }, ended),
    runInTurn(pairs, {}, ended),
    runInTurn(pairs, {}, ended),
  ]);
  await runInTurn([...inLane(undefined), { step: outside }], {}, ended);
  const run = [...chosen, outside];
  const rows = [
    ...run.flatMap((step) => ended.get(step)!.map(({ row }) => row)),
    ...leftOut.map(({ id, reason }) => `${id.padEnd(NAME_COLUMNS)} not run: ${reason}`),
  ];
  const { passed, failed, problems, unsteady } = sum(
    run.map((step) => {
      const outcome = sum(ended.get(step)!.map((part) => part.outcome));
      const hash = hashes.get(step.id);
      if (isFull && hash !== undefined && outcome.failed === 0) writeFullRun(root, step.id, hash, new Date());
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
  process.exitCode = await runSteps(chooseSteps(steps, { only: values.only, isFull, checkout: root }));
} catch (error) {
  process.stderr.write(`npm test: ${error instanceof Error ? error.message : String(error)}\n${usage}\n`);
  process.exitCode = 2;
}
