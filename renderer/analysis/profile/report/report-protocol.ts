import type { FunctionRef } from '#core/analyze/function-ref.ts';
import type { ColourScheme } from '#core/colour/frame-colour.ts';
import type { ReportLoad } from '#core/contract/report/load.ts';
import type { ReportFacts, ReportNote, ReportSection } from '#core/contract/report/report.ts';
import type { CallNodeIndex } from '#core/model/brand.ts';
import type { Redaction } from '#core/redact/identities.ts';
import type { ReportViewer } from '../../../../core/report/html-file.ts';
import type { Markup } from '../../../../core/export/markup.ts';
import type { ReportTable } from '../../../../core/report/report-text.ts';
import type { CountedReplacement } from '../../../../core/report/redact-report.ts';
import type { GraphPlace, SampleWidths } from '../graph-protocol.ts';

/** Formats in which the window saves a report. */
export const WINDOW_FORMATS = ['html', 'svg', 'still-svg', 'png', 'md', 'csv', 'json'] as const;
export type WindowFormat = (typeof WINDOW_FORMATS)[number];

/** Device pixels per CSS pixel of a PNG. */
export const PNG_SCALES = [1, 2, 3, 4] as const;

/** The file to make of a report. */
export interface FileForm {
  readonly format: WindowFormat;
  /** Of a PNG → {@link PNG_SCALES} */
  readonly scale: number;
  /** Of a CSV; null, or one that the report lacks: its first. */
  readonly table: ReportTable | null;
}

/** What the user chose in the report builder. */
export interface ReportChoice {
  readonly title: string;
  readonly author: string;
  readonly version: string;
  /** Null selects those of `template`. */
  readonly sections: readonly ReportSection[] | null;
  /** ID of the template used if `sections` is null. */
  readonly template: string;
  readonly notes: readonly ReportNote[];
  /** The load tests during which the captures were recorded. */
  readonly loads: readonly ReportLoad[];
  readonly redactions: readonly Redaction[];
  /** Replacements that were unticked, by their text. */
  readonly keep: readonly string[];
  readonly withoutTimes: boolean;
  /** The tab's captures, before then after, followed by added ones. */
  readonly captures: readonly ChosenCapture[];
  /** How the tab shows its own capture, for the sections of templates; null shows all of it. */
  readonly look: SharedGraphProps | null;
  /** How the tab shows its comparison, for the sections of templates; null for a capture. */
  readonly deltaStyle: DeltaGraphLook | null;
}

export interface ChosenCapture {
  readonly name: string;
  /** Facts about the capture from the library. */
  readonly facts: ReportFacts | null;
  /** The worker's number of a capture added to the report; null for the tab's own. */
  readonly held: number | null;
}

export interface SharedGraphProps {
  readonly direction: 'top-down' | 'bottom-up';
  readonly orientation: 'flame' | 'icicle';
  readonly zoom: readonly FunctionRef[];
  readonly search: string;
}

export interface DeltaGraphLook {
  readonly look: 'sides' | 'delta';
  readonly orientation: 'flame' | 'icicle';
  readonly zoom: readonly FunctionRef[];
  readonly width: 'before' | 'after' | 'union';
  readonly search: string;
}

/** The graph that a profile's view has on screen. */
export interface ShownGraph {
  readonly revision: number;
  readonly graph:
    | { readonly kind: 'own'; readonly node: CallNodeIndex }
    | { readonly kind: 'time-order'; readonly widths: SampleWidths; readonly at: GraphPlace | null }
    | {
        readonly kind: 'sandwich';
        /** Null: no function was selected yet. */
        readonly centre: FunctionRef | null;
        readonly callers: GraphPlace | null;
        readonly callees: GraphPlace | null;
      };
  readonly orientation: 'flame' | 'icicle';
  readonly colours: Pick<ColourScheme, 'mode' | 'slots'>;
  /** By function index: 1 if the search matches; null if there is no search. */
  readonly matches: Uint8Array | null;
  readonly search: string;
}

/** A report as the builder shows it: its page, and what was replaced. */
export interface ReportPreview {
  readonly page: Markup;
  readonly sections: readonly ReportSection[];
  readonly replaced: readonly CountedReplacement[];
  /** The tables that it can be saved as. */
  readonly tables: readonly ReportTable[];
}

export interface ReportFileChoice extends FileForm {
  readonly choice: ReportChoice;
  /** Null for formats that need none. */
  readonly viewer: ReportViewer | null;
  /** Draw this graph instead of the report's first; null: the report's. Only for pictures of a profile. */
  readonly shown: ShownGraph | null;
  /** Name of the file with the picture that Markdown shows; absent or null: none. */
  readonly picture?: string | null;
}
