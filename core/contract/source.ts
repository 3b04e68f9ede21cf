import * as z from 'zod';
import { checkSchema } from './schemas.ts';

/** A row of a disassembled function, in the order of the disassembler's output. */
const annotationRowSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('instruction'),
    /** Hexadecimal, in the binary. */
    address: z.string(),
    /** As the disassembler wrote it: jumps name their target as `1144 <mix+0xb>`. */
    text: z.string(),
    /** Weight of the samples taken here, in the event's unit. */
    period: z.number(),
    /** `/src/hot.c:7`: source of the instruction; null if not requested, unknown, or without samples. */
    place: z.string().nullable(),
  }),
  /** A line of the interleaved source. */
  z.object({ kind: z.literal('source'), text: z.string() }),
  /** `mix():` or `malloc.c:1338`: the location of the following rows. */
  z.object({ kind: z.literal('place'), text: z.string() }),
]);
export type AnnotationRow = z.infer<typeof annotationRowSchema>;

/** One function by one event. */
const annotatedEventSchema = z.object({
  event: z.string(),
  /** The binary, as perf names it. */
  module: z.string(),
  samples: z.number(),
  /** Sum of the periods of all instructions, including those in `omitted`. */
  total: z.number(),
  rows: z.array(annotationRowSchema),
  /** Number of rows beyond the limit, and the weight of the instructions among them. */
  omitted: z.object({ rows: z.number().int(), period: z.number() }),
});
export type AnnotatedEvent = z.infer<typeof annotatedEventSchema>;

/** Output of `perf annotate` for a function of a whole recording, regardless of the window's selection. */
export const annotationSchema = z.object({
  /** At least one. */
  events: z.array(annotatedEventSchema),
  /** perf printed more than is read; the last event may be incomplete. */
  truncated: z.boolean(),
});
export type Annotation = z.infer<typeof annotationSchema>;

/** Said if an annotation is truncated. */
export const ANNOTATION_TRUNCATED = 'perf’s output exceeds the limit; the end is missing.';

/** Id of the failed check that the user resolves by trusting a capture with `source.allow`. */
export const TRUST_CHECK = 'trust';

/** The command, and whether it can run. */
export const annotationPlanSchema = z.object({
  /** Name of the function as the engine finds it, to compare with the one that the window shows. */
  name: z.string(),
  module: z.string(),
  checks: z.array(checkSchema),
  /** The exact command; null if a check failed. */
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
  /** Reasons why the text may differ from the one that was profiled, one line each. */
  warnings: z.array(z.string()),
});
export type SourceText = z.infer<typeof sourceTextSchema>;

/**
 * The commands that resolve the source lines of a whole recording, or read an execution trace of Go, and checks, such as
 * of binaries without lines.
 */
export const commandsPlanSchema = z.object({
  checks: z.array(checkSchema),
  /** The exact commands, which run one after the other; empty if none can. */
  commands: z.array(z.array(z.string())),
  confirmation: z.string().nullable(),
});
export type CommandsPlan = z.infer<typeof commandsPlanSchema>;

export const linesAnswerSchema = z.object({
  /** Frames in binaries' own code, over all samples. */
  frames: z.number().int(),
  withLine: z.number().int(),
});
export type LinesAnswer = z.infer<typeof linesAnswerSchema>;

/** How perf would read a capture's perf.data on a target. */
export const perfScriptPlanSchema = z.object({
  checks: z.array(checkSchema),
  /** The exact command that will run there; null if a check failed. */
  command: z.array(z.string()).nullable(),
  /** Bytes that cross the connection to the target, or are copied for perf; 0 if it opens the file itself. */
  bytes: z.number(),
  /** Number of samples in the perf.data; null if they are compressed. */
  samples: z.number().nullable(),
  confirmation: z.string().nullable(),
});
export type PerfScriptPlanAnswer = z.infer<typeof perfScriptPlanSchema>;

export const perfScriptProgressSchema = z.object({
  sentBytes: z.number(),
  /** Number of samples in the text so far. */
  samples: z.number(),
});
export type PerfScriptProgress = z.infer<typeof perfScriptProgressSchema>;

export const perfScriptAnswerSchema = z.object({
  samples: z.number(),
  /** Number of samples in the perf.data; null if it can't be determined without unpacking. */
  recorded: z.number().nullable(),
  /** Share of the weight in functions without a symbol, 0 to 1; null without weight. */
  unresolved: z.number().min(0).max(1).nullable(),
  /** As reported by perf. */
  lost: z.number(),
});
export type PerfScriptAnswer = z.infer<typeof perfScriptAnswerSchema>;

/** Number of waits in the profile. */
export const goTraceAnswerSchema = z.object({ samples: z.number() });
export type GoTraceAnswer = z.infer<typeof goTraceAnswerSchema>;
