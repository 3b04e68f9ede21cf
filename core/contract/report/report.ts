import { qualityShape } from '../../model/native/quality-shape.ts';
import * as z from 'zod/mini';
import {
  circumstancesSchema,
  collectorFactsSchema,
  containerFactsSchema,
  targetFactsSchema,
} from '../capture-facts.ts';
import { NORMALISATIONS } from '../normalisation.ts';
import { MAX_PATTERN_LENGTH } from '../../analyze/search.ts';
import { noteSchema } from '../notes.ts';
import { reportLoadSchema } from './load.ts';
import { MAX_NOTES } from '../limits.ts';

/** The contents of a report and their order; its captures are stored next to it, see docs/reports.md. */

/** More sections than anyone reads. */
const MAX_REPORT_SECTIONS = 200;
const MAX_CAPTURES = 200;
const MAX_TEXT = 1_000_000;
const MAX_ROWS = 10_000;

const text = z.string().check(z.maxLength(MAX_TEXT));
const word = z.string().check(z.maxLength(10_000));
const number = z.number();
const rows = z.int().check(z.minimum(1), z.maximum(MAX_ROWS));
/** ID of a capture within its report. */
const captureId = z.string().check(z.regex(/^c\d{1,4}$/));
/** Absent: the section's default title. */
const title = z.exactOptional(z.string().check(z.maxLength(500)));

const functionRefSchema = z.object({ name: word, module: word, file: word, line: number });

/** From below the root to the frame that fills the width; empty: all. */
const zoom = z.array(functionRefSchema).check(z.maxLength(10_000));
/** A regular expression; empty: none. */
const search = z.string().check(z.maxLength(MAX_PATTERN_LENGTH));
const orientation = z.enum(['flame', 'icicle']);
const measure = z.enum(['self', 'total']);

/** One part of the page, from top to bottom. */
export const reportSectionSchema = z.discriminatedUnion('kind', [
  /**
   * Markdown. `fill`: the text is a part of that of `flamebench explain` about the report's data until the user edits it:
   * answer, claims, basis, command and environment; other causes; remaining doubt.
   */
  z.object({ kind: z.literal('text'), title, text, fill: z.exactOptional(z.enum(['claims', 'causes', 'doubts'])) }),
  /** The call tree as a graph. */
  z.object({
    kind: z.literal('flame'),
    title,
    capture: captureId,
    direction: z.enum(['top-down', 'bottom-up']),
    orientation,
    zoom,
    search,
  }),
  /** Callers and callees of one function; null: of the one with the largest self weight. */
  z.object({ kind: z.literal('sandwich'), title, capture: captureId, func: z.nullable(functionRefSchema) }),
  /** Functions of one capture by self and total weight. */
  z.object({ kind: z.literal('functions'), title, capture: captureId, rows, sort: measure }),
  /**
   * Both sides of the comparison as graphs, or one graph of its deltas with the widths of `width`; absent: *flame*, not
   * zoomed, as wide as the larger side, no search.
   */
  z.object({
    kind: z.literal('delta-graph'),
    title,
    look: z.enum(['sides', 'delta']),
    orientation: z.exactOptional(orientation),
    zoom: z.exactOptional(zoom),
    width: z.exactOptional(z.enum(['before', 'after', 'union'])),
    search: z.exactOptional(search),
  }),
  /** Functions of both sides by total and by self weight, side by side. */
  z.object({ kind: z.literal('before-after'), title, rows }),
  /** What changed by how much, with intervals and verdicts. */
  z.object({ kind: z.literal('deltas'), title, rows, measure }),
  z.object({ kind: z.literal('movers'), title, rows }),
  z.object({ kind: z.literal('notes'), title }),
  /** Weight over time, with the marks of the time strip. */
  z.object({ kind: z.literal('time'), title, capture: captureId }),
  /** The load tests during which the captures were recorded. */
  z.object({ kind: z.literal('load'), title }),
  z.object({ kind: z.literal('quality'), title }),
  z.object({ kind: z.literal('target'), title }),
  z.object({ kind: z.literal('commands'), title }),
]);
export type ReportSection = z.infer<typeof reportSectionSchema>;
/** The sections of one kind. */
export type SectionOf<Kind extends ReportSection['kind']> = Extract<ReportSection, { kind: Kind }>;

