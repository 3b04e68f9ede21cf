import { InvalidArgumentError, Option, type Command } from 'commander';
import {
  FUNCTION_NAME,
  MAX_SCRIPT_CHARACTERS,
  RECIPE_IDS,
  STACK_CHOICES,
  type BpftraceOptions,
  type RecipeId,
  type StackChoice,
} from '#core/contract/bpftrace.ts';
import { RECIPES, stacksOf, type Recipe } from '#core/contract/recipes.ts';
import { usageError } from '../errors.ts';
import { readOptionFile } from '../input/read-option-file.ts';
import { refuseOptions, seconds, wholeNumberOption } from '../option-values.ts';
import { collectPids, ofTarget, readHostSeries, type SeriesFlags, type SeriesRequest } from './series-options.ts';

/** Options of the collectors that run recipes and scripts. */
export interface RecipeFlags extends SeriesFlags {
  readonly recipe?: RecipeId;
  readonly script?: string;
  readonly pid?: readonly number[];
  readonly system?: true;
  readonly rate: number;
  readonly stacks?: StackChoice;
  readonly function?: string;
  readonly seconds?: number;
  readonly sudo?: true;
}

/** Declares the options; `script` describes the user's own script. */
export function declareRecipeOptions(command: Command, script: string): void {
  command
    .addOption(
      new Option('--recipe <recipe>', 'what to record; flamebench recipes explains each').choices([...RECIPE_IDS]),
    )
    .option('--script <file>', script)
    .option('--pid <pid>', 'record this process; with several targets, one PID for each, in order', collectPids)
    .option(
      '--rate <hertz>',
      'for on-cpu, wall-clock and lua: samples per second and CPU',
      wholeNumberOption(1, 9999),
      99,
    )
    .addOption(
      new Option('--stacks <stacks>', 'for on-cpu and lua: which stacks; default: both').choices([...STACK_CHOICES]),
    )
    .option('--function <name>', 'for latency: a function of the process’s executable', functionName)
    .option('--seconds <seconds>', 'how long; default: until Ctrl-C or the process exits', seconds(0.1, 86_400));
}

/** Throws a usage error for conflicting options. `tool` is its name in messages. */
export function readRecipeSeries(command: Command, tool: string): SeriesRequest {
  const flags = command.opts<RecipeFlags>();
  if (command.args.length > 0) {
    throw usageError(`${tool} does not launch commands`, 'start the program, then give --pid');
  }
  const series = readHostSeries(flags);
  if (series.repeat > 1 && flags.seconds === undefined) {
    throw usageError('--repeat needs an end for each run', 'give --seconds');
  }
  return series;
}

/** Reads what is recorded; the same for each tool. */
export function readWhat(command: Command, byDefault?: RecipeId): BpftraceOptions['what'] {
  const { recipe = byDefault, script, rate, stacks, function: name } = command.opts<RecipeFlags>();
  if (script !== undefined) {
    if (recipe !== undefined) throw usageError('--recipe and --script can’t be combined', 'give one of them');
    refuseOptions(command, '--script', ['rate', 'stacks', 'function'], 'it is for recipes');
    return { kind: 'script', text: readScriptFile(script) };
  }
  if (recipe === undefined)
    throw usageError('nothing to record', 'give --recipe NAME (flamebench recipes) or --script FILE');
  const { hasFunction, hasRate, stacks: choices }: Recipe = RECIPES[recipe];
  if (!hasRate) refuseOptions(command, recipe, ['rate'], `it is for ${withRate.join(', ')}`);
  if (hasFunction && name === undefined) throw usageError(`${recipe} needs a function`, 'give --function NAME');
  if (!hasFunction && name !== undefined) throw usageError(`--function is not for ${recipe}`, 'give --recipe latency');
  if (stacks !== undefined && !choices.includes(stacks)) {
    const others = RECIPE_IDS.filter((id) => stacksOf(RECIPES[id], stacks) === stacks);
    throw usageError(
      `${recipe} does not record --stacks ${stacks}`,
      `it records ${choices.join(', ')}; ${stacks} is for ${others.join(', ')}`,
    );
  }
  return {
    kind: 'recipe',
    recipe,
    rateHz: rate,
    stacks: stacks ?? choices[0]!,
    ...(name === undefined ? {} : { function: name }),
  };
}

const withRate = RECIPE_IDS.filter((id) => RECIPES[id].hasRate);

export function readScope({ pid, system }: RecipeFlags, index: number, targets: number): BpftraceOptions['scope'] {
  const chosen = ofTarget('--pid', pid, index, targets);
  if (chosen !== undefined && system === true)
    throw usageError('--pid and --system can’t be combined', 'give one of them');
  if (chosen !== undefined) return { kind: 'pid', pid: chosen, startTicks: null };
  if (system === true) return { kind: 'system' };
  throw usageError('nothing to record', 'give --pid N or --system');
}

function readScriptFile(path: string): string {
  const text = readOptionFile(path);
  if (text.trim() === '') throw usageError(`${path} is empty`, null);
  if (text.length > MAX_SCRIPT_CHARACTERS || text.includes('\0')) {
    throw usageError(
      `${path} is not a script of at most ${MAX_SCRIPT_CHARACTERS.toLocaleString('en')} characters`,
      null,
    );
  }
  return text;
}

function functionName(text: string): string {
  if (FUNCTION_NAME.test(text)) return text;
  throw new InvalidArgumentError('It takes a symbol as nm prints it.');
}
