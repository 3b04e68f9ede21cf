import type { Command } from 'commander';
import type { Comparison } from '#core/compare/comparison.ts';
import { compareFunctions } from '#core/compare/compare-functions.ts';
import type { Normalisation } from '#core/contract/normalisation.ts';
import { buildDeltaTree } from '#core/compare/delta-tree.ts';
import { comparisonNotes } from '#core/compare/describe-comparison.ts';
import { runCounts } from '#core/compare/verdict-words.ts';
import { ALL_RULES } from '#core/compare/match/all-rules.ts';
import type { MatchRules } from '#core/compare/match/match-rules.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import type { ComparedLoads } from '../load/compared.ts';
import { selectSides, type DiffSides, type DiffCapture } from './captures.ts';
import { findDiffInputs, findSelfTestInputs, namedWords } from './inputs.ts';
import { diffAsJson, type DiffDocument } from './json.ts';
import { declareDiffOptions, readDiffRequest, type DiffRequest, type SelfTestRequest } from './options.ts';
import { diffAsText } from './print.ts';
import { runSelfTest, selfTestAsCsv, selfTestAsJson, selfTestAsText } from './self-test.ts';
import { rankRows, captureRows, type DiffRow } from './report.ts';
import { toCliError } from '../engine-errors.ts';
import { judgeConditions, type ConditionResult } from './fail-evidence.ts';
import { conditionLines } from './fail-lines.ts';
import { saveOutput, writeOutput, type OutputFile } from '../output/output-file.ts';
import { createLimitedPatternRunner } from '../input/pattern-runner.ts';
import { takesOnly } from '../option-values.ts';
import { VERDICTS } from '../output/colour.ts';
import { fail, print, terminalWidth, warn } from '../output/terminal.ts';
import { judgementColumns } from '#core/export/judgement-columns.ts';
import { csvText, type ExportColumn } from '#core/export/csv-text.ts';
import { writeDiffFolded } from '#core/export/diff-folded.ts';
import type { FoldedCapture } from '#core/export/folded-lines.ts';
import { visibleProfile } from '#core/export/visible-profile.ts';
import { describeTransform } from '#core/analyze/transforms/describe-transform.ts';
import { countText, formatShare } from '#core/units/format.ts';
import { escapeControls } from '#core/contract/escape-controls.ts';
import { SIDES, type Side } from '#core/contract/side.ts';
import { STDIO } from '#app/engine/files/classify-word.ts';

export const diffCommand: CliCommand = {
  configure: declareDiffOptions,

  async run(command: Command): Promise<ExitCode> {
    const request = readDiffRequest(command);
    try {
      if (request.open) return await openDiff(request);
      return request.selfTest === null
        ? await diff(command, request)
        : await testDiff(command, request, request.selfTest);
    } catch (error) {
      throw toCliError(error);
    }
  },
};

/** Opens the comparison in the window, where other options can be chosen. */
async function openDiff(request: DiffRequest): Promise<ExitCode> {
  const { openWorkbench } = await import('../open/open.ts');
  await openWorkbench(namedWords(request), request.library, false);
  return ExitCode.ok;
}

async function diff(command: Command, request: DiffRequest): Promise<ExitCode> {
  const inputs = await findDiffInputs(request);
  const { experiment } = inputs;
  const isUnprofiled = inputs.before.length === 0 || inputs.after.length === 0;
  if (experiment?.loads !== undefined && isUnprofiled && request.conditions.length === 0 && request.format !== 'folded')
    return diffLoads(command, experiment.id, request);
  return reportSides(request, await selectSides(command, request, inputs));
}

/** Compares the load tests of an experiment that has no captures. */
async function diffLoads(command: Command, id: string, { format, library, ...output }: DiffRequest): Promise<ExitCode> {
  takesOnly(command, 'a comparison of load tests', ['json', 'csv', 'output', 'force', 'library']);
  warn('the experiment has no captures: its load tests are compared');
  const printed = format === 'json' ? { json: true as const } : format === 'csv' ? { csv: true as const } : {};
  return (await import('../load/diff.ts')).diffLoads([id], {
    ...printed,
    ...(library === undefined ? {} : { library }),
    output: output.output,
    ...(output.force && { force: true }),
  });
}

/** Returns what the sides' load tests show; null unless each side was recorded during its own. */
async function loadsOf({ before, after }: DiffSides, library: string | undefined): Promise<ComparedLoads | null> {
  if ([...before, ...after].every(({ document }) => document?.load === undefined)) return null;
  return (await import('../load/compared.ts')).comparedLoads(before, after, library);
}

