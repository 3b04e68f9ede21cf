import { Option, type Command } from 'commander';
import { NORMALISATIONS, type Normalisation } from '#core/contract/normalisation.ts';
import type { Side } from '#core/contract/side.ts';
import { ALL_RULES } from '#core/compare/match/all-rules.ts';
import type { Metric } from '#core/compare/statistics/judge.ts';
import { EXECUTABLE } from '#core/compare/match/match-programs.ts';
import type { MatchPair, MatchRules, UserRule } from '#core/compare/match/match-rules.ts';
import { STDIO } from '#app/engine/files/classify-word.ts';
import { checkNames, checkPattern } from '../check-pattern.ts';
import { usageError } from '../errors.ts';
import { parseFailCondition, type FailCondition } from './fail-condition.ts';
import { LIBRARY_OPTION } from '../library/library-option.ts';
import { collect, refuseOptions, rowLimitOf, rowsOption, takesOnly } from '../option-values.ts';
import { FORCE_OPTION, outputOption } from '../output/output-file.ts';
import { parseSubstitution } from '../input/pattern-text.ts';
import { addSelectionOptions, type InputOptions, type SelectionOptions } from '../input/input-options.ts';
import { addTransformOptions } from '../input/transform-options.ts';

export const SHOWN_FUNCTIONS = ['all', 'changed', 'grew', 'shrank', 'maybe', 'new', 'removed'] as const;
/** The former name of `maybe` in `--show`, which scripts may still use. */
const OLD_MAYBE = 'suggestive';
/** `changed` shows functions that grew or shrank. */
export type ShownFunctions = (typeof SHOWN_FUNCTIONS)[number];

/** How an inconclusive condition affects the exit code: 5, 1 or 0. */
const INCONCLUSIVE = ['exit5', 'fail', 'pass'] as const;
type Inconclusive = (typeof INCONCLUSIVE)[number];

type DiffFormat = 'text' | 'json' | 'csv' | 'folded';

/** Options of `--self-test`, which splits captures into A and A. */
export interface SelfTestRequest {
  /** Weight added to a function; 0.1 is 10 %. */
  readonly slowdown: number;
  /** A pattern of the functions to slow down; null selects the heaviest. */
  readonly slow: string | null;
}

/** The options of `flamebench diff`. */
export interface DiffRequest {
  /** Words as given: files, `-` and IDs of captures. A single word may be an experiment, or a file with two columns. */
  readonly words: readonly string[];
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly library: string | undefined;
  readonly reading: InputOptions;
  /** Null uses the experiment's, else the default for the data. */
  readonly normalisation: Normalisation | null;
  readonly types: SideValues;
  readonly times: SideValues;
  readonly threads: readonly string[];
  readonly requests: Readonly<Record<Side, readonly number[]>>;
  /** Null uses the experiment's, else the format's default. */
  readonly rules: MatchRules | null;
  readonly conditions: readonly FailCondition[];
  readonly allowSingle: boolean;
  readonly inconclusive: Inconclusive;
  /** Null compares the sides. */
  readonly selfTest: SelfTestRequest | null;
  readonly format: DiffFormat;
  readonly output: string;
  readonly force: boolean;
  readonly metric: Metric;
  readonly shown: ShownFunctions;
  /** Infinity prints all rows. */
  readonly rowLimit: number;
  readonly open: boolean;
}

interface DiffFlags {
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  readonly normalize?: Normalisation;
  readonly type?: readonly string[];
  readonly time?: readonly string[];
  readonly thread?: readonly string[];
  readonly requests?: readonly string[];
  readonly rules?: string;
  readonly rulesOff?: readonly string[];
  readonly renameRule?: readonly string[];
  readonly ignoreModules?: true;
  readonly match?: readonly string[];
  readonly sameProgram?: true;
  readonly failOn?: readonly string[];
  readonly allowSingle?: true;
  readonly selfTest?: true;
  readonly slowdown?: string;
  readonly slow?: string;
  readonly inconclusive: Inconclusive;
  readonly sort: Metric;
  readonly cum?: true;
  readonly show: ShownFunctions;
  readonly top?: number;
  readonly json?: true;
  readonly csv?: true;
  readonly to?: 'folded';
  readonly output: string;
  readonly force?: true;
  readonly library?: string;
  readonly from?: string;
  readonly open?: true;
}

