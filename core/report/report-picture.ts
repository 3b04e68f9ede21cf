import { visibleText } from '../analyze/function-label.ts';
import type { ReportSection } from '../contract/report.ts';
import type { FlamePicture } from '../export/svg/flame-picture.ts';
import { flameSvg, type FlameSvgOptions } from '../export/svg/flame-svg.ts';
import { noteTitle } from '../notes/note-title.ts';
import { loadSvg } from './load-files.ts';
import { numberedNotes } from './placed-notes.ts';
import type { PreparedReport } from './prepare.ts';
import { flameOf, flameWords } from './sections/capture-sections.ts';
import { comparisonCaption, deltaPicture, wholeSentence } from './sections/comparison-sections.ts';
import { anchorWords } from './sections/notes-section.ts';

/** flamegraph.pl's defaults. */
const SIZE = { width: 1180, minWidth: 0.1, maxFrames: 100_000 } as const;

/** A picture with its title, subtitle and numbered notes. */
export interface ReportPicture extends Omit<FlameSvgOptions, 'isInteractive'> {
  readonly picture: FlamePicture;
}

/** Returns the report's graph: the comparison's deltas, otherwise its first flame graph. Null if it has neither. */
export function reportPicture(prepared: PreparedReport): ReportPicture | null {
  const found = pictureOf(prepared);
  if (found === null) return null;
  const { picture, words } = found;
  const pinned = new Set(picture.frames.flatMap(({ pins }) => pins));
  const legend = numberedNotes(prepared.report.notes).map(({ note, number }) => ({
    number,
    text: `${pinned.has(number) ? '' : `(on ${anchorWords(note.anchor)}) `}${visibleText(noteTitle(note.text))}`,
  }));
  return { picture, title: prepared.report.title, subtitle: words, legend };
}

/** Returns the same picture as a file; of a report without a graph the charts of its load tests. */
export function reportSvg(prepared: PreparedReport, isInteractive: boolean): string | null {
  const found = reportPicture(prepared);
  return found === null ? loadSvg(prepared) : flameSvg(found.picture, { ...found, isInteractive });
}

function pictureOf(prepared: PreparedReport): { picture: FlamePicture; words: string[] } | null {
  const { report, comparison, captures } = prepared;
  const notes = numberedNotes(report.notes);
  if (comparison !== null) {
    const words = [wholeSentence(comparison), `Widths: the larger side. ${comparisonCaption(comparison)}.`];
    return { picture: deltaPicture(comparison, 'union', SIZE, notes), words };
  }
  const section = report.sections.find((one): one is Extract<ReportSection, { kind: 'flame' }> => one.kind === 'flame');
  const capture = section === undefined ? undefined : captures.get(section.capture);
  if (section === undefined || capture === undefined) return null;
  return { picture: flameOf(section, capture, SIZE, notes), words: [flameWords(section, capture)] };
}
