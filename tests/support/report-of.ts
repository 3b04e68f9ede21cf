import { patternsHere } from '#core/analyze/transforms/resolve-transforms.ts';
import type { ReportNote } from '#core/contract/report/report.ts';
import type { Profile } from '#core/model/profile.ts';
import type { Redaction } from '#core/redact/identities.ts';
import {
  buildReport,
  draftCaptureId,
  type BuiltReport,
  type DraftCapture,
  type ReportDraft,
} from '#core/report/build-report.ts';
import { reportHtml, type ReportViewer } from '#core/report/html-file.ts';
import { reportPage } from '#core/report/page.ts';
import { templates } from '#core/report/templates.ts';

interface ReportParts extends Partial<ReportDraft> {
  readonly kinds?: readonly Redaction[];
  readonly keep?: readonly string[];
  /** Overrides for each capture. */
  readonly capture?: Partial<DraftCapture>;
}

/** Builds a report of one profile, or of a comparison of two. */
export function reportOf(profiles: readonly Profile[], parts: ReportParts = {}): Promise<BuiltReport> {
  const { kinds = [], keep = [], capture = {}, ...draft } = parts;
  const captures = profiles.map((profile, place) => ({
    name: `capture ${place + 1}`,
    document: null,
    profile,
    view: [],
    range: null,
    quality: null,
    ...capture,
  }));
  const side = (place: number) => ({ label: '', captures: [{ capture: draftCaptureId(place), requests: null }] });
  const comparison =
    profiles.length < 2
      ? null
      : {
          before: side(0),
          after: side(1),
          normalisation: null,
          rules: { off: [], user: [], ignoreModules: false },
        };
  const subject = {
    captures: captures.map(({ name }, place) => ({ id: draftCaptureId(place), name, facts: null, view: [] })),
    comparison,
  };
  return buildReport(
    {
      title: 'A finding',
      made: { version: '0.0.0', author: null, from: ['a.folded'], command: ['flamebench', 'report'] },
      captures,
      comparison,
      sections: templates[0]!.sections(subject),
      notes: [],
      withoutTimes: false,
      ...draft,
    },
    new Set(kinds),
    new Set(keep),
    patternsHere,
  );
}

/** A viewer without content: the report stays static. */
export const NO_VIEWER: ReportViewer = { scripts: [''], style: '', scriptHashes: ['sha256-x'], styleHash: 'sha256-y' };

export const htmlOf = ({ report, prepared, profiles }: BuiltReport): string =>
  reportHtml(report, reportPage(prepared), profiles, NO_VIEWER);

export const noteOn = (on: string | null, anchor: ReportNote['note']['anchor'], text: string): ReportNote => ({
  on,
  note: { id: text.slice(0, 60), anchor, text, author: 'alice', created: 1, edited: null, colour: 'red' },
});
