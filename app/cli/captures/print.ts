import { join } from 'node:path';
import type { CaptureDocument, DamagedCapture } from '#core/contract/schemas.ts';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import { recordedProgram } from '#core/contract/recorded-program.ts';
import { describeQuality } from '#core/model/quality-grade.ts';
import { formatAge } from '#core/units/age.ts';
import { formatValue } from '#core/units/format.ts';
import type { TrashedItem } from '#app/engine/library/trash.ts';
import { alignLeft } from '../output/align-columns.ts';
import { escapeControls } from '../output/escape-controls.ts';
import { terminalWidth } from '../output/terminal.ts';

/** Newest first as given, then what can't be read. `now`: Unix milliseconds. */
export function listCaptures(
  captures: readonly CaptureDocument[],
  broken: readonly DamagedCapture[],
  now: number,
): string {
  if (captures.length === 0 && broken.length === 0) return 'No captures.\n';
  const rows = captures.map((capture) => [
    capture.id,
    formatAge(now - capture.createdAt),
    formatValue(capture.sizeBytes, 'bytes'),
    gradeOf(capture),
    short(recordedProgram(capture).program ?? ''),
    capture.name,
  ]);
  const table = captures.length === 0 ? [] : tableOf(['ID', 'AGE', 'SIZE', 'GRADE', 'PROGRAM', 'NAME'], rows);
  const lines = broken.map(
    ({ id, message, remedy }) => `${oneLine(id)}  broken: ${oneLine(message)}. ${oneLine(remedy)}`,
  );
  return [...table, ...lines, ''].join('\n');
}

/** What it is at, where it is not finished. */
function gradeOf({ state, incomplete, quality }: CaptureDocument): string {
  if (state !== 'finished') return state;
  return `${quality?.grade ?? '–'}${incomplete ? ', incomplete' : ''}`;
}

const LONGEST_PROGRAM = 30;
const short = (text: string): string =>
  text.length <= LONGEST_PROGRAM ? text : `${text.slice(0, LONGEST_PROGRAM - 1)}…`;

export function listTrashed(items: readonly TrashedItem[], now: number): string {
  if (items.length === 0) return 'The trash is empty.\n';
  const rows = items.map(({ entry, trashedAt, sizeBytes, kind, name }) => [
    entry,
    formatAge(now - trashedAt),
    formatValue(sizeBytes, 'bytes'),
    kind,
    name,
  ]);
  const bytes = items.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return [
    ...tableOf(['ID', 'TRASHED', 'SIZE', 'KIND', 'NAME'], rows),
    `${formatValue(bytes, 'bytes')} in total; free them with flamebench captures trash empty`,
    '',
  ].join('\n');
}

const tableOf = (titles: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  alignLeft(
    titles,
    rows.map((cells) => cells.map(oneLine)),
  ).map((line) => line.slice(0, terminalWidth()));

/** One line for each fact that is known. `root`: the library's folder. */
export function describeCapture(document: CaptureDocument, root: string): string {
  const { id, target, collector, startedAt, durationMs, samples, lostSamples, quality, diagnostics } = document;
  const facts: (readonly [string, string | null])[] = [
    ['name', document.name],
    ['id', id],
    ['state', `${document.state}${document.incomplete ? ', incomplete' : ''}`],
    ['program', recordedProgram(document).command],
    ['host', target === null ? null : [target.host, target.kernel, target.arch].filter(Boolean).join(' · ')],
    ['recorded', startedAt === null ? null : `${new Date(startedAt).toISOString().slice(0, 19).replace('T', ' ')} UTC`],
    ['for', durationMs === null ? null : formatValue(durationMs / 1000, 'seconds')],
    ['event', document.event],
    ['rate', document.rateHz === null ? null : `${document.rateHz} Hz`],
    ['samples', samples?.toLocaleString('en') ?? null],
    ['lost', lostSamples?.toLocaleString('en') ?? null],
    ['grade', quality === undefined ? null : describeQuality(quality)],
    ['format', document.format],
    ['size', formatValue(document.sizeBytes, 'bytes')],
    ['tags', document.tags.length === 0 ? null : document.tags.join(', ')],
    ...(collector?.commands ?? []).map((argv) => ['ran', quoteArgv(argv)] as const),
    ['file', document.origin === 'sample' ? null : join(root, id, document.primaryFile)],
    ...diagnostics.map(
      ({ severity, message, remedy }) =>
        [severity === 'warning' ? 'warning' : 'note', remedy === null ? message : `${message} ${remedy}`] as const,
    ),
  ];
  const known = facts.filter((fact): fact is readonly [string, string] => fact[1] !== null);
  const width = Math.max(...known.map(([title]) => title.length));
  return known.map(([title, value]) => `${title.padEnd(width)}  ${oneLine(value)}\n`).join('');
}

/** A line break in a name is shown, not made. */
export const oneLine = (text: string): string => escapeControls(text.replaceAll('\n', '\\n'));