/** Maximum of `--slowdown`: a function takes eleven times as long. */
const MOST_SLOWDOWN = 10;
const RULE_IDS = ALL_RULES.map(({ id }) => id);

export function declareDiffOptions(command: Command): void {
  command
    .argument('[in...]', 'BEFORE and AFTER, or an experiment, or a folded file with two columns; - is stdin')
    .option('--before <in...>', 'captures of the before side (repeatable)', collect)
    .option('--after <in...>', 'captures of the after side (repeatable)', collect)
    .option('--requests <counts>', 'requests served during each capture: before=1000,1020,after=998', collect)
    .option('--type <type>', 'value type, as type or type/unit; before=T,after=T for each side', collect)
    .option('--thread <id-or-name>', 'only this thread (repeatable)', collect)
    .option('--time <start..end>', 'only samples in this time range; before=R,after=R for each side', collect);
  declareJudging(command);
  command
    .option('--self-test', 'split the captures into A and A: report false alarms and the detection rate of a slowdown')
    .option('--slowdown <percent>', 'slowdown that --self-test adds to one function at a time, in % (default: 10)')
    .option('--slow <regex>', 'functions that --self-test slows down (default: the heaviest)')
    .addOption(new Option('--to <format>', 'stacks with both counts, as difffolded.pl writes them').choices(['folded']))
    .option('--open', 'open the comparison in the workbench')
    .option(...LIBRARY_OPTION)
    .option('--from <format>', 'format of the inputs; overrides detection');
  addTransformOptions(command, ['show']);
}

const normalizeOption = (): Option =>
  new Option('--normalize <how>', 'what weights are divided by; default: chosen from the data').choices([
    ...NORMALISATIONS,
  ]);

/** Declares how one or two sides are read where no option is given for a single side. */
export function declareReading(command: Command): void {
  command
    .addOption(normalizeOption())
    .option('--requests <counts>', 'requests served during each capture: before=1000,1020,after=998', collect);
  addSelectionOptions(command);
}

/** Declares how sides are compared and what is printed, whatever they are read from. */
export function declareJudging(command: Command): void {
  command
    .addOption(normalizeOption())
    .option('--rules <rules>', 'rules that match functions: all, none, or ids; default: all, with --to folded none')
    .option('--rules-off <rules>', `rules to switch off: ${RULE_IDS.join(', ')}`, collect)
    .option('--rename-rule <s/regex/replacement/>', 'your own rule, applied after the others (repeatable)', collect)
    .option('--match <old=new>', 'match these functions, as after a rename or a move (repeatable)', collect)
    .option('--ignore-modules', 'match functions regardless of module')
    .option('--same-program', 'treat the recorded programs as builds of one program, however few functions they share')
    .option('--fail-on <condition>', "exit with 1 if it holds: 'total(regex) > +5%' (repeatable)", collect)
    .option('--allow-single', 'decide --fail-on by intervals within these runs, for fewer than 3 captures a side')
    .addOption(
      new Option('--inconclusive <how>', 'what --fail-on does if these runs can’t decide')
        .choices([...INCONCLUSIVE])
        .default('exit5'),
    )
    .addOption(new Option('--sort <column>', 'weight to show and sort by').choices(['self', 'total']).default('self'))
    .addOption(new Option('--cum', 'the same as --sort total').conflicts('sort'))
    .addOption(
      new Option('--show <functions>', `which functions: ${SHOWN_FUNCTIONS.join(', ')}`)
        .argParser(readShown)
        .default('all'),
    )
    .addOption(rowsOption('top'))
    .option('--json', 'print JSON')
    .option('--csv', 'print comma-separated values')
    .addOption(outputOption('file to write; - is stdout', STDIO))
    .option(...FORCE_OPTION);
}

/** The options of commands that read two sides and judge them by themselves. */
interface SideFlags extends InputOptions, SelectionOptions {
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  readonly normalize?: Normalisation;
  readonly requests?: readonly string[];
}

