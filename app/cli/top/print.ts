import { describeQuality } from '#core/model/quality-grade.ts';
import { formatShare, formatValue } from '#core/units/format.ts';
import { findUnit } from '#core/units/units.ts';
import { alignColumns } from '../output/align-columns.ts';
import { escapeControls } from '../output/escape-controls.ts';
import { functionTitle } from '../output/function-title.ts';
import { jsonText } from '../output/json-text.ts';
import type { ExactWeight, TopReport } from './report.ts';

/** The documented JSON shape, see docs/cli.md. */
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

/** JSON readers take numbers for doubles, so what no double holds becomes a string. */
const jsonWeight = (weight: ExactWeight): number | string => (typeof weight === 'bigint' ? String(weight) : weight);

/** An aligned table under a line that says what it is of. `width` is the terminal's, or Infinity. */
export function topAsTable(report: TopReport, width: number): string {
  const { valueType } = report;
  const whole = Number(report.total);
  const format = (weight: ExactWeight): string => formatValue(Number(weight), valueType.unit);
  const cells = report.functions.map(({ self, total }) => [
    format(self),
    formatShare(Number(self), whole),
    format(total),
    formatShare(Number(total), whole),
  ]);
  const [titles, ...rows] = alignColumns(['self', '', 'total', ''], cells) as [string, ...string[]];
  return [
    ...summaryLines(report, format).map(escapeControls),
    '',
    `${titles}  function [module], by ${report.sort}`,
    ...rows.map((row, index) => `${row}  ${functionTitle(report.functions[index]!, width - titles.length - 2)}`),
    ...remainderLine(report),
    '',
  ].join('\n');
}

function summaryLines(report: TopReport, format: (weight: ExactWeight) => string): string[] {
  const { valueType, total, sampleCount, hidden, transforms, withoutStack, quality } = report;
  const whole = Number(total);
  const samples =
    findUnit(valueType.unit)?.dimension === 'count' ? '' : ` in ${formatValue(sampleCount, 'count')} samples`;
  const lines = [`${report.format}, ${valueType.type} (${valueType.unit}): ${format(total)}${samples}`];
  if (quality !== null) lines.push(`quality: ${describeQuality(quality)}`);
  const applied = transforms.filter(({ found }) => found !== null).map(({ description }) => description);
  if (applied.length > 0) lines.push(`transforms: ${applied.join('; ')}`);
  if (hidden !== 0) lines.push(`hidden: ${format(hidden)} (${formatShare(hidden, whole + hidden)} of the total)`);
  if (withoutStack !== 0) lines.push(`without a stack: ${format(withoutStack)} (${formatShare(withoutStack, whole)})`);
  return lines;
}

function remainderLine({ functions, functionCount }: TopReport): string[] {
  const left = functionCount - functions.length;
  return left > 0
    ? [`and ${formatValue(left, 'count')} more ${left === 1 ? 'function' : 'functions'} (-n 0 shows all)`]
    : [];
}
