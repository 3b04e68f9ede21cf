import { visibleText } from '../analyze/function-label.ts';
import { functionRef } from '../analyze/function-ref.ts';
import { deltaText, relativeText } from '../compare/describe-change.ts';
import type { Metric } from '../compare/statistics/judge.ts';
import { rankFunctions, type ComparedFunction } from '../compare/rank-functions.ts';
import { judgementText } from '../compare/verdict-words.ts';
import type { ReportSection } from '../contract/report/report.ts';
import { quoteArgv } from '../contract/quote-argv.ts';
import { csvText, type ExportColumn } from '../export/csv-text.ts';
import { describeQuality } from '../model/quality-grade.ts';
import { createFormatter } from '../units/format.ts';
import { jsonNumber } from '../units/json-number.ts';
import { comparedLines } from './compared-lines.ts';
import { loadCsv, loadTables, type NamedTable } from './load-files.ts';
import { cell, code, codeCell, fence, plain, table } from '../export/markdown-text.ts';
import { notedFunction } from '../notes/note-title.ts';
import { numberedNotes } from './placed-notes.ts';
import { REPORT_LOCALE, type PreparedCapture, type PreparedComparison, type PreparedReport } from './prepare.ts';
import { captureTotal, functionRows, valueTypeWords } from './sections/capture-sections.ts';
import {
  comparisonCaption,
  heaviestCompared,
  moverSentences,
  answerLine,
  nothingMovedIn,
  wholeText,
} from './sections/comparison-sections.ts';
import { captureCommands, loadCommands } from './sections/fact-sections.ts';
import { loadChanges, loadConclusion, loadNotes, sweepsOf, unsaidNotes } from './sections/load-section.ts';
import { anchorWords, noteFits } from './sections/notes-section.ts';
import { viewSentences } from './view-words.ts';

const format = createFormatter(REPORT_LOCALE);

/** Default number of table rows. */
const ROWS = 20;

/** Returns the report for a pull request or an issue. `image` is the address of its picture; null: none. */
export function reportMarkdown(prepared: PreparedReport, image: string | null): string {
  const { report, comparison, captures } = prepared;
  const parts: string[] = [`# ${plain(report.title)}`];
  for (const section of report.sections) {
    if (section.kind === 'text')
      parts.push(
        ...(section.title === undefined ? [] : [`## ${plain(section.title)}`]),
        // Claims were made from the data, with names as code.
        section.fill === undefined ? inertMarkdown(section.text.trim()) : section.text,
      );
  }
  parts.push(...viewSentences(prepared.captures.values()).map(plain));
  if (comparison !== null) parts.push(...comparisonMarkdown(comparison, rowsOf(report.sections, 'movers')));
  else
    for (const capture of captures.values())
      parts.push(...captureMarkdown(capture, rowsOf(report.sections, 'functions')));
  const loads = sweepsOf(report.loads);
  const concluded = loadConclusion(loads);
  if (concluded.length > 0)
    parts.push('## Load test: conclusion', concluded.map((line) => `- ${plain(line)}`).join('\n'));
  parts.push(...loadTables(prepared).flatMap(loadMarkdown));
  const found = unsaidNotes(loads, concluded);
  if (found.length > 0) parts.push('## Load tests: notes', found.map((line) => `- ${plain(line)}`).join('\n'));
  if (image !== null) parts.push(`![${plain(report.title)}](${encodeURI(image).replace(/[()]/g, encodeURIComponent)})`);
  parts.push(...notesMarkdown(prepared));
  const compared = comparedLines(prepared);
  if (compared.length > 0)
    parts.push('## How the sides were compared', compared.map((line) => `- ${plain(line)}`).join('\n'));
  const commands = [...[...captures.values()].flatMap(captureCommands), ...(report.loads ?? []).flatMap(loadCommands)];
  if (commands.length > 0) parts.push('## Commands', fence([...new Set(commands)].map(visibleText).join('\n')));
  parts.push(
    `Made with Flamebench ${report.made.version}${report.made.command.length === 0 ? '' : `: ${code(quoteArgv(report.made.command))}`}`,
  );
  return `${parts.join('\n\n')}\n`;
}

function loadMarkdown({ name, header, rows }: NamedTable): string[] {
  const lines = rows.map((row) => row.map((text) => cell(plain(text))).join(' | '));
  return [
    `## Load test: ${plain(name)}`,
    table(header.join(' | '), header.map((_, column) => (column === 0 ? '---' : '---:')).join(' | '), lines),
  ];
}

function rowsOf(sections: readonly ReportSection[], kind: 'movers' | 'functions'): number {
  const section = sections.find((one) => one.kind === kind);
  return section !== undefined && 'rows' in section ? section.rows : ROWS;
}

