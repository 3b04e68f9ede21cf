import type { KindRule } from '#core/analyze/summary/kind-rules.ts';
import type { Summary } from '#core/analyze/summary/summary.ts';
import type { GoroutineGroup } from '#core/analyze/tables/goroutines.ts';
import { labelBreakdown, type LabelBreakdown } from '#core/analyze/reading/labels.ts';
import { leafWeights } from '#core/analyze/tables/stack-weights.ts';
import { callersAndCallees, type NeighbourList } from '#core/analyze/tree/neighbours.ts';
import type { SampleQuery } from '#core/analyze/time/nearest-sample.ts';
import { searchWeight } from '#core/analyze/search.ts';
import { sumOfFunctions, sumOfNodes } from '#core/analyze/tables/selection-sums.ts';
import { sourceLines, type SourceLines } from '#core/analyze/tables/source-lines.ts';
import { timeGaps } from '#core/analyze/time/gaps.ts';
import type { TimeRange } from '#core/analyze/time/grid.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import type { SourceLineRows } from '#core/analyze/tables/source-line-rows.ts';
import type { FunctionStats } from '#core/analyze/view/stack-view.ts';
import {
  createAnalyses,
  createKeptViews,
  type Growth,
  type KeptViews,
  type ProfileAnalyses,
  type SessionPatterns,
} from './analyses.ts';
import { auditView } from './audit.ts';
import { createGraphSources, type GraphSources } from './graph-sources.ts';
import { wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import type { ParamsOf } from '../methods.ts';
import type { ReportSubject } from './report/make-report.ts';
import type { ReportChoice, ReportPreview } from './report/report-protocol.ts';
import { exportSeen, previewOf, type ExportedFile, type ExportParams } from './visible-requests.ts';
import type { AnalysisSession } from '../session.ts';
import { placeOfLeaf } from '../tree-places.ts';
import type { FoundPlace } from '../answer.ts';
import type {
  AnalyzeParams,
  LeafRows,
  NeighbourRow,
  NeighbourRows,
  ProfileMethods,
  ProfileSource,
} from './protocol.ts';
import type { ShownSubject } from './report/shown-graph.ts';
import type { Tables } from './tables.ts';
import { createTimeViews, type TimeViews } from './time-views.ts';

/** A profile and its analyses, one per view. */
export interface ProfileSession extends AnalysisSession<ProfileSource> {
  readonly profile: Profile;
  readonly at: ProfileAnalyses['at'];
  readonly holds: ProfileAnalyses['holds'];
  readonly closeView: ProfileAnalyses['closeView'];
  neighbours(revision: number, func: FunctionIndex): NeighbourRows;
  leafWeights(revision: number, func: FunctionIndex | null): LeafRows;
  summary(revision: number, rules: readonly KindRule[]): Promise<Summary>;
  goroutines(revision: number): Promise<readonly GoroutineGroup[]>;
  labels(revision: number): readonly LabelBreakdown[];
  sourceLines(revision: number, func: FunctionIndex): SourceLineRows;
  readonly graphs: GraphSources;
  readonly tables: Tables;
  readonly times: TimeViews;
  /** Returns the place of the moment's leaf in the revision's tree; null if there is none. */
  placeAt(revision: number, moment: SampleQuery): FoundPlace | null;
  gaps(): readonly TimeRange[];
  exported(params: ExportParams): Promise<ExportedFile>;
  reportPreview(params: ParamsOf<ProfileMethods, 'report-preview'>): Promise<ReportPreview>;
  reportFile(params: ParamsOf<ProfileMethods, 'report-file'>): Promise<Blob>;
  /** Keeps another capture for reports and returns its number. */
  hold(profile: Profile): number;
}

/** Number of callers and callees listed, heaviest first. */
const MAX_NEIGHBOURS = 200;

/**
 * Creates a session. A newer snapshot's session takes over `kept`; `growth` is given for snapshots of a live profile.
 * `rest` runs between the steps of an analysis, so that other requests, such as a withdrawal, are answered.
 */
export function createProfileSession(
  recorded: Profile,
  patterns: SessionPatterns,
  rest: () => Promise<void> = () => Promise.resolve(),
  kept: KeptViews = createKeptViews(),
  growth: Growth | null = null,
): ProfileSession {
  const hasSource = recorded.frames.line !== null || recorded.functions.file.some((file) => file !== 0);
  const times = createTimeViews(recorded);
  const analyses = createAnalyses(recorded, patterns, times, rest, kept, growth);
  const { at } = analyses;
  const { tables } = kept;
  const graphs = createGraphSources();
  const held: Profile[] = [];

  /** Returns an analysis for a picture of its graph. */
  function onScreen(revision: number): ShownSubject {
    const analysis = at(revision);
    return { sources: graphs, analysis, baseline: analysis.compared };
  }

  return {
    profile: recorded,
    ...analyses,
    source: (revision, tree) => graphs.source(at(revision), tree),
    audit(revision) {
      const { viewed, tree } = at(revision);
      return auditView(recorded, viewed.view, viewed.stats, tree);
    },
    matches(revision, flags) {
      const { functionCount, weight } = searchWeight(at(revision).view, flags);
      return { flags, functions: functionCount, weight };
    },
    sums({ revision, of, rows }) {
      const { view, tree } = at(revision);
      return of === 'functions' ? sumOfFunctions(view, rows) : sumOfNodes(tree, rows);
    },
    preview: (params) => previewOf(recorded, params, patterns.ofPreviews),
    timeStrip: ({ revision, window, buckets }) => times.strip(at(revision), window, times.buckets(window, buckets)),
    neighbours(revision, func) {
      const { callers, callees } = callersAndCallees(at(revision).view, func);
      return {
        callers: neighbourRows(callers),
        callees: neighbourRows(callees),
        callerCount: callers.length,
        calleeCount: callees.length,
      };
    },
    leafWeights: (revision, func) => leafWeights(at(revision).view, func),
    async summary(revision, rules) {
      const { profile, view, viewed, resolved, names: viewNames } = at(revision);
      const { selection } = view;
      const summarised = { profile, selection, resolved, view, stats: viewed.stats, names: viewNames };
      const { summarise } = await import('#core/analyze/summary/summary.ts');
      return summarise(summarised, rules, patterns.ofPreviews);
    },
    async goroutines(revision) {
      const { profile, view, resolved } = at(revision);
      const { goroutineGroups } = await import('#core/analyze/tables/goroutines.ts');
      return goroutineGroups(profile, view.selection, resolved);
    },
    labels(revision) {
      const { profile, view, resolved } = at(revision);
      return labelBreakdown(profile, view.selection, resolved);
    },
    sourceLines(revision, func) {
      const { profile, view, viewed, resolved } = at(revision);
      if (!hasSource) return withoutLines(viewed.stats, func);
      return toLineRows(sourceLines(profile, view.selection, resolved, func), profile.strings);
    },
    graphs,
    tables,
    times,
    placeAt(revision, moment) {
      const current = at(revision);
      return placeOfLeaf(current.tree, times.stackAt(current, moment));
    },
    gaps: () => timeGaps(recorded),
    exported: (params) => exportSeen(recorded, params, patterns.ofPreviews),
    async reportPreview({ choice, ...seen }) {
      const { previewReport } = await import('./report/make-report.ts');
      return previewReport(reportSubject(recorded, seen, held, choice), choice, patterns.ofPreviews);
    },
    async reportFile({ selection, transforms, ...choice }) {
      const { reportFile } = await import('./report/make-report.ts');
      return reportFile(
        reportSubject(recorded, { selection, transforms }, held, choice.choice),
        choice,
        patterns.ofPreviews,
        choice.shown === null ? null : onScreen(choice.shown.revision),
      );
    },
    hold: (profile) => held.push(profile) - 1,
  };
}

/** Returns the tab's own capture as it is shown, and all captures that were added to the report. */
const reportSubject = (
  recorded: Profile,
  seen: Pick<AnalyzeParams, 'selection' | 'transforms'>,
  held: readonly Profile[],
  { captures }: ReportChoice,
): ReportSubject => ({
  captures: captures.map(({ held: place }) => {
    if (place === null) return { profile: recorded, ...seen, resolved: null, quality: null };
    const profile = held[place]!;
    return { profile, selection: wholeProfile(profile), transforms: [], resolved: null, quality: null };
  }),
  comparison: null,
});

function neighbourRows(list: NeighbourList): NeighbourRow[] {
  return Array.from({ length: Math.min(list.length, MAX_NEIGHBOURS) }, (_, row) => ({
    func: list.func[row]! as FunctionIndex | -1,
    weight: list.weight[row]!,
  }));
}

/** Converts source lines for the window, with file names instead of the whole string table. */
export function toLineRows(lines: SourceLines, strings: readonly string[]): SourceLineRows {
  const rows = [...new Set(lines.file)];
  const place = new Map(rows.map((string, index) => [string, index]));
  return {
    length: lines.length,
    files: rows.map((string) => strings[string]!),
    file: lines.file.map((string) => place.get(string)!),
    func: lines.func,
    line: lines.line,
    self: lines.self,
    total: lines.total,
  };
}

/** Returns the rows for a profile without files and lines, without searching it. */
function withoutLines({ func, self, total }: FunctionStats, asked: FunctionIndex): SourceLineRows {
  const row = func.indexOf(asked);
  const length = row < 0 ? 0 : 1;
  return {
    length,
    files: length === 0 ? [] : [''],
    file: new Int32Array(length),
    func: new Int32Array(length).fill(asked),
    line: new Int32Array(length),
    self: self.slice(row, row + length),
    total: total.slice(row, row + length),
  };
}
