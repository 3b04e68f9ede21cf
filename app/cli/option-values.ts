import { InvalidArgumentError, Option, type Command } from 'commander';
import { usageError } from './errors.ts';

/** Collects the values of a repeatable option. */
export const collect = (value: string, previous: readonly string[] = []): string[] => [...previous, value];

/** Parses the value of `-n`; 0 means all. */
export function rowCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It takes a whole number.');
  return Number(text);
}

export const wholeNumberOption =
  (least: number, most: number, what = 'a whole number') =>
  (text: string) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It takes ${what} from ${least} to ${most}.`);
  };

export const readPid = wholeNumberOption(1, 4_194_304, 'a process ID, a whole number');

/** Parses a number with decimals; `what` names it, as in `It takes minutes from 0 to 60.` */
export const numberOption = (what: string, least: number, most: number) => (text: string) => {
  const value = Number(text);
  if (/^\d+(?:\.\d+)?$/.test(text) && value >= least && value <= most) return value;
  throw new InvalidArgumentError(`It takes ${what} from ${least} to ${most}.`);
};

export const seconds = (least: number, most: number) => numberOption('seconds', least, most);

const DEFAULT_ROWS = 20;

/** `-n` of a command that also has `--json` and `--csv`; `name` is its long form, `rows` what it counts. */
export const rowsOption = (name: 'number' | 'top', rows = 'rows'): Option =>
  new Option(
    `-n, --${name} <${rows}>`,
    `${rows} to print, 0 for all (default: ${DEFAULT_ROWS}, all with --json, --csv)`,
  ).argParser(rowCount);

/** Returns how many rows are printed by {@link rowsOption}; Infinity: all. */
export function rowLimitOf(
  given: number | undefined,
  { json, csv }: { readonly json?: true; readonly csv?: true },
): number {
  const rows = given ?? (json === true || csv === true ? 0 : DEFAULT_ROWS);
  return rows === 0 ? Infinity : rows;
}

/** Options that all commands take, see common-options.ts. */
const COMMON: readonly string[] = ['quiet', 'verbose', 'color'];

/**
 * Throws a usage error if one of the options, by their names in `opts()`, is given: `what` would ignore it. The remedy
 * says what to do instead.
 */
export const refuseOptions = (command: Command, what: string, names: readonly string[], remedy?: string): void =>
  refuseGiven(command, what, (name) => names.includes(name), remedy);

/** The same for all options but these. */
export const takesOnly = (command: Command, what: string, names: readonly string[], remedy?: string): void =>
  refuseGiven(command, what, (name) => !names.includes(name) && !COMMON.includes(name), remedy);

function refuseGiven(
  command: Command,
  what: string,
  isIgnored: (name: string) => boolean,
  remedy = 'leave it out',
): void {
  const given = command.options.find((option) => {
    const name = option.attributeName();
    return isIgnored(name) && command.getOptionValueSource(name) === 'cli';
  });
  if (given !== undefined) throw usageError(`${what} does not take ${given.long}`, remedy);
}