/** What a capture's document states beyond its file; see `FactsDocument`. */
const factsDocumentSchema = z.object({
  target: z.nullable(targetFactsSchema),
  rateHz: z.nullable(number),
  durationMs: z.nullable(number),
  cpuSeconds: z.nullable(z.object({ start: number, end: number })),
  incomplete: z.boolean(),
  lostSamples: number,
  /** Start in milliseconds since 1970, from which follows the order of runs; absent: unknown. */
  startedAt: z.exactOptional(number),
  collector: z.nullable(collectorFactsSchema),
  circumstances: z.exactOptional(circumstancesSchema),
  process: z.exactOptional(
    z.nullable(z.object({ name: word, executable: z.nullable(word), buildId: z.nullable(word), command: word })),
  ),
  container: z.exactOptional(containerFactsSchema),
  /** The run of a load test during which it was recorded; absent: none. */
  load: z.exactOptional(z.object({ test: word, concurrency: number, run: number })),
});
export type ReportFacts = z.infer<typeof factsDocumentSchema>;

const reportCaptureSchema = z.object({
  id: captureId,
  name: word,
  /** Null: a file without a capture of the library. */
  facts: z.nullable(factsDocumentSchema),
  /** The part of the original in the report, one line each: value type, threads, time range, … Empty: all of it. */
  view: z.array(word),
  /** The time in view, in nanoseconds like the times of samples and notes; absent: all of it. */
  range: z.exactOptional(z.object({ start: number, end: number })),
  /** Quality of the whole original, whatever is in view; absent: that of the report's data. */
  quality: z.exactOptional(z.object(qualityShape())),
});
export type ReportCapture = z.infer<typeof reportCaptureSchema>;

const sideSchema = z.object({
  /** What was done on this side; may be empty. */
  label: word,
  captures: z
    .array(z.object({ capture: captureId, requests: z.nullable(number) }))
    .check(z.minLength(1), z.maxLength(MAX_CAPTURES)),
});

/** Logarithms of size factors; e^20 is more than any machine differs by. */
const factors = z.array(number.check(z.minimum(-20), z.maximum(20))).check(z.maxLength(MAX_CAPTURES));

const reportComparisonSchema = z
  .object({
    before: sideSchema,
    after: sideSchema,
    normalisation: z.nullable(z.enum(NORMALISATIONS)),
    rules: z.object({
      off: z.array(word),
      user: z.array(z.object({ pattern: word, ignoreCase: z.boolean(), replacement: word })),
      pairs: z.exactOptional(z.readonly(z.array(z.object({ before: word, after: word })))),
      ignoreModules: z.boolean(),
      sameProgram: z.exactOptional(z.boolean()),
    }),
    /** Size factors of the whole captures, or why there are none; absent: the report's data determine them. */
    factors: z.exactOptional(
      z.union([z.enum(['too few functions', 'no common reference']), z.object({ before: factors, after: factors })]),
    ),
  })
  .check(
    z.refine(
      ({ before, after, factors }) =>
        typeof factors !== 'object' ||
        (factors.before.length === before.captures.length && factors.after.length === after.captures.length),
    ),
  );

const reportNoteSchema = z.object({
  /** The capture that it is on; null: the comparison. */
  on: z.nullable(captureId),
  note: noteSchema,
});
export type ReportNote = z.infer<typeof reportNoteSchema>;

export const reportSchema = z.object({
  schemaVersion: z.literal(1),
  title: word,
  made: z.object({
    /** Version of Flamebench. */
    version: word,
    /** The author's name; null if not stated. */
    author: z.nullable(word),
    /** Names of its sources. */
    from: z.array(word),
    /** The command that made it; empty if it was made in the window. */
    command: z.array(word),
  }),
  /** None in a report of load tests alone. */
  captures: z.array(reportCaptureSchema).check(z.maxLength(MAX_CAPTURES)),
  comparison: z.nullable(reportComparisonSchema),
  /** Absent: the captures were not recorded under load. */
  loads: z.exactOptional(z.array(reportLoadSchema).check(z.maxLength(MAX_CAPTURES))),
  sections: z.array(reportSectionSchema).check(z.maxLength(MAX_REPORT_SECTIONS)),
  notes: z.array(reportNoteSchema).check(z.maxLength(MAX_NOTES)),
  /** Replacements: `host-1` for a host, 12 times. The replaced text is not stored. */
  redacted: z.array(z.object({ kind: word, token: word, count: number })),
  /** The times of samples were left out. */
  withoutTimes: z.boolean(),
});
export type Report = z.infer<typeof reportSchema>;

/** Sections of a report that the user saved, in order; they name captures by position: `c1`, `c2`. */
export const savedTemplateSchema = z.object({
  name: z.string().check(z.minLength(1), z.maxLength(100)),
  sections: z.array(reportSectionSchema).check(z.maxLength(MAX_REPORT_SECTIONS)),
});
export type SavedTemplate = z.infer<typeof savedTemplateSchema>;
