import { Option, type Command } from 'commander';
import type { Normalisation } from '#core/contract/normalisation.ts';
import { REDACTIONS, USUAL_REDACTIONS, type Redaction } from '#core/redact/identities.ts';
import { REPORT_TABLES, type ReportTable } from '#core/report/report-text.ts';
import { templates } from '#core/report/templates.ts';
import { declareReading } from '../diff/options.ts';
import { usageError } from '../errors.ts';
import { addInputOptions, type InputOptions, type SelectionOptions } from '../input/input-options.ts';
import { addTransformOptions } from '../input/transform-options.ts';
import { collect, refuseOptions } from '../option-values.ts';
import { FORCE_OPTION, outputOption } from '../output/output-file.ts';

/** File extensions that a report can be written with. */
const REPORT_FORMATS = ['html', 'svg', 'png', 'md', 'csv', 'json'] as const;
type ReportFormat = (typeof REPORT_FORMATS)[number];

interface ReportFlags extends InputOptions, SelectionOptions {
  readonly output: string;
  readonly force?: true;
  readonly to?: ReportFormat;
  readonly compare?: true;
  readonly hops?: true;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  readonly notes?: string;
  readonly template?: string;
  readonly title?: string;
  readonly author?: string;
  readonly redact?: string;
  readonly keep?: readonly string[];
  readonly times: boolean;
  readonly table?: ReportTable;
  readonly interactive?: true;
  readonly scale: string;
  readonly normalize?: Normalisation;
  readonly requests?: readonly string[];
}

/** The parsed command line of `flamebench report`. */
export interface ReportRequest extends Omit<ReportFlags, 'to' | 'redact' | 'scale' | 'before' | 'after' | 'keep'> {
  readonly words: readonly string[];
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly format: ReportFormat;
  readonly isComparison: boolean;
  /** Null applies the defaults, or none to a report that was saved before. */
  readonly redactions: ReadonlySet<Redaction> | null;
  readonly keep: ReadonlySet<string>;
  /** Device pixels per CSS pixel of the picture. */
  readonly scale: number;
}

export function declareReportOptions(command: Command): void {
  command
    .argument('[in...]', 'profiles, captures, an experiment, or a saved report; with --compare BEFORE AFTER')
    .addOption(
      outputOption(
        `file to write: ${REPORT_FORMATS.map((format) => `.${format}`).join(' ')}; - is stdout`,
      ).makeOptionMandatory(),
    )
    .option('--force', `${FORCE_OPTION[1]}; replace the picture of an earlier .md`)
    .addOption(new Option('--to <format>', 'what to write, whatever the file is called').choices(REPORT_FORMATS))
    .option('--compare', 'compare BEFORE with AFTER')
    .option('--hops', 'load tests of 2 to 8 hops, the innermost first: the latency that each adds')
    .option('--before <in...>', 'captures of the before side (repeatable)', collect)
    .option('--after <in...>', 'captures of the after side (repeatable)', collect)
    .option('--notes <file>', 'notes to add: notes.json, or Markdown as one note on the whole')
    .option(
      '--template <name>',
      `sections and their order: ${templates.map(({ id }) => id).join(', ')}, one that you saved, or a file`,
    )
    .option('--title <text>', 'title of the report')
    .option('--author <name>', 'who made it')
    .option(
      '--redact <kinds>',
      `what becomes placeholders: ${REDACTIONS.join(', ')}; all or none (default: ${USUAL_REDACTIONS.join(',')})`,
    )
    .option('--keep <text>', 'text that is not replaced (repeatable)', collect)
    .option('--no-times', 'leave out the times of samples: a smaller file')
    .addOption(new Option('--table <table>', 'table to write as CSV').choices(REPORT_TABLES))
    .option('--interactive', 'SVG: clicks zoom, Ctrl+F searches')
    .addOption(
      new Option('--scale <n>', 'PNG: pixels of the picture, 1 to 4 times').choices(['1', '2', '3', '4']).default('2'),
    );
  declareReading(command);
  addInputOptions(command);
  addTransformOptions(command);
}

/** Options that one format takes. */
const FORMAT_OPTIONS = { table: 'csv', interactive: 'svg', scale: 'png' } as const satisfies Record<
  string,
  ReportFormat
>;

/** How a report is written, whatever it is of. */
export const WRITING_OPTIONS: readonly string[] =
  'output force to table interactive scale times library notes template title author redact keep'.split(' ');

/** Throws a usage error for conflicting options. */
export function readReportRequest(command: Command): ReportRequest {
  const { to, redact, scale, before = [], after = [], keep = [], ...flags } = command.opts<ReportFlags>();
  const words = command.args;
  if (words.length === 0 && before.length === 0 && after.length === 0) {
    throw usageError('nothing to report on', 'name a profile, a capture or an experiment');
  }
  if ((before.length === 0) !== (after.length === 0) && flags.compare !== true) {
    throw usageError(
      `the ${before.length === 0 ? 'before' : 'after'} side is empty`,
      'give --before F… and --after F…',
    );
  }
  if (flags.hops === true && (flags.compare === true || before.length > 0 || after.length > 0)) {
    throw usageError('--hops and --compare exclude each other');
  }
  const format = to ?? formatOf(flags.output);
  for (const [option, only] of Object.entries(FORMAT_OPTIONS))
    if (format !== only) refuseOptions(command, `a report as ${format}`, [option], `it is for ${only}`);
  return {
    ...flags,
    words,
    before,
    after,
    format,
    isComparison: flags.compare === true || before.length > 0,
    redactions: redact === undefined ? null : readRedactions(redact),
    keep: new Set(keep),
    scale: Number(scale),
  };
}

function formatOf(output: string): ReportFormat {
  const extension = /\.([a-z]+)$/i.exec(output)?.[1]?.toLowerCase();
  const format = REPORT_FORMATS.find((known) => known === extension || (known === 'html' && extension === 'htm'));
  if (format !== undefined) return format;
  throw usageError(`can’t tell what to write from the name ${output}`, `add --to ${REPORT_FORMATS.join('|')}`);
}

function readRedactions(text: string): ReadonlySet<Redaction> {
  if (text === 'none') return new Set();
  if (text === 'all') return new Set(REDACTIONS);
  const kinds = text.split(',');
  const unknown = kinds.find((kind) => !REDACTIONS.some((known) => known === kind));
  if (unknown !== undefined)
    throw usageError(`--redact: unknown kind '${unknown}'`, `use ${REDACTIONS.join(', ')}, all or none`);
  return new Set(kinds as Redaction[]);
}
