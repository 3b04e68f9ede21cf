import {
  ANNOTATION_TRUNCATED,
  type AnnotatedEvent,
  type Annotation,
  type AnnotationRow,
} from '#core/contract/source.ts';
import { unitOfEvent } from '#core/import/perf-script/events.ts';
import type { ValueType } from '#core/model/profile.ts';
import { countText, formatShare, formatValue } from '#core/units/format.ts';
import type { PrintedPlan } from './asm.ts';
import type { SourceTexts } from './source-texts.ts';
import { alignColumns } from '../output/align-columns.ts';
import { escapeControls } from '#core/contract/escape-controls.ts';
import { jsonText } from '../output/json-text.ts';

/** A function's lines, for printing. */
export interface LinesReport {
  readonly format: string;
  readonly valueType: ValueType;
  /** Weight of the whole view. */
  readonly whole: number;
  readonly name: string;
  readonly module: string;
  readonly self: number;
  readonly total: number;
  readonly lines: readonly { file: string; line: number; self: number; total: number }[];
}

/** Prints lines with shares of the function's total, which a single line can reach. */
export function linesAsText(report: LinesReport, texts: SourceTexts): string {
  const { valueType, whole, self, total } = report;
  const weight = (value: number): string => formatValue(value, valueType.unit);
  const parts: string[] = [
    escapeControls(title(report)),
    `${valueType.type} (${valueType.unit}): self ${weight(self)} (${formatShare(self, whole)}), total ${weight(total)} (${formatShare(total, whole)})`,
  ];
  for (const file of new Set(report.lines.map((line) => line.file))) {
    const lines = report.lines.filter((line) => line.file === file);
    const cells = lines.map((line) => [
      weight(line.self),
      formatShare(line.self, total),
      weight(line.total),
      formatShare(line.total, total),
      line.line === 0 ? '?' : String(line.line),
    ]);
    const rows = alignColumns(['self', '', 'total', '', 'line'], cells);
    const text = texts.get(file);
    parts.push('', escapeControls(file === '' ? '(unknown file)' : file), rows[0]!);
    lines.forEach(({ line }, index) => {
      const shown = line === 0 ? '(unknown line)' : (text?.[line - 1] ?? '');
      parts.push(`${rows[index + 1]!}  ${escapeControls(withoutTabs(shown))}`.trimEnd());
    });
  }
  return `${parts.join('\n')}\n`;
}

/** Expands tabs, since code is indented with them; other control characters are shown escaped. */
const withoutTabs = (text: string): string => text.replaceAll('\t', '    ');

/** Returns the documented JSON; see docs/cli.md. */
export function linesAsJson(report: LinesReport, texts: SourceTexts): string {
  const { format, valueType, name, module, self, total, lines } = report;
  return jsonText({
    format,
    valueType: { type: valueType.type, unit: valueType.unit },
    function: { name, module, self, total },
    lines: lines.map(({ file, line, self: own, total: all }) => {
      const text = line === 0 ? undefined : texts.get(file)?.[line - 1];
      return { file, line: line === 0 ? null : line, self: own, total: all, ...(text === undefined ? {} : { text }) };
    }),
  });
}

export function asmAsText(plan: PrintedPlan, { events, truncated }: Annotation): string {
  const parts = events.flatMap((event) => ['', ...eventLines(event)]);
  if (truncated) parts.push('', ANNOTATION_TRUNCATED);
  return `${[escapeControls(title(plan)), ...parts].join('\n')}\n`;
}

export function asmAsJson({ name, module, command }: PrintedPlan, annotation: Annotation): string {
  return jsonText({ function: { name, module }, command, ...annotation });
}

function eventLines({ event, samples, total, rows, omitted }: AnnotatedEvent): string[] {
  const unit = unitOfEvent(event);
  const cells = rows.map((row) =>
    row.kind === 'instruction'
      ? [
          row.period === 0 ? '' : formatValue(row.period, unit),
          row.period === 0 ? '' : formatShare(row.period, total),
          row.address,
        ]
      : ['', '', ''],
  );
  const lines = alignColumns(['self', '', 'address'], cells);
  return [
    escapeControls(`${event}: ${formatValue(total, unit)} in ${countText(samples, 'sample')} of the whole recording`),
    lines[0]!,
    ...rows.map((row, index) => `${lines[index + 1]!}  ${escapeControls(withoutTabs(rowText(row)))}`.trimEnd()),
    ...(omitted.rows === 0
      ? []
      : [`and ${countText(omitted.rows, 'more row')}, with ${formatValue(omitted.period, unit)}`]),
  ];
}

function rowText(row: AnnotationRow): string {
  if (row.kind !== 'instruction') return row.kind === 'place' ? row.text : `    ${row.text}`;
  return row.place === null ? `  ${row.text}` : `  ${row.text}   ← ${row.place}`;
}

const title = ({ name, module }: { name: string; module: string }): string =>
  module === '' ? name : `${name} [${module}]`;
