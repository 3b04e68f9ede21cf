import { csvText } from '#core/export/csv-text.ts';
import { escapeControls } from '#core/contract/escape-controls.ts';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { runtimeLines } from '#core/analyze/summary/runtime-lines.ts';
import type { Summary } from '#core/analyze/summary/summary.ts';
import { totalText } from '#core/analyze/reading/absolute-total.ts';
import type { StackView } from '#core/analyze/view/stack-view.ts';
import type { CaptureQuality } from '#core/model/quality-grade.ts';
import { exceptionLines, receiptLines, type Receipt } from '#core/model/receipt.ts';
import { qualitySentence } from '#core/model/quality-sentence.ts';
import { countText, formatShare, formatValue } from '#core/units/format.ts';
import { pprofCells } from '../top/pprof-table.ts';
import { libraryWords } from '../library/library-option.ts';
import { functionTitle } from '../output/function-title.ts';

/** What `flamebench summary` prints. */
export interface PrintedSummary {
  /** The capture as the library calls it, else the file. */
  readonly name: string;
  readonly summary: Summary;
  readonly view: StackView;
  /** Quality of the whole file; null without samples. */
  readonly quality: CaptureQuality | null;
  /** Number of samples in the whole file. */
  readonly samples: number;
  /** What the whole file kept. */
  readonly receipt: Receipt;
  /** The capture of the same program before this one. */
  readonly previous: CaptureDocument | null;
  /** Null for files outside the library. */
  readonly document: CaptureDocument | null;
  /** The library's folder; undefined: the default one. */
  readonly library: string | undefined;
}

/** A line of the summary. */
interface SummaryRow {
  readonly section: 'function' | 'kind' | 'thread';
  readonly name: string;
  readonly module: string;
  readonly weight: number;
}

const unitOf = ({ view }: PrintedSummary): string => view.profile.valueTypes[view.selection.valueType]!.unit;

function rowsOf({ summary, view: { profile } }: PrintedSummary): SummaryRow[] {
  const { strings, functions, threads } = profile;
  const named = (func: number) => ({
    name: strings[functions.name[func]!]!,
    module: strings[functions.module[func]!]!,
  });
  return [
    ...summary.functions.map(({ func, self }): SummaryRow => {
      return { section: 'function', ...named(func), weight: self };
    }),
    ...summary.kinds.map(({ kind, weight }): SummaryRow => ({ section: 'kind', name: kind, module: '', weight })),
    ...(threads.length < 2 ? [] : summary.threads).map(({ thread, weight }): SummaryRow => {
      const [pid, tid] = [threads.pid[thread]!, threads.tid[thread]!];
      const ids = tid < 0 ? '' : pid < 0 ? ` ${tid}` : ` ${pid}/${tid}`;
      return { section: 'thread', name: `${strings[threads.name[thread]!]!}${ids}`.trim(), module: '', weight };
    }),
  ];
}

const TITLES = { function: 'Functions by self weight', kind: 'Kinds', thread: 'Threads' } as const;

export function summaryAsText(printed: PrintedSummary, width: number): string {
  const { name, summary, view, quality, samples, receipt, previous, document } = printed;
  const { valueTypes } = view.profile;
  const { type, unit } = valueTypes[view.selection.valueType]!;
  const rows = rowsOf(printed);
  const cellsOf = pprofCells(
    rows.map((row) => ({ self: row.weight, total: row.weight })),
    summary.total,
    unit,
  );
  const cells = rows.map((row) => [cellsOf.weight(row.weight), formatShare(row.weight, summary.total)] as const);
  const widths = [0, 1].map((column) => Math.max(0, ...cells.map((row) => row[column]!.length)));
  const lineOf = (row: SummaryRow): string => {
    const numbers = cells[rows.indexOf(row)]!.map((cell, column) => cell.padStart(widths[column]!)).join('  ');
    return `  ${numbers}  ${functionTitle(row, width - numbers.length - 4)}`;
  };
  const more = { function: summary.functionCount, kind: summary.kinds.length, thread: summary.threadCount };
  const sections = (['function', 'kind', 'thread'] as const).flatMap((section) => {
    const own = rows.filter((row) => row.section === section);
    const rest = more[section] - own.length;
    if (own.length === 0) return [];
    return ['', TITLES[section], ...own.map(lineOf), ...(rest > 0 ? [`  and ${formatValue(rest, 'count')} more`] : [])];
  });
  const told = runtimeLines(view.profile);
  const { sentence, remedy } = qualitySentence(quality, samples);
  const count = countText(summary.sampleCount, 'sample');
  // Counts of samples need not say how many samples they are from.
  const what = type === 'samples' ? (summary.total === 1 ? 'sample' : type) : `of ${type} in ${count}`;
  const sum = totalText(summary.total, summary.absolute, (weight) => formatValue(weight, unit));
  const total = `${sum} ${what}`;
  return [
    escapeControls(`${name}: ${total}`),
    ...sections,
    ...(told.length === 0 ? [] : ['', 'Runtime', ...told.map((line) => escapeControls(`  ${line}`))]),
    '',
    escapeControls([sentence, remedy].filter((part) => part !== null).join(' ')),
    ...[...receiptLines(receipt), ...exceptionLines(receipt).map((line) => `  ${line}`)].map(escapeControls),
    ...(previous === null || document === null
      ? []
      : [
          escapeControls(
            `The previous run is ${previous.name}: ${quoteArgv(['flamebench', 'diff', previous.id, document.id, ...libraryWords(printed.library)])}`,
          ),
        ]),
    '',
  ].join('\n');
}

export function summaryAsJson(printed: PrintedSummary) {
  const { name, summary, view, quality, samples, previous } = printed;
  const { strings, functions } = view.profile;
  const { type, unit } = view.profile.valueTypes[view.selection.valueType]!;
  const rows = rowsOf(printed);
  const of = (section: SummaryRow['section']) => rows.filter((row) => row.section === section);
  return {
    name,
    valueType: { type, unit },
    total: summary.total,
    samples: summary.sampleCount,
    functions: of('function').map((row) => ({ name: row.name, module: row.module, self: row.weight })),
    kinds: summary.kinds.map((kind) => ({
      kind: kind.kind,
      weight: kind.weight,
      functions: kind.functions.map(({ func, weight }) => ({
        name: strings[functions.name[func]!]!,
        module: strings[functions.module[func]!]!,
        weight,
      })),
    })),
    threads: of('thread').map((row) => ({ name: row.name, weight: row.weight })),
    runtime: runtimeLines(view.profile),
    quality: { ...qualitySentence(quality, samples), ...quality },
    receipt: printed.receipt,
    previous: previous === null ? null : { id: previous.id, name: previous.name },
  };
}

export function summaryAsCsv(printed: PrintedSummary): string {
  const { summary } = printed;
  const unit = unitOf(printed);
  return csvText(
    [`${printed.name}, total ${summary.total} ${unit}`],
    [
      { header: 'Section', cell: ({ section }) => section },
      { header: 'Name', cell: (row) => row.name },
      { header: 'Module', cell: ({ module }) => module },
      { header: `Weight (${unit})`, cell: ({ weight }) => weight },
      { header: 'Share', cell: ({ weight }) => (summary.total === 0 ? 0 : weight / summary.total) },
    ],
    rowsOf(printed),
  );
}
