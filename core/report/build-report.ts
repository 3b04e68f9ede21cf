import type { PatternRunner } from '../analyze/transforms/resolve-transforms.ts';
import type { CaptureDocument } from '../contract/schemas.ts';
import type { Report, ReportNote, ReportSection } from '../contract/report/report.ts';
import type { ReportLoad } from '../contract/report/load.ts';
import type { Profile } from '../model/profile.ts';
import type { QualityShares } from '../model/quality-grade.ts';
import type { Redaction } from '../redact/identities.ts';
import { fillTexts } from './claims.ts';
import { factsOf } from './facts-of.ts';
import { prepareReport, type PreparedReport } from './prepare.ts';
import { redactReport, type RedactedReport } from './redact-report.ts';

/** A capture as it goes into a report. */
export interface DraftCapture {
  readonly name: string;
  readonly document: Partial<CaptureDocument> | null;
  /** The visible part; its default value type is the one in view. */
  readonly profile: Profile;
  /** Describes that part of the original, one line each; empty: all of it. */
  readonly view: readonly string[];
  /** The visible part of its time, in nanoseconds; null: all of it. */
  readonly range: { readonly start: number; readonly end: number } | null;
  /** Quality of the whole capture; `profile` may be only a part of it. Null: `profile` is graded. */
  readonly quality: QualityShares | null;
}

/** The contents of a report. Captures are named by position: `c1`, `c2`… */
export interface ReportDraft {
  readonly title: string;
  readonly made: Report['made'];
  readonly captures: readonly DraftCapture[];
  readonly comparison: Report['comparison'];
  /** The load tests during which the captures were recorded; absent: none. */
  readonly loads?: readonly ReportLoad[];
  readonly sections: readonly ReportSection[];
  readonly notes: readonly ReportNote[];
  readonly withoutTimes: boolean;
}

export interface BuiltReport extends RedactedReport {
  readonly prepared: PreparedReport;
}

export const draftCaptureId = (place: number): string => `c${place + 1}`;

/** Redacts the draft before analysing it, so that nothing in the report derives from redacted text. */
export async function buildReport(
  draft: ReportDraft,
  kinds: ReadonlySet<Redaction>,
  keep: ReadonlySet<string>,
  patterns: PatternRunner,
): Promise<BuiltReport> {
  return analyseReport(redactReport(draftData(draft), kinds, keep), patterns);
}

/** Adds the data of its sections to a redacted report, and fills in the texts that are made from them. */
export async function analyseReport(redacted: RedactedReport, patterns: PatternRunner): Promise<BuiltReport> {
  const prepared = await prepareReport(redacted.report, redacted.profiles, patterns);
  return fillTexts({ ...redacted, prepared }, patterns);
}

export function draftData(draft: ReportDraft): Pick<BuiltReport, 'report' | 'profiles'> {
  const { title, made, captures, comparison, loads = [], sections, notes, withoutTimes } = draft;
  const report: Report = {
    schemaVersion: 1,
    title,
    made,
    captures: captures.map(({ name, document, view, range, quality }, place) => ({
      id: draftCaptureId(place),
      name,
      facts: document === null ? null : factsOf(document, range),
      view: [...view],
      ...(range === null ? {} : { range: { start: range.start, end: range.end } }),
      ...(quality === null ? {} : { quality: sharesOf(quality) }),
    })),
    comparison,
    ...(loads.length === 0 ? {} : { loads: [...loads] }),
    sections: [...sections],
    notes: [...notes],
    redacted: [],
    withoutTimes,
  };
  const profiles = new Map(
    captures.map(({ profile }, place) => [draftCaptureId(place), withoutTimes ? dropTimes(profile) : profile]),
  );
  return { report, profiles };
}

const sharesOf = ({ unresolved, unrooted, truncated, lost, impossible, unrootedBy }: QualityShares): QualityShares => ({
  unresolved,
  unrooted,
  truncated,
  lost,
  ...(impossible === undefined ? {} : { impossible }),
  ...(unrootedBy === undefined ? {} : { unrootedBy }),
});

function dropTimes(profile: Profile): Profile {
  const { samples, metadata } = profile;
  if (samples.time === null) return profile;
  return {
    ...profile,
    samples: { ...samples, time: null, duration: null },
    metadata: { ...metadata, timeOrigin: null },
  };
}
