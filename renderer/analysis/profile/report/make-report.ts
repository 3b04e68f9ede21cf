import type { PatternRunner } from '#core/analyze/transforms/resolve-transforms.ts';
import { transformProfile } from '#core/analyze/transforms/transform-profile.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import type { ResolvedTransforms } from '#core/analyze/view/transforms.ts';
import type { Selection } from '#core/analyze/view/stack-view.ts';
import type { Report, ReportSection } from '#core/contract/report/report.ts';
import { visibleProfile } from '#core/export/visible-profile.ts';
import { captureQuality } from '#core/model/capture-quality.ts';
import type { Profile } from '#core/model/profile.ts';
import type { CaptureQuality } from '#core/model/quality-grade.ts';
import type { PreparedReport } from '../../../../core/report/prepare.ts';
import { reportFactsWithin } from '../../../../core/report/facts-of.ts';
import {
  analyseReport,
  draftCaptureId,
  draftData,
  type BuiltReport,
  type DraftCapture,
} from '../../../../core/report/build-report.ts';
import { reportHtml } from '../../../../core/report/html-file.ts';
import { reportPage } from '../../../../core/report/page.ts';
import { redactReport } from '../../../../core/report/redact-report.ts';
import { flameSvg } from '../../../../core/export/svg/flame-svg.ts';
import { createRedactor } from '../../../../core/redact/identities.ts';
import { numberedNotes } from '../../../../core/report/placed-notes.ts';
import {
  captionedPicture,
  reportPicture,
  reportSvg,
  type ReportPicture,
} from '../../../../core/report/report-picture.ts';
import {
  reportCsv,
  reportJson,
  reportMarkdown,
  tablesOf,
  type ReportTable,
} from '../../../../core/report/report-text.ts';
import { templates } from '../../../../core/report/templates.ts';
import { viewSentences } from '../../../../core/report/view-words.ts';
import { RequestFailure } from '../../request-failure.ts';
import { drawPicture } from './draw-picture.ts';
import type { ReportChoice, ReportFileChoice, ReportPreview, ShownGraph } from './report-protocol.ts';
import { drawShown, type ShownSubject } from './shown-graph.ts';

/** A capture as it is shown. */
interface SeenCapture {
  readonly profile: Profile;
  readonly selection: Selection;
  readonly transforms: readonly NamedTransform[];
  /** Null if not resolved yet. */
  readonly resolved: ResolvedTransforms | null;
  /** Quality of the whole capture; null if not graded yet. */
  readonly quality: CaptureQuality | null;
}

/** The subject of a report: captures in the order of the choice, and how they are compared. */
export interface ReportSubject {
  readonly captures: readonly SeenCapture[];
  readonly comparison: Report['comparison'];
}

export async function previewReport(
  subject: ReportSubject,
  choice: ReportChoice,
  patterns: PatternRunner,
): Promise<ReportPreview> {
  const { prepared, replaced, report } = await build(subject, choice, patterns);
  return { page: reportPage(prepared), sections: report.sections, replaced, tables: tablesOf(prepared) };
}

/** Returns the report as a file; throws a {@link RequestFailure} if it has none in that format. */
export async function reportFile(
  subject: ReportSubject,
  { choice, format, scale, table, viewer, shown, picture = null }: ReportFileChoice,
  patterns: PatternRunner,
  screen: ShownSubject | null = null,
): Promise<Blob> {
  const built = await build(subject, choice, patterns);
  const { prepared, report, profiles } = built;
  const seen = shown === null || screen === null ? null : shownPicture(built, choice, shown, screen);
  const noGraph = (): RequestFailure =>
    new RequestFailure('no-graph', 'this report has no graph', 'Add a section with one.');
  switch (format) {
    case 'html':
      if (viewer === null) throw new RequestFailure('no-viewer', 'the viewer of reports is missing', null);
      return new Blob([reportHtml(report, reportPage(prepared), profiles, viewer)], { type: 'text/html' });
    case 'svg':
    case 'still-svg': {
      const isInteractive = format === 'svg';
      const svg =
        seen === null
          ? reportSvg(prepared, isInteractive, true)
          : flameSvg(seen.picture, {
              ...seen,
              isInteractive: isInteractive && seen.picture.orientation !== 'sandwich',
            });
      if (svg === null) throw noGraph();
      return new Blob([svg], { type: 'image/svg+xml' });
    }
    case 'png': {
      const picture = seen ?? reportPicture(prepared, true);
      if (picture === null) throw noGraph();
      return drawPicture(picture, scale);
    }
    case 'md':
      return new Blob([reportMarkdown(prepared, picture)], { type: 'text/markdown' });
    case 'csv':
      return new Blob([csvOf(prepared, table)], { type: 'text/csv' });
    case 'json':
      return new Blob([reportJson(prepared)], { type: 'application/json' });
  }
}

