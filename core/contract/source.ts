import { z } from 'zod';
import { checkSchema } from './schemas.ts';

/** A row of a disassembled function, in the order that the disassembler printed. */
const annotationRowSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('instruction'),
    /** Hexadecimal, in the binary. */
    address: z.string(),
    /** As the disassembler wrote it: jumps name their target as `1144 <mix+0xb>`. */
    text: z.string(),
    /** Weight of the samples that were taken here, in the event's unit. */
    period: z.number(),
    /** `/src/hot.c:7`: where the instruction comes from; null where not asked for, not known, or without samples. */
    place: z.string().nullable(),
  }),
  /** A line of the source that was interleaved. */
  z.object({ kind: z.literal('source'), text: z.string() }),
  /** `mix():` or `malloc.c:1338`: what the following rows belong to. */
  z.object({ kind: z.literal('place'), text: z.string() }),
]);
export type AnnotationRow = z.infer<typeof annotationRowSchema>;

/** One function by one event. */
const annotatedEventSchema = z.object({
  event: z.string(),
  /** The binary, as perf names it. */
  module: z.string(),
  samples: z.number(),
  /** Sum of the periods of all instructions, also of those in `omitted`. */
  total: z.number(),
  rows: z.array(annotationRowSchema),
  /** Rows beyond the limit, and the weight of the instructions among them. */
  omitted: z.object({ rows: z.number().int(), period: z.number() }),
});
export type AnnotatedEvent = z.infer<typeof annotatedEventSchema>;

/** What `perf annotate` says of a function of a whole recording, whatever the window has selected. */
export const annotationSchema = z.object({
  /** At least one. */
  events: z.array(annotatedEventSchema),
  /** perf printed more than is read; the last event may be cut. */
  truncated: z.boolean(),
});
export type Annotation = z.infer<typeof annotationSchema>;

/** Id of the failed check that the user lifts by trusting a capture, which is then asked for by `source.allow`. */
export const TRUST_CHECK = 'trust';

/** What would run, and whether it can. */
export const annotationPlanSchema = z.object({
  /** Of the function as the engine finds it, to compare with what the window means. */
  name: z.string(),
  module: z.string(),
  checks: z.array(checkSchema),
  /** Exactly what will run; null where a check failed. */
  command: z.array(z.string()).nullable(),
  confirmation: z.string().nullable(),
});
export type AnnotationPlan = z.infer<typeof annotationPlanSchema>;

/** The text of a source file that a capture names. */
export const sourceTextSchema = z.object({
  /** As the capture names it. */
  file: z.string(),
  lines: z.array(z.string()),
  /** Unix epoch milliseconds. */
  modifiedAt: z.number(),
  /** Why the text may be another one than what was profiled, one line each. */
  warnings: z.array(z.string()),
});
export type SourceText = z.infer<typeof sourceTextSchema>;

/** What would look up the source lines of a whole recording, and of which binaries there are none. */
export const linesPlanSchema = z.object({
  checks: z.array(checkSchema),
  /** Exactly what will run, one after the other; empty where nothing can. */
  commands: z.array(z.array(z.string())),
  confirmation: z.string().nullable(),
});
export type LinesPlanAnswer = z.infer<typeof linesPlanSchema>;

export const linesAnswerSchema = z.object({
  /** In binaries' own code, over all samples. */
  frames: z.number().int(),
  withLine: z.number().int(),
});
export type LinesAnswer = z.infer<typeof linesAnswerSchema>;

/** What would have perf read a capture's perf.data on a target. */
export const perfScriptPlanSchema = z.object({
  checks: z.array(checkSchema),
  /** Exactly what will run there; null where a check failed. */
  command: z.array(z.string()).nullable(),
  /** That cross the connection to the target, or are copied for perf; 0 where it opens the file itself. */
  bytes: z.number(),
  /** In the perf.data; null where they are compressed. */
  samples: z.number().nullable(),
  confirmation: z.string().nullable(),
});
export type PerfScriptPlanAnswer = z.infer<typeof perfScriptPlanSchema>;

export const perfScriptProgressSchema = z.object({
  sentBytes: z.number(),
  /** In the text so far. */
  samples: z.number(),
});
export type PerfScriptProgress = z.infer<typeof perfScriptProgressSchema>;

export const perfScriptAnswerSchema = z.object({
  samples: z.number(),
  /** In the perf.data; null where that can't be told without unpacking it. */
  recorded: z.number().nullable(),
  /** Share of the weight in functions without a symbol, 0 to 1; null without weight. */
  unresolved: z.number().min(0).max(1).nullable(),
  /** As perf says. */
  lost: z.number(),
});
export type PerfScriptAnswer = z.infer<typeof perfScriptAnswerSchema>;
