import { visibleText } from '../../analyze/function-label.ts';
import type { ReportCapture, ReportSection } from '../../contract/report/report.ts';
import type { NoteAnchor } from '../../contract/notes.ts';
import { widthTree } from '../../compare/delta-tree.ts';
import type { NoteFit } from '../../notes/anchor-notes.ts';
import { notedFunction } from '../../notes/note-title.ts';
import { createFormatter } from '../../units/format.ts';
import { markup, type Markup, type MarkupChild } from '../../export/markup.ts';
import { treePins, type NumberedNote } from '../placed-notes.ts';
import { REPORT_LOCALE, type PreparedReport } from '../prepare.ts';
import { hint, textMarkup } from '../text-markup.ts';

const format = createFormatter(REPORT_LOCALE);

const FITS: Readonly<Record<NoteFit, string>> = {
  exact: '',
  moved: ', under different callers than when it was written',
  function: ', on the function: its call path is not in this report',
  orphaned: ', which is not in this report',
};

/** Returns all notes by number. Pins link here, and each note links to what shows it. */
export function notesSection(prepared: PreparedReport, notes: readonly NumberedNote[]): MarkupChild[] {
  if (notes.length === 0) return [hint('There are no notes.')];
  const fits = noteFits(prepared, notes);
  return [
    markup('ol', { class: 'notes-still' }, ...notes.map((one) => noteMarkup(one, prepared, fits.get(one.number)!))),
  ];
}

export function noteFits(
  { captures, comparison }: PreparedReport,
  notes: readonly NumberedNote[],
): ReadonlyMap<number, NoteFit> {
  const compared =
    comparison === null
      ? []
      : [treePins(notes, null, comparison.comparison.matched.table, widthTree(comparison.tree, 'union')).fits];
  const all = [
    ...compared,
    ...[...captures.values()].map(({ id, stacks, tree }) => treePins(notes, id, stacks.profile, tree).fits),
  ];
  const found = new Map(all.flatMap((fits) => [...fits]));
  for (const { number, on, note } of notes) {
    if (!isInView(note.anchor, on === null ? undefined : captures.get(on)?.range)) found.set(number, 'orphaned');
    const isOfLoad = on === null && comparison === null && note.anchor.kind === 'whole';
    if (!found.has(number)) found.set(number, isOfLoad ? 'exact' : 'orphaned');
  }
  return found;
}

/** Returns whether a note's time, if it has one, is in the time that the report shows of its capture. */
function isInView(anchor: NoteAnchor, range: ReportCapture['range']): boolean {
  if (anchor.kind !== 'range' || range === undefined) return true;
  const isAfterStart = anchor.end === null ? anchor.start >= range.start : anchor.end > range.start;
  return isAfterStart && anchor.start < range.end;
}

function noteMarkup({ note, on, number }: NumberedNote, prepared: PreparedReport, fit: NoteFit): Markup {
  const { text, author, created, edited, colour, anchor } = note;
  const when = [
    created === null ? null : day(created),
    edited === null ? null : `edited ${day(edited)}`,
    author === '' ? null : visibleText(author),
  ].filter((part) => part !== null);
  return markup(
    'li',
    { id: `note-${number}`, class: `note note-${colour}` },
    markup('span', { class: 'pin-inline', 'aria-hidden': 'true' }, String(number)),
    textMarkup(text),
    markup(
      'p',
      { class: 'hint' },
      `On ${anchorWords(anchor)}${whereOf(on, prepared)}${FITS[fit]}.${when.length === 0 ? '' : ` ${when.join(', ')}.`}`,
      ...(fit === 'orphaned' ? [] : showing(anchor, on, prepared)),
    ),
  );
}

/** Formats in UTC, so that a report reads the same everywhere. */
const day = (time: number): string => new Date(time).toISOString().slice(0, 16).replace('T', ' ') + ' UTC';

export function anchorWords(anchor: NoteAnchor): string {
  const func = notedFunction(anchor);
  const name = func === null ? '' : visibleText(func.name.slice(0, 500));
  switch (anchor.kind) {
    case 'whole':
      return 'all of it';
    case 'function':
      return name;
    case 'path':
      return `the call path to ${name}`;
    case 'delta':
      return `the change of ${name}`;
    case 'range':
      return anchor.end === null
        ? `the moment ${format.value(anchor.start, 'nanoseconds')}`
        : `the time from ${format.value(anchor.start, 'nanoseconds')} to ${format.value(anchor.end, 'nanoseconds')}`;
  }
}

function whereOf(on: string | null, { captures, comparison }: PreparedReport): string {
  if (on === null) return comparison === null ? '' : ' of the comparison';
  return captures.size === 1 ? '' : ` in ${visibleText(captures.get(on)?.name ?? on)}`;
}

const OF_COMPARISON: ReadonlySet<ReportSection['kind']> = new Set(['delta-graph', 'before-after', 'deltas']);
const OF_CAPTURE: ReadonlySet<ReportSection['kind']> = new Set(['flame', 'functions']);

/** Returns links to the sections that have the note's pin. */
function showing(anchor: NoteAnchor, on: string | null, { report }: PreparedReport): MarkupChild[] {
  const links = report.sections.flatMap((section, place) => {
    const hasPin =
      anchor.kind === 'range'
        ? section.kind === 'time' && section.capture === on
        : anchor.kind !== 'whole' &&
          (on === null
            ? OF_COMPARISON.has(section.kind)
            : OF_CAPTURE.has(section.kind) && 'capture' in section && section.capture === on);
    return hasPin ? [markup('a', { href: `#section-${place}` }, `section ${place + 1}`)] : [];
  });
  return links.length === 0
    ? []
    : [' Shown in ', ...links.flatMap((link, at) => (at === 0 ? [link] : [', ', link])), '.'];
}