/** Compares the sides, prints the result and judges the conditions; resolves with the exit code. */
export async function reportSides(request: DiffRequest, sides: DiffSides): Promise<ExitCode> {
  const rules = request.rules ?? (request.format === 'folded' ? NO_RULES : sides.options.rules);
  const asked = request.normalisation ?? (request.format === 'folded' ? 'raw' : sides.options.normalisation);
  const comparison = await compare(sides, rules, asked);
  reportHidden(sides, comparison);
  reportUnusedRequests(request, sides, comparison);
  const conditions = await judgeConditions(request.conditions, comparison, {
    allowSingle: request.allowSingle,
    patterns: createLimitedPatternRunner(() => '--fail-on'),
    shares: onceOnly(() => compare(sides, rules, 'share')),
  });
  const loads = await loadsOf(sides, request.library);
  await writeOutput(request.output, request, (output) =>
    printDiff(output, request, sides, rules, comparison, { conditions, loads }),
  );
  for (const line of conditions.flatMap((one) => conditionLines(one, request.allowSingle))) fail(line);
  return exitCodeOfConditions(conditions, request.inconclusive);
}

async function testDiff(command: Command, request: DiffRequest, asked: SelfTestRequest): Promise<ExitCode> {
  const { isOneProgram, ...inputs } = await findSelfTestInputs(request);
  const sides = await selectSides(command, request, inputs);
  const rules = request.rules ?? sides.options.rules;
  const comparison = await compare(sides, rules, request.normalisation ?? sides.options.normalisation);
  reportHidden(sides, comparison);
  reportUnusedRequests(request, sides, comparison);
  const report = await runSelfTest(
    comparison,
    { ...asked, isOneProgram },
    createLimitedPatternRunner(() => '--slow'),
  );
  const inFormat = { json: selfTestAsJson, csv: selfTestAsCsv, text: selfTestAsText, folded: selfTestAsText };
  const text = inFormat[request.format](comparison, report);
  saveOutput(request.output, request, text);
  return ExitCode.ok;
}

/** Returns the exit code; a failed condition takes precedence over an inconclusive one. */
function exitCodeOfConditions(
  conditions: readonly ConditionResult[],
  inconclusive: DiffRequest['inconclusive'],
): ExitCode {
  const has = (status: ConditionResult['status']): boolean => conditions.some((one) => one.status === status);
  if (has('failed') || (has('inconclusive') && inconclusive === 'fail')) return ExitCode.conditionFailed;
  return has('inconclusive') && inconclusive === 'exit5' ? ExitCode.inconclusive : ExitCode.ok;
}

/** No matching rules, as in difffolded.pl: names must be equal. */
const NO_RULES: MatchRules = { off: ALL_RULES.map(({ id }) => id), user: [], ignoreModules: false };

const compare = (
  { before, after }: DiffSides,
  rules: MatchRules,
  normalisation: Normalisation | null,
): Promise<Comparison> =>
  compareFunctions(before, after, {
    normalisation,
    rules,
    patterns: createLimitedPatternRunner(() => '--rename-rule'),
  });

function onceOnly<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => (made ??= make());
}

function printDiff(
  output: OutputFile,
  { output: path, format, metric, shown, rowLimit }: DiffRequest,
  sides: DiffSides,
  rules: MatchRules,
  comparison: Comparison,
  found: Pick<DiffDocument, 'conditions' | 'loads'>,
): void {
  const write = (text: string): void => output.write(new TextEncoder().encode(text));
  if (format === 'folded') {
    writeFoldedDiff(sides, comparison, rules, (chunk) => output.write(chunk));
    return;
  }
  const rows = rankRows(comparison, metric, shown);
  switch (format) {
    case 'json':
      write(diffAsJson({ comparison, experiment: sides.experiment, rows: rows.slice(0, rowLimit), rules, ...found }));
      return;
    case 'csv':
      write(diffAsCsv(comparison, rows.slice(0, rowLimit), diffNotes(comparison, rules)));
      return;
    case 'text': {
      const tree = buildDeltaTree(comparison);
      const { experiment } = sides;
      const { loads } = found;
      const width = terminalWidth();
      const text = diffAsText({ comparison, experiment, tree, rules, metric, rows, rowLimit, width, loads });
      // Only a terminal shows colours; what a file gets has none.
      if (path === STDIO) print(text, VERDICTS);
      else write(text);
    }
  }
}