function comparisonMarkdown(compared: PreparedComparison, rows: number): string[] {
  const { comparison, movers, text, reason } = compared;
  const listed = movers.movers.slice(0, rows);
  const sentences = moverSentences(compared, 3);
  const lines = listed.map(({ func, column, judgement }) => {
    const { name } = functionRef(comparison.matched.table, func);
    const cells = [
      codeCell(name),
      column,
      text.value(judgement.before),
      text.value(judgement.after),
      deltaText(judgement, text),
      relativeText(judgement, text),
      judgementText(judgement, reason),
    ];
    return cells.map(cell).join(' | ');
  });
  return [
    plain(answerLine(compared)),
    plain(wholeText(compared)),
    ...(listed.length === 0
      ? [nothingMovedIn(comparison)]
      : [
          sentences.map((sentence) => `- ${plain(sentence)}`).join('\n'),
          table(
            'Function | Weight | Before | After | Δ | Δ % | Verdict',
            '--- | --- | ---: | ---: | ---: | ---: | ---',
            lines,
          ),
        ]),
    `${plain(comparisonCaption(compared))}.`,
    ...comparison.warnings.map(({ message }) => `> ${plain(message)}`),
  ];
}

function captureMarkdown(capture: PreparedCapture, rows: number): string[] {
  const names = capture.stacks.profile;
  const { total } = capture.stacks;
  const lines = functionRows({ kind: 'functions', capture: capture.id, rows, sort: 'self' }, capture).map((row) =>
    [
      codeCell(functionRef(names, row.func).name),
      format.value(row.self, capture.valueType.unit),
      format.share(row.self, total),
      format.value(row.total, capture.valueType.unit),
      format.share(row.total, total),
    ]
      .map(cell)
      .join(' | '),
  );
  const { quality } = capture.known;
  return [
    `## ${plain(capture.name)}`,
    `${plain(valueTypeWords(capture))}: ${captureTotal(capture)}${quality === undefined ? '' : `; quality ${describeQuality(quality)}`}.`,
    table('Function | Self | Self % | Total | Total %', '--- | ---: | ---: | ---: | ---:', lines),
  ];
}

function notesMarkdown(prepared: PreparedReport): string[] {
  const notes = numberedNotes(prepared.report.notes);
  if (notes.length === 0) return [];
  const fits = noteFits(prepared, notes);
  const lines = notes.map(({ note, number }) => {
    const lost = fits.get(number) === 'orphaned' ? ' (not in this report)' : '';
    const words = anchorWords(note.anchor);
    const on = notedFunction(note.anchor) === null ? plain(words) : code(words);
    const text = inertMarkdown(note.text.trim());
    // Blocks begin on a line of their own; within one their marks would be text.
    const gap = BLOCK.test(text) ? '\n\n' : ' ';
    return `${number}. On ${on}${lost}:${`${gap}${text}`.split('\n').join('\n   ')}`;
  });
  return ['## Notes', lines.join('\n')];
}

