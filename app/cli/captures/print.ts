import { join } from 'node:path';
import { csvText } from '#core/export/csv-text.ts';
import { containerText } from '#core/contract/container-text.ts';
import { foldByLoad, loadRow } from '#core/contract/load/fold-by-load.ts';
import type { CaptureDocument, DamagedCapture } from '#core/contract/schemas.ts';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import { recordedProgram } from '#core/contract/recorded-program.ts';
import type { ProfileMetadata } from '#core/model/profile.ts';
import { describeQuality } from '#core/model/quality-grade.ts';
import { formatAge } from '#core/units/age.ts';
import { countText, formatValue } from '#core/units/format.ts';
import type { TrashedItem } from '#core/contract/trash-methods.ts';
import { bytesColumn } from '../output/bytes-column.ts';
import { escapeControls } from '#core/contract/escape-controls.ts';
import { fitTable, shortened } from '../output/fit-table.ts';

/**
 * Lists captures in the given order, newest first, then unreadable ones, within `width`. Captures of a load test or an
 * experiment under load are one row if `isFolded`. `now` is in Unix milliseconds.
 */
export function listCaptures(
  captures: readonly CaptureDocument[],
  broken: readonly DamagedCapture[],
  now: number,
  width: number,
  isFolded = false,
): string {
  if (captures.length === 0 && broken.length === 0) return 'No captures.\n';
  const rows = foldByLoad(captures, ({ load }) => (isFolded ? load : undefined));
  const sizes = bytesColumn(rows.map(({ items }) => items.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)));
  const areTagged = captures.some(({ tags }) => tags.length > 0);
  /** A value of a capture, or the different ones of a load test's. */
  const cellsOf = (read: (capture: CaptureDocument) => string): string[] =>
    rows.map(({ items }) => oneLine([...new Set(items.map(read))].filter((text) => text !== '').join(', ')));
  const columns = [
    { title: 'ID', cells: rows.map(({ load, items }) => oneLine(load === null ? items[0]!.id : loadRow(load).id)) },
    { title: 'AGE', cells: rows.map(({ items }) => formatAge(now - items[0]!.createdAt)), leaves: 5 },
    { title: 'SIZE', cells: sizes, leaves: 4 },
    { title: 'GRADE', cells: cellsOf(gradeOf), leaves: 3 },
    { title: 'PROGRAM', cells: cellsOf((capture) => short(recordedProgram(capture).program ?? '')), leaves: 1 },
    ...(areTagged ? [{ title: 'TAGS', cells: cellsOf(({ tags }) => tags.join(', ')), leaves: 2 }] : []),
    shortened(
      'NAME',
      rows.map(({ load, items }) =>
        oneLine(
          load === null
            ? items[0]!.name
            : `${load.experiment === undefined ? 'load test' : 'experiment'}: ${loadRow(load).name} · ${countText(items.length, 'capture')}`,
        ),
      ),
    ),
  ];
  const table = captures.length === 0 ? [] : fitTable(columns, width);
  const lines = [
    ...(rows.some(({ load }) => load !== null)
      ? ['flamebench captures list ID lists the captures of a load test or an experiment']
      : []),
    ...broken.map(({ id, message, remedy }) => `${oneLine(id)}  broken: ${oneLine(message)}. ${oneLine(remedy)}`),
  ];
  return [...table, ...lines, ''].join('\n');
}

/** Returns one row per capture; lines that begin with `# ` name unreadable ones. */
export const capturesAsCsv = (captures: readonly CaptureDocument[], broken: readonly DamagedCapture[]): string =>
  csvText(
    broken.map(({ id, message }) => `${id} is broken: ${message}`),
    [
      { header: 'ID', cell: ({ id }) => id },
      { header: 'Created', cell: ({ createdAt }) => new Date(createdAt).toISOString() },
      { header: 'Size (bytes)', cell: ({ sizeBytes }) => sizeBytes },
      { header: 'Grade', cell: gradeOf },
      { header: 'Program', cell: (capture) => recordedProgram(capture).program ?? '' },
      { header: 'Tags', cell: ({ tags }) => tags.join(', ') },
      { header: 'Name', cell: ({ name }) => name },
    ],
    captures,
  );

/** Returns the state of a capture that is not finished, else its grade. */
function gradeOf({ state, incomplete, quality }: CaptureDocument): string {
  if (state !== 'finished') return state;
  return `${quality?.grade ?? '–'}${incomplete ? ', incomplete' : ''}`;
}