/** Returns one row per function; lines that begin with `# ` describe the numbers. */
function diffAsCsv({ normalised }: Comparison, rows: readonly DiffRow[], notes: readonly string[]): string {
  const columns: ExportColumn<DiffRow>[] = [
    { header: 'Function', cell: ({ name }) => name },
    { header: 'Module', cell: ({ module }) => module },
    { header: 'File:line', cell: ({ file, line }) => (line > 0 ? `${file}:${line}` : file) },
    { header: 'Presence', cell: ({ presence }) => presence },
    ...judgementColumns('self', normalised.unit, ({ self }: DiffRow) => self),
    ...judgementColumns('total', normalised.unit, ({ total }: DiffRow) => total),
  ];
  return csvText(notes, columns, rows);
}

/**
 * Writes stacks with both sides' weights. The description of the numbers is at the top, except if the output is what
 * difffolded.pl would write; it then goes to stderr.
 */
function writeFoldedDiff(
  sides: DiffSides,
  comparison: Comparison,
  rules: MatchRules,
  write: (chunk: Uint8Array) => void,
): void {
  const all = [...sides.before, ...sides.after];
  const isPlain = all.every(
    ({ named, selection }) => named.length === 0 && selection.threads === null && selection.timeRange === null,
  );
  const notes = diffNotes(comparison, rules);
  const header = isPlain && comparison.normalised.kind === 'raw' ? [] : notes.map(withoutTrailingNumber);
  if (header.length === 0) for (const note of notes) warn(note);
  writeDiffFolded(
    { before: sides.before.map(foldedCapture), after: sides.after.map(foldedCapture) },
    comparison,
    header,
    write,
  );
}

function foldedCapture({ profile, selection, named, transforms }: DiffCapture): FoldedCapture {
  const { valueType, threads, timeRange } = selection;
  const isWhole = named.length === 0 && threads === null && timeRange === null;
  if (isWhole) return { profile, valueType };
  return {
    profile: visibleProfile(profile, { selection, transforms: named, resolved: transforms }).profile,
    valueType,
  };
}

/** Appends a period to a line that ends with a number, which would otherwise be read as a stack. */
const withoutTrailingNumber = (line: string): string => (/\s[\d.]+$/.test(line) ? `${line}.` : line);

/** Returns lines that describe a comparison's numbers, for exports. */
function diffNotes(comparison: Comparison, rules: MatchRules): string[] {
  const { normalised, design, warnings } = comparison;
  const [{ valueType }] = comparison.before.captures as [Comparison['before']['captures'][number]];
  const side = (name: Side) => ({ captures: captureRows(comparison, name), total: comparison.whole[name] });
  const sides = { before: side('before'), after: side('after'), runs: runCounts(design) };
  const noted = { ...design, ...sides, valueType, normalised, warnings };
  return comparisonNotes(noted, rules).map(escapeControls);
}

/** Reports on stderr what each transform hid of either side, and what a time range excluded. */
function reportHidden(sides: DiffSides, comparison: Comparison): void {
  for (const [place, transform] of (sides.before[0]?.named ?? []).entries()) {
    const hid = SIDES.map((side) => `${hiddenShare(comparison, side, place)} ${side}`).join(', ');
    warn(`${describeTransform(transform)}: ${transform.enabled ? `hid ${hid}` : 'off'}`);
  }
  for (const side of SIDES) {
    sides[side].forEach(({ facts, selection: { timeRange } }, place) => {
      const view = comparison[side].captures[place]!.view;
      if (timeRange === null) return;
      const without = view.withoutTime === 0 ? '' : `, ${view.withoutTime} without a timestamp left out`;
      warn(`${side} ${facts.name}: ${countText(view.sampleCount, 'sample')} in that range${without}`);
    });
  }
}

/** Warns that the counts of `--requests` enter no number, and why. */
function reportUnusedRequests({ requests }: DiffRequest, sides: DiffSides, { normalised, before }: Comparison): void {
  const { kind, isDefault } = normalised;
  if (kind === 'per-request' || SIDES.every((side) => requests[side].length === 0)) return;
  const isTimed = SIDES.some((side) => sides[side].some(({ selection }) => selection.timeRange !== null));
  const why = !isDefault
    ? 'the chosen normalisation is another'
    : kind === 'raw'
      ? `${before.captures[0]!.valueType.type} is what exists at one moment (--normalize per-request divides it)`
      : isTimed
        ? 'the counts within a time range are unknown'
        : 'values of different kinds or sampling rates compare only as shares';
  warn(`--requests is not used, values are ${kind}: ${why}`);
}

function hiddenShare(comparison: Comparison, side: Side, transform: number): string {
  let hidden = 0;
  let whole = 0;
  for (const { view } of comparison[side].captures) {
    hidden += view.hiddenBy[transform] ?? 0;
    whole += view.total + view.hidden;
  }
  return hidden === 0 ? 'nothing' : formatShare(hidden, whole);
}