/** Returns the request that reads both sides with these options, and otherwise as `diff` does by default. */
export const sidesRequest = (words: readonly string[], flags: SideFlags): DiffRequest => ({
  words,
  before: flags.before ?? [],
  after: flags.after ?? [],
  library: flags.library,
  reading: flags,
  normalisation: flags.normalize ?? null,
  types: parseSideValues(flags.type === undefined ? [] : [flags.type]),
  times: parseSideValues(flags.time === undefined ? [] : [flags.time]),
  threads: flags.thread ?? [],
  requests: readRequests(flags.requests ?? []),
  rules: null,
  conditions: [],
  allowSingle: false,
  inconclusive: 'pass',
  selfTest: null,
  format: 'text',
  output: STDIO,
  force: false,
  metric: 'self',
  shown: 'all',
  rowLimit: Infinity,
  open: false,
});

/** Options of what a table shows, and of what `--fail-on` decides. */
const TABLE_OPTIONS = ['sort', 'cum', 'show', 'top'];
const CONDITION_OPTIONS = ['allowSingle', 'inconclusive'];

/** Throws a usage error for conflicting options. */
export function readDiffRequest(command: Command): DiffRequest {
  const flags = command.opts<DiffFlags>();
  const format = readFormat(flags);
  if (flags.open === true && (format !== 'text' || flags.output !== STDIO || flags.failOn !== undefined)) {
    throw usageError('--open shows the comparison in the workbench and prints nothing', 'leave out the output options');
  }
  if (flags.open === true)
    takesOnly(command, '--open', ['open', 'before', 'after', 'library', 'selfTest'], 'choose it in the window');
  if (flags.selfTest === true) refuseOptions(command, '--self-test', [...TABLE_OPTIONS, ...CONDITION_OPTIONS]);
  if (format === 'folded') refuseOptions(command, '--to folded', TABLE_OPTIONS);
  if (flags.failOn === undefined) refuseOptions(command, 'diff without --fail-on', CONDITION_OPTIONS);
  return {
    words: command.args,
    before: flags.before ?? [],
    after: flags.after ?? [],
    library: flags.library,
    reading: { from: flags.from },
    normalisation: flags.normalize ?? null,
    types: parseSideValues(flags.type ?? []),
    times: parseSideValues(flags.time ?? []),
    threads: flags.thread ?? [],
    requests: readRequests(flags.requests ?? []),
    rules: readRules(flags),
    conditions: (flags.failOn ?? []).map(parseFailCondition),
    allowSingle: flags.allowSingle === true,
    inconclusive: flags.inconclusive,
    selfTest: readSelfTest(flags, format),
    format,
    output: flags.output,
    force: flags.force === true,
    metric: flags.cum === true ? 'total' : flags.sort,
    shown: flags.show,
    rowLimit: rowLimitOf(flags.top, flags),
    open: flags.open === true,
  };
}

function readShown(text: string): ShownFunctions {
  const shown = text === OLD_MAYBE ? 'maybe' : SHOWN_FUNCTIONS.find((known) => known === text);
  if (shown !== undefined) return shown;
  throw usageError(`--show: unknown kind '${text}'`, `use ${SHOWN_FUNCTIONS.join(', ')}`);
}

/** Returns null without `--self-test`. */
function readSelfTest(flags: DiffFlags, format: DiffFormat): SelfTestRequest | null {
  if (flags.selfTest !== true) {
    if (flags.slowdown === undefined && flags.slow === undefined) return null;
    throw usageError('--slowdown and --slow need --self-test', 'add --self-test');
  }
  if (flags.failOn !== undefined || flags.open === true || format === 'folded') {
    throw usageError(
      '--self-test prints only text, JSON or CSV and checks no condition',
      'leave out --fail-on, --open and --to',
    );
  }
  const percent = /^\+?(\d+\.?\d*|\.\d+)\s*%?$/.exec(flags.slowdown ?? '10')?.[1];
  const slowdown = Number(percent ?? Number.NaN) / 100;
  if (!(slowdown > 0 && slowdown <= MOST_SLOWDOWN)) {
    throw usageError(
      `--slowdown: '${flags.slowdown}' is not a slowdown`,
      `give a percentage above 0 and up to ${100 * MOST_SLOWDOWN}`,
    );
  }
  if (flags.slow !== undefined) checkNames(flags.slow, '--slow');
  return { slowdown, slow: flags.slow ?? null };
}