const LONGEST_PROGRAM = 30;
const short = (text: string): string =>
  text.length <= LONGEST_PROGRAM ? text : `${text.slice(0, LONGEST_PROGRAM - 1)}…`;

/** `others` are the names of entries that Flamebench did not put into the trash. */
export function listTrashed(
  items: readonly TrashedItem[],
  others: readonly string[],
  now: number,
  width: number,
): string {
  const kept = others.length === 0 ? [] : [`Not Flamebench’s, and never deleted: ${others.map(oneLine).join(', ')}`];
  if (items.length === 0) return ['The trash is empty.', ...kept, ''].join('\n');
  const sizes = bytesColumn(items.map(({ sizeBytes }) => sizeBytes));
  const columns = [
    { title: 'ID', cells: items.map(({ entry }) => oneLine(entry)) },
    {
      title: 'TRASHED',
      cells: items.map(({ trashedAt }) => (trashedAt === null ? 'unknown' : formatAge(now - trashedAt))),
      leaves: 3,
    },
    { title: 'SIZE', cells: sizes, leaves: 2 },
    { title: 'KIND', cells: items.map(({ kind }) => kind), leaves: 1 },
    shortened(
      'NAME',
      items.map(({ name }) => oneLine(name)),
    ),
  ];
  const bytes = items.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return [
    ...fitTable(columns, width),
    `${formatValue(bytes, 'bytes')} in total; free them with flamebench captures trash empty`,
    ...kept,
    '',
  ].join('\n');
}

/** Facts that the profile of a capture states. */
export type StatedFacts = Pick<ProfileMetadata, 'period' | 'comments'>;

/** Maximum number of a profile's comments that are printed. */
const MAX_COMMENTS = 20;

/** Returns one line per known fact. `root` is the library's folder. */
export function captureText(document: CaptureDocument, root: string, stated: StatedFacts | null = null): string {
  const { id, target, collector, startedAt, durationMs, samples, lostSamples, quality, diagnostics } = document;
  const facts: (readonly [string, string | null])[] = [
    ['name', document.name],
    ['id', id],
    ['state', `${document.state}${document.incomplete ? ', incomplete' : ''}`],
    ['program', recordedProgram(document).command],
    ['Go', goText(document.goProcess)],
    ['commit', document.commit ?? null],
    ['container', document.container === undefined ? null : containerText(document.container)],
    ['host', target === null ? null : [target.host, target.kernel, target.arch].filter(Boolean).join(' · ')],
    ['recorded', startedAt === null ? null : `${new Date(startedAt).toISOString().slice(0, 19).replace('T', ' ')} UTC`],
    ['for', durationMs === null ? null : formatValue(durationMs / 1000, 'seconds')],
    ['event', document.event],
    ['rate', document.rateHz === null ? null : `${document.rateHz} Hz`],
    ['period', periodText(stated)],
    ['samples', samples?.toLocaleString('en') ?? null],
    ['lost', lostSamples?.toLocaleString('en') ?? null],
    ['grade', quality === undefined ? null : describeQuality(quality)],
    ['format', document.format],
    ['size', formatValue(document.sizeBytes, 'bytes')],
    ['tags', document.tags.length === 0 ? null : document.tags.join(', ')],
    ...(stated?.comments ?? []).slice(0, MAX_COMMENTS).map((comment) => ['comment', comment] as const),
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

/** Returns the profile's sampling period: `512 KiB of space`; null if unknown. */
const periodText = (stated: StatedFacts | null): string | null =>
  stated === null || stated.period === null
    ? null
    : `${formatValue(stated.period.value, stated.period.unit)} of ${stated.period.type}`;

/** Returns the known facts: `go1.26.8 · example.com/api · GOMAXPROCS 4` */
const goText = (go: CaptureDocument['goProcess']): string | null =>
  go === undefined
    ? null
    : [
        go.version,
        go.path,
        go.maxProcs === null ? null : `GOMAXPROCS ${go.maxProcs}${go.isMaxProcsDefault === true ? ' (default)' : ''}`,
      ]
        .filter((fact) => fact !== null)
        .join(' · ');

/** Escapes line breaks in a name. */
export const oneLine = (text: string): string => escapeControls(text.replaceAll('\n', '\\n'));
