import { shortenMiddle } from '#core/analyze/function-label.ts';
import { formatShare, formatValue } from '#core/units/format.ts';
import { findUnit } from '#core/units/units.ts';
import { escapeControls } from './escape-controls.ts';
import type { ExactWeight, TopReport, TopRow } from './top-report.ts';

/** Names get at least this many columns, however narrow the terminal. */
const MIN_NAME_WIDTH = 20;

/** The documented JSON shape, see docs/cli.md. */
export function topAsJson(report: TopReport): string {
  const { format, valueType, total, time, hidden, transforms, functions } = report;
  const document = {
    format,
    valueType: { type: valueType.type, unit: valueType.unit },
    total: jsonWeight(total),
    ...(time === null ? {} : { time }),
    ...(transforms.length === 0 ? {} : { hidden, transforms }),
    functions: functions.map(({ name, module, file, self, total: rowTotal }) => ({
      name,
      module,
      file,
      self: jsonWeight(self),
      total: jsonWeight(rowTotal),
    })),
  };
  return `${escapeJsonControls(JSON.stringify(document, null, 2))}\n`;
}

/** JSON readers take numbers for doubles, so what no double holds becomes a string. */
const jsonWeight = (weight: ExactWeight): number | string => (typeof weight === 'bigint' ? String(weight) : weight);

/** JSON leaves DEL, C1 and bidi controls as they are; terminals obey them. */
export function escapeJsonControls(json: string): string {
  return json.replace(
    /[\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

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
  const titles = ['self', '', 'total', ''];
  const widths = titles.map((title, column) =>
    cells.reduce((widest, row) => Math.max(widest, row[column]!.length), title.length),
  );
  const line = (row: readonly string[], name: string): string =>
    `${row.map((cell, column) => cell.padStart(widths[column]!)).join('  ')}  ${name}`;
  const nameWidth = Math.max(MIN_NAME_WIDTH, width - widths.reduce((sum, column) => sum + column + 2, 0));
  return [
    ...summaryLines(report, format).map(escapeControls),
    '',
    line(titles, `function [module], by ${report.sort}`),
    ...cells.map((row, index) => line(row, shownName(report.functions[index]!, nameWidth))),
    ...remainderLine(report),
    '',
  ].join('\n');
}

function summaryLines(report: TopReport, format: (weight: ExactWeight) => string): string[] {
  const { valueType, total, sampleCount, hidden, transforms, withoutStack } = report;
  const whole = Number(total);
  const samples =
    findUnit(valueType.unit)?.dimension === 'count' ? '' : ` in ${formatValue(sampleCount, 'count')} samples`;
  const lines = [`${report.format}, ${valueType.type} (${valueType.unit}): ${format(total)}${samples}`];
  const applied = transforms.filter(({ found }) => found !== null).map(({ description }) => description);
  if (applied.length > 0) lines.push(`transforms: ${applied.join('; ')}`);
  if (hidden !== 0) lines.push(`hidden: ${format(hidden)} (${formatShare(hidden, whole + hidden)} of everything)`);
  if (withoutStack !== 0) lines.push(`without a stack: ${format(withoutStack)} (${formatShare(withoutStack, whole)})`);
  return lines;
}

function shownName({ name, module }: TopRow, width: number): string {
  const base = module.slice(module.lastIndexOf('/') + 1);
  const suffix = base === '' ? '' : ` [${base.replace(/^\[|\]$/g, '')}]`;
  const full = escapeControls(name === '' ? '(no name)' : name);
  const shownSuffix = escapeControls(suffix);
  if (full.length + shownSuffix.length <= width) return full + shownSuffix;
  return shortenMiddle(full, Math.max(MIN_NAME_WIDTH, width - shownSuffix.length)) + shownSuffix;
}

function remainderLine({ functions, functionCount }: TopReport): string[] {
  const left = functionCount - functions.length;
  return left > 0 ? [`and ${formatValue(left, 'count')} more functions (-n 0 shows all)`] : [];
}
