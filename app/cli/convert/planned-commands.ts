import { quoteArgv } from '#core/contract/quote-argv.ts';
import type { Check } from '#core/contract/schemas.ts';
import { inputError } from '../errors.ts';
import { print, warn } from '../output/terminal.ts';
import { jsonText } from '../output/json-text.ts';

/** Prints what `--dry-run` shows: `plan` as JSON, or the commands. */
export function printCommands(commands: readonly (readonly string[])[], plan: object, json: true | undefined): void {
  print(json === true ? jsonText(plan) : commands.map((argv) => `${quoteArgv(argv)}\n`).join(''));
}

export function warnOfChecks(checks: readonly Check[]): void {
  for (const { id, status, found, remedy } of checks) {
    if (status === 'warning') warn(`${id}: ${found}${remedy === null ? '' : `; ${remedy}`}`);
  }
}

/** Returns the error for the failed check: the program can't read the input. */
export function refusedInput(program: string, checks: readonly Check[]): Error {
  const failed = checks.find(({ status }) => status === 'failed');
  return inputError(`${program} can’t read it: ${failed?.found ?? 'the reason is unknown'}`, failed?.remedy ?? null);
}
