import { usageError } from '../errors.ts';
import { saveOutput } from '../output/output-file.ts';
import type { LoadOptions } from './load-options.ts';

/** What a command prints, by format; a missing one is refused. */
export interface Printed {
  /** Plural noun for the refusal: `probes`. */
  readonly what: string;
  readonly text: () => string;
  readonly json: () => string;
  readonly csv: () => string;
  readonly dat?: () => string;
}

/** Writes the format that the options choose, text by default, to `--output`. */
export function writePrinted(
  options: Pick<LoadOptions, 'json' | 'csv' | 'dat' | 'output' | 'force'>,
  printed: Printed,
): void {
  const format = options.json === true ? 'json' : options.csv === true ? 'csv' : options.dat === true ? 'dat' : 'text';
  const print = printed[format];
  if (print === undefined) throw usageError(`${printed.what} are not printed as --dat`, 'use text, --json or --csv');
  saveOutput(options.output, options, print());
}
