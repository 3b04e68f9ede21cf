import type { BpftraceOptions } from '#core/contract/bpftrace.ts';
import { RECIPES } from '#core/contract/recipes.ts';
import { commandStep, type Plan } from '../collector.ts';
import { bpftraceScript } from './script.ts';

export const RAW_FILE = 'raw.bpftrace.txt';

/** Facts about the target that {@link planBpftrace} needs. */
interface BpftraceFacts {
  /** Absolute path. */
  readonly bpftracePath: string;
  readonly version: string | null;
  /** File that the recipe's script names. */
  readonly binary: string | null;
  /** The argv with which bpftrace becomes root; see {@link Plan.sudo}. */
  readonly sudo: readonly string[] | null;
}

/**
 * Number of rows that a map can hold. bpftrace's default of 4,096 is low for a whole system. Each row takes about 100
 * bytes, per CPU for counted maps.
 */
const MAP_KEYS = 32_768;

/** `LC_ALL` is set because bpftrace's messages are parsed. Newer versions call the limit `BPFTRACE_MAX_MAP_KEYS`. */
export const BPFTRACE_ENVIRONMENT = {
  LC_ALL: 'C',
  BPFTRACE_MAP_KEYS_MAX: String(MAP_KEYS),
  BPFTRACE_MAX_MAP_KEYS: String(MAP_KEYS),
};

/**
 * Returns exactly the command that will run. Pure. The script is an argument, so nothing is written to the target. With
 * `-p`, bpftrace ends when the process does. `-B line` sends each row over the link when it is printed. `--unsafe` is
 * never used.
 */
export function planBpftrace(facts: BpftraceFacts, options: BpftraceOptions): Plan<BpftraceOptions> {
  const { what, scope } = options;
  const pid = scope.kind === 'pid' ? String(scope.pid) : null;
  const argv = [
    facts.bpftracePath,
    '-B',
    'line',
    ...(pid === null ? [] : ['-p', pid]),
    '-e',
    bpftraceScript(what, facts.binary),
    pid ?? '0',
  ];
  const recipe = what.kind === 'recipe' ? RECIPES[what.recipe] : null;
  return {
    collector: 'bpftrace',
    options,
    steps: [commandStep(argv)],
    piped: false,
    sudo: facts.sudo,
    otherFiles: [],
    toolVersion: facts.version,
    event: recipe === null ? null : recipe.valueType.type,
    rateHz: what.kind === 'recipe' && RECIPES[what.recipe].hasRate ? what.rateHz : null,
  };
}
