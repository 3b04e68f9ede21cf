import { csvText } from '#core/export/csv-text.ts';
import { totalText } from '#core/analyze/reading/absolute-total.ts';
import { describeQuality } from '#core/model/quality-grade.ts';
import { countText, formatShare, formatValue } from '#core/units/format.ts';
import { findUnit } from '#core/units/units.ts';
import { escapeControls } from '#core/contract/escape-controls.ts';
import { jsonText } from '../output/json-text.ts';
import type { ExactWeight, TopReport } from './report.ts';

/** Returns the documented JSON; see docs/cli.md. */
export function topAsJson(report: TopReport): string {
  const { format, valueType, total, time, hidden, transforms, functions, quality } = report;
  return jsonText({
    format,
    valueType: { type: valueType.type, unit: valueType.unit },
    total: jsonWeight(total),
    ...(quality === null ? {} : { quality }),
    ...(time === null ? {} : { time }),
    ...(transforms.length === 0 ? {} : { hidden, transforms }),
    functions: functions.map(({ name, module, file, self, total: rowTotal }) => ({
      name,
      module,
      file,
      self: jsonWeight(self),
      total: jsonWeight(rowTotal),
    })),
  });
}

/** Returns a number, or a string for an integer that JSON readers, which use doubles, might round. */
const jsonWeight = (weight: ExactWeight): number | string => (typeof weight === 'bigint' ? String(weight) : weight);

/** Returns one row per function with exact weights; the line before says what they are weights of. */
export function topAsCsv({ format, valueType: { type, unit }, total, functions }: TopReport): string {
  return csvText(
    [`${format}, ${type}, total ${total} ${unit}`],
    [
      { header: 'Function', cell: ({ name }) => name },
      { header: 'Module', cell: ({ module }) => module },
      { header: 'File', cell: ({ file }) => file },
      { header: `Self (${unit})`, cell: ({ self }) => jsonWeight(self) },
      { header: `Total (${unit})`, cell: (row) => jsonWeight(row.total) },
    ],
    functions,
  );
}

/** Returns pprof's columns below lines that describe them. `width` is the terminal's, or Infinity. */
export function topAsTable(report: TopReport, width: number): string {
  const { valueType, cells } = report;
  const format = (weight: ExactWeight): string => formatValue(Number(weight), valueType.unit);
  const rows = report.functions.map(({ self, total, title, inline }) => {
    const mark = inline === '' ? '' : ` ${inline}`;
    return { self: Number(self), total: Number(total), title: (room: number) => title(room - mark.length) + mark };
  });
  return [
    ...summaryLines(report, format).map(escapeControls),
    '',
    ...cells.table(rows, width),
    ...remainderLine(report),
    '',
  ].join('\n');
}

function summaryLines(report: TopReport, format: (weight: ExactWeight) => string): string[] {
  const { valueType, whole, total, sampleCount, hidden, transforms, withoutStack, quality } = report;
  const samples = findUnit(valueType.unit)?.dimension === 'count' ? '' : ` in ${countText(sampleCount, 'sample')}`;
  const lines = [
    `${report.format}, ${valueType.type} (${valueType.unit}): ${totalText(total, report.absolute, format)}${samples}`,
  ];
  if (quality !== null) lines.push(`quality: ${describeQuality(quality)}`);
  const applied = transforms.filter(({ found }) => found !== null).map(({ description }) => description);
  if (applied.length > 0) lines.push(`transforms: ${applied.join('; ')}`);
  if (hidden !== 0) lines.push(`hidden: ${format(hidden)} (${formatShare(hidden, whole)} of the total)`);
  if (withoutStack !== 0) lines.push(`without a stack: ${format(withoutStack)} (${formatShare(withoutStack, whole)})`);
  return lines;
}

function remainderLine({ functions, functionCount }: TopReport): string[] {
  const left = functionCount - functions.length;
  return left > 0 ? [`and ${countText(left, 'more function')} (-n 0 shows all)`] : [];
}
