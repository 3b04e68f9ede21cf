import { visibleText } from '../analyze/function-label.ts';
import type { SectionOf } from '../contract/report/report.ts';
import type { FlamePicture } from '../export/svg/flame-picture.ts';
import { rulesText } from '../compare/describe-comparison.ts';
import { flameSvg, type FlameSvgOptions } from '../export/svg/flame-svg.ts';
import { noteTitle } from '../notes/note-title.ts';
import { loadSvg } from './load-files.ts';
import { numberedNotes } from './placed-notes.ts';
import type { PreparedReport } from './prepare.ts';
import { flameOf, flameWords, searchWords } from './sections/capture-sections.ts';
import { comparisonCaption, wholeText } from './sections/comparison-sections.ts';
import { DELTA_LEGEND, deltaPicture, sidesPicture, widthWords, zoomWords } from './sections/delta-pictures.ts';
import { anchorWords } from './sections/notes-section.ts';
import { viewSentences } from './view-words.ts';

/** Size of a picture; flamegraph.pl's defaults. */
export const PICTURE_SIZE = { width: 1180, minWidth: 0.1, maxFrames: 100_000 } as const;
const DELTAS: SectionOf<'delta-graph'> = { kind: 'delta-graph', look: 'delta' };

/** A picture with its title, subtitle and numbered notes. */
export interface ReportPicture extends Omit<FlameSvgOptions, 'isInteractive'> {
  readonly picture: FlamePicture;
}

/**
 * Returns the report's graph: its first flame graph, or the comparison's deltas; `bothSides` draws its sides instead if
 * its first graph does. Null if it has neither.
 */
export function reportPicture(prepared: PreparedReport, bothSides = false): ReportPicture | null {
  const found = pictureOf(prepared, bothSides);
  return found === null ? null : captionedPicture(prepared, found);
}

/** Returns a picture with the report's title and notes; `words` are the lines below the title. */
export function captionedPicture(prepared: PreparedReport, { picture, words }: DescribedPicture): ReportPicture {
  const pinned = new Set(picture.frames.flatMap(({ pins }) => pins));
  const legend = numberedNotes(prepared.report.notes).map(({ note, number }) => ({
    number,
    text: `${pinned.has(number) ? '' : `(on ${anchorWords(note.anchor)}) `}${visibleText(noteTitle(note.text))}`,
  }));
  return { picture, title: prepared.report.title, subtitle: words, legend };
}

/** Returns the same picture as a file; of a report without a graph the charts of its load tests. */
export function reportSvg(prepared: PreparedReport, isInteractive: boolean, bothSides = false): string | null {
  const found = reportPicture(prepared, bothSides);
  return found === null ? loadSvg(prepared) : flameSvg(found.picture, { ...found, isInteractive });
}

interface DescribedPicture {
  readonly picture: FlamePicture;
  readonly words: readonly string[];
}

function pictureOf(prepared: PreparedReport, bothSides: boolean): DescribedPicture | null {
  const { report, comparison, captures } = prepared;
  const notes = numberedNotes(report.notes);
  if (comparison !== null) {
    const section = report.sections.find((one) => one.kind === 'delta-graph') ?? DELTAS;
    const isSides = bothSides && section.look === 'sides';
    const picture = isSides
      ? sidesPicture(section, comparison, notes, PICTURE_SIZE)
      : deltaPicture(section, comparison, notes, PICTURE_SIZE);
    const drawn = isSides ? 'Both sides on one scale' : `Deltas, ${widthWords(section)}`;
    const words = `${drawn}: ${comparisonCaption(comparison)}.${zoomWords(section, comparison)}${searchWords(section.search ?? '', comparison.searches)}`;
    const rules = rulesText(report.comparison!.rules);
    const matching = rules === null ? [] : [`Matching of functions: ${visibleText(rules)}.`];
    return {
      picture,
      words: [wholeText(comparison), words, DELTA_LEGEND, ...matching, ...viewSentences(prepared.captures.values())],
    };
  }
  const section = report.sections.find((one) => one.kind === 'flame');
  const capture = section === undefined ? undefined : captures.get(section.capture);
  if (section === undefined || capture === undefined) return null;
  const words = [flameWords(section, capture), ...viewSentences([capture])];
  return { picture: flameOf(section, capture, PICTURE_SIZE, notes), words };
}