function csvOf(prepared: PreparedReport, wanted: ReportTable | null): string {
  const tables = tablesOf(prepared);
  const table = tables.find((one) => one === wanted) ?? tables[0];
  if (table === undefined) throw new RequestFailure('no-table', 'this report has no table', 'Use another format.');
  return reportCsv(prepared, table);
}

/** Draws the graph on screen with the caption of its report. */
function shownPicture(
  { prepared, replaced }: BuiltReport,
  choice: ReportChoice,
  shown: ShownGraph,
  screen: ShownSubject,
): ReportPicture {
  const capture = prepared.captures.get(draftCaptureId(0))!;
  const { apply } = createRedactor(replaced);
  // As recorded: redacted anchors name functions that the analysis lacks.
  const { picture, words } = drawShown(screen, shown, { capture, notes: numberedNotes(choice.notes), redact: apply });
  return captionedPicture(prepared, { picture, words: [words, ...viewSentences([capture])] });
}

async function build(
  { captures, comparison }: ReportSubject,
  choice: ReportChoice,
  patterns: PatternRunner,
): Promise<BuiltReport> {
  const drafts: DraftCapture[] = [];
  for (const [place, capture] of captures.entries()) drafts.push(await draftOf(capture, choice, place, patterns));
  const { title, author, version, sections, template, notes, redactions, keep, withoutTimes } = choice;
  const data = draftData({
    title,
    made: { version, author: author === '' ? null : author, from: drafts.map(({ name }) => name), command: [] },
    captures: drafts,
    comparison,
    loads: choice.loads,
    sections: sections ?? [],
    notes,
    withoutTimes,
  });
  const facts = data.report.captures.map((capture, place) => ({
    ...capture,
    facts: reportFactsWithin(choice.captures[place]?.facts ?? null, drafts[place]!.range),
  }));
  const chosen = templates.find(({ id }) => id === template) ?? templates[0]!;
  const asSeen = (section: ReportSection): ReportSection => {
    if (section.kind === 'delta-graph' && choice.deltaStyle !== null) {
      return { ...section, ...choice.deltaStyle, zoom: [...choice.deltaStyle.zoom] };
    }
    return choice.look === null || section.kind !== 'flame' || section.capture !== draftCaptureId(0)
      ? section
      : { ...section, ...choice.look, zoom: [...choice.look.zoom] };
  };
  const report = {
    ...data.report,
    captures: facts,
    sections: sections === null ? chosen.sections(data.report).map(asSeen) : [...sections],
  };
  const redacted = redactReport({ report, profiles: data.profiles }, new Set(redactions), new Set(keep));
  return analyseReport(redacted, patterns);
}

async function draftOf(
  { profile: recorded, selection, transforms, resolved, quality }: SeenCapture,
  { captures }: ReportChoice,
  place: number,
  patterns: PatternRunner,
): Promise<DraftCapture> {
  const name = captures[place]?.name ?? `capture ${place + 1}`;
  const applied =
    resolved === null ? await transformProfile(recorded, transforms, patterns) : { profile: recorded, resolved };
  const { profile } = applied;
  const isWhole = transforms.length === 0 && selection.threads === null && selection.timeRange === null;
  const seen = isWhole ? null : visibleProfile(profile, { selection, transforms, resolved: applied.resolved });
  const whole = { ...profile, metadata: { ...profile.metadata, defaultValueType: selection.valueType } };
  return {
    name,
    document: null,
    profile: seen?.profile ?? whole,
    view: seen?.description ?? [],
    range: selection.timeRange,
    quality: quality ?? captureQuality(recorded, { lost: captures[place]?.facts?.lostSamples ?? 0 }),
  };
}