function readFormat({ json, csv, to }: DiffFlags): DiffFormat {
  const asked = [
    ...(json === true ? ['json'] : []),
    ...(csv === true ? ['csv'] : []),
    ...(to === undefined ? [] : [to]),
  ];
  if (asked.length > 1) throw usageError(`${asked.join(' and ')} can’t be combined`, 'give one of them');
  return (asked[0] as DiffFormat | undefined) ?? 'text';
}

/** Parses the counts of a side, separated by commas: one for all its captures, or one for each. */
export function readRequests(given: readonly string[]): DiffRequest['requests'] {
  const texts = parseSideValues(given);
  const counts = (text: string | undefined): number[] => (text === undefined ? [] : text.split(',').map(readCount));
  return { before: counts(texts.before), after: counts(texts.after) };
}

function readCount(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count > 0 && Number.isSafeInteger(count)) return count;
  throw usageError(`--requests: '${text}' is not a number of requests`, 'write before=1000,1020,after=998');
}

/** Returns null if none of the options is given. */
function readRules({ rules, rulesOff, renameRule, match, ignoreModules, sameProgram }: DiffFlags): MatchRules | null {
  if ([rules, rulesOff, renameRule, match, ignoreModules, sameProgram].every((flag) => flag === undefined)) return null;
  const on =
    rules === undefined || rules === 'all' ? RULE_IDS : rules === 'none' ? [] : readRuleIds('--rules', [rules]);
  const off = readRuleIds('--rules-off', rulesOff ?? []);
  if (sameProgram === true && (!on.includes(EXECUTABLE) || off.includes(EXECUTABLE))) {
    throw usageError(
      `--same-program needs the rule ${EXECUTABLE}, which is off`,
      `add ${EXECUTABLE} to --rules, or leave it out of --rules-off`,
    );
  }
  return {
    off: RULE_IDS.filter((id) => !on.includes(id) || off.includes(id)),
    user: (renameRule ?? []).map(readUserRule),
    ...(match === undefined ? {} : { pairs: match.map(readPair) }),
    ignoreModules: ignoreModules === true,
    ...(sameProgram === true ? { sameProgram } : {}),
  };
}

function readPair(text: string): MatchPair {
  const [before = '', after = '', ...more] = text.split('=').map((part) => part.trim());
  if (before !== '' && after !== '' && more.length === 0) return { before, after };
  throw usageError(
    `--match ${text}: not of the form OLD=NEW`,
    "match names that contain = by a pattern: --rename-rule 's/^old$/new/'",
  );
}

function readRuleIds(option: string, given: readonly string[]): string[] {
  const ids = given.flatMap((text) => text.split(','));
  const unknown = ids.find((id) => !RULE_IDS.includes(id));
  if (unknown === undefined) return ids;
  throw usageError(`${option}: unknown rule '${unknown}'`, `use ${RULE_IDS.join(', ')}`);
}

function readUserRule(text: string): UserRule {
  const rule = parseSubstitution(text, '--rename-rule');
  checkPattern(rule.pattern, '--rename-rule');
  return rule;
}

/** The value of an option for each side; undefined if not given. */
type SideValues = Readonly<Record<Side, string | undefined>>;

const PREFIX = /^(before|after)=/;
/** A value may itself contain commas: `cpu/event=0x3c,umask=0/`. */
const NEXT_SIDE = /,(?=(?:before|after)=)/;

/** Parses `X`, `before=X`, `after=Y` and `before=X,after=Y`; later values take precedence. */
export function parseSideValues(given: readonly string[]): SideValues {
  const values: Record<Side, string | undefined> = { before: undefined, after: undefined };
  for (const text of given) {
    if (!PREFIX.test(text)) values.before = values.after = text;
    else {
      for (const part of text.split(NEXT_SIDE)) {
        const side = part.startsWith('before') ? 'before' : 'after';
        values[side] = part.slice(`${side}=`.length);
      }
    }
  }
  return values;
}