/** The start of a heading, list, quote, table or code. */
const BLOCK = /^(?:#{1,6}\s|[-*+]\s|\d{1,9}[.)]\s|[>|]|```|~~~)/;

/** Returns Markdown with HTML and images as text, as in the window; within code too, where the backslash is visible. */
const inertMarkdown = (text: string): string =>
  text
    .replace(/(\\*)<(?=[a-z/!?])(?!(?:https?|mailto):)/gi, (found, escapes: string) =>
      escapes.length % 2 === 0 ? `${escapes}\\<` : found,
    )
    .replace(/(\\*)!\[/g, (found, escapes: string) => (escapes.length % 2 === 0 ? `${escapes}!\\[` : found));

export const REPORT_TABLES = ['functions', 'before-after', 'deltas', 'movers', 'load'] as const;
export type ReportTable = (typeof REPORT_TABLES)[number];

/** Returns the tables that a report can have. */
export const tablesOf = ({ comparison, captures, report }: PreparedReport): readonly ReportTable[] => [
  ...(comparison === null ? [] : (['deltas', 'before-after', 'movers'] as const)),
  ...(captures.size === 0 ? [] : (['functions'] as const)),
  ...(report.loads === undefined ? [] : (['load'] as const)),
];

/** Returns all rows of one table, in full precision. Throws a RangeError if it needs a comparison and there is none. */
export function reportCsv(prepared: PreparedReport, wanted: ReportTable): string {
  if (wanted === 'functions') return functionsCsv(prepared);
  if (wanted === 'load') return loadCsv(prepared, noteLines(prepared));
  const { comparison } = prepared;
  if (comparison === null) throw new RangeError(`the table ${wanted} is of a comparison`);
  const { normalised } = comparison.comparison;
  const notes = [...comparedLines(prepared), ...viewSentences(prepared.captures.values()), ...noteLines(prepared)];
  const named: ExportColumn<ComparedFunction>[] = [
    { header: 'Function', cell: ({ name }) => name },
    { header: 'Module', cell: ({ module }) => module },
  ];
  const weight = (metric: Metric, side: 'before' | 'after' | 'delta'): ExportColumn<ComparedFunction> => ({
    header: `${metric === 'self' ? 'Self' : 'Total'} ${side} (${normalised.unit})`,
    cell: (row) => row[metric][side],
  });
  const both = (side: 'before' | 'after' | 'delta') => [weight('total', side), weight('self', side)];
  if (wanted === 'before-after') {
    const columns = [...named, ...both('before'), ...both('after')];
    return csvText(notes, columns, heaviestCompared(comparison, Infinity));
  }
  const judged: ExportColumn<ComparedFunction>[] = (['self', 'total'] as const).flatMap((metric) => [
    weight(metric, 'before'),
    weight(metric, 'after'),
    weight(metric, 'delta'),
    { header: `Low ${metric}`, cell: (row: ComparedFunction) => row[metric].interval?.[0] ?? '' },
    { header: `High ${metric}`, cell: (row: ComparedFunction) => row[metric].interval?.[1] ?? '' },
    { header: `Verdict ${metric}`, cell: (row: ComparedFunction) => judgementText(row[metric], comparison.reason) },
  ]);
  const all = rankFunctions(comparison.comparison, 'self');
  const places = new Map(comparison.movers.movers.map(({ func }, place) => [func, place]));
  const rows =
    wanted === 'deltas'
      ? all
      : all.filter(({ func }) => places.has(func)).sort((a, b) => places.get(a.func)! - places.get(b.func)!);
  return csvText(notes, [...named, ...judged], rows);
}

function functionsCsv(prepared: PreparedReport): string {
  const all = [...prepared.captures.values()];
  const rows = all.flatMap((capture) =>
    functionRows({ kind: 'functions', capture: capture.id, rows: Infinity, sort: 'self' }, capture).map((row) => ({
      ...row,
      capture,
    })),
  );
  type Row = (typeof rows)[number];
  const ref = ({ func, capture }: Row) => functionRef(capture.stacks.profile, func);
  const columns: ExportColumn<Row>[] = [
    { header: 'Capture', cell: ({ capture }) => capture.name },
    { header: 'Function', cell: (row) => ref(row).name },
    { header: 'Module', cell: (row) => ref(row).module },
    { header: 'Self', cell: ({ self }) => self },
    { header: 'Total', cell: ({ total }) => total },
    { header: 'Unit', cell: ({ capture }) => capture.valueType.unit },
  ];
  const of = all.map((capture) => `${capture.name}: ${valueTypeWords(capture)}, ${captureTotal(capture)}`);
  return csvText([...of, ...viewSentences(prepared.captures.values()), ...noteLines(prepared)], columns, rows);
}

/** Returns the notes as lines above a table. */
function noteLines({ report }: PreparedReport): string[] {
  return numberedNotes(report.notes).map(
    ({ note, number }) => `note ${number} on ${anchorWords(note.anchor)}: ${note.text.replace(/\s+/g, ' ').trim()}`,
  );
}

/** Returns the report's document with its tables, for programs; without the captures' samples. */
export function reportJson(prepared: PreparedReport): string {
  const { report, comparison, captures } = prepared;
  const loads = sweepsOf(report.loads);
  const document = {
    ...report,
    notes: numberedNotes(report.notes),
    ...(report.loads === undefined
      ? {}
      : {
          loadNotes: loadNotes(loads),
          loadConclusion: loadConclusion(loads),
          loadChanges: loadChanges(loads),
        }),
    functions: Object.fromEntries(
      [...captures.values()].map((capture) => [
        capture.id,
        functionRows({ kind: 'functions', capture: capture.id, rows: Infinity, sort: 'self' }, capture).map(
          ({ func, self, total }) => {
            const { name, module } = functionRef(capture.stacks.profile, func);
            return { name, module, self: jsonNumber(self), total: jsonNumber(total) };
          },
        ),
      ]),
    ),
    ...(comparison === null ? {} : { changes: { ...changesOf(comparison), comparedBy: comparedLines(prepared) } }),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function changesOf({ comparison, movers }: PreparedComparison) {
  const { normalised, whole, warnings } = comparison;
  const judged = ({ before, after, delta, interval, level, verdict, p, q }: typeof whole) => {
    return {
      before: jsonNumber(before),
      after: jsonNumber(after),
      delta: jsonNumber(delta),
      interval,
      level,
      verdict,
      p,
      q,
    };
  };
  return {
    unit: normalised.unit,
    formula: normalised.formula,
    whole: judged(whole),
    movers: movers.movers.map(({ func, column }) => ({ ...functionRef(comparison.matched.table, func), column })),
    functions: rankFunctions(comparison, 'self').map(({ name, module, self, total, presence }) => ({
      name,
      module,
      presence,
      self: judged(self),
      total: judged(total),
    })),
    warnings,
  };
}
