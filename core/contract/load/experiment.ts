import * as z from 'zod';
import { askedComponentSchema } from './component.ts';
import { loadProfileSchema } from './profile.ts';
import { loadPlanSchema, MAX_SERVER_PROCESSES } from './load-test.ts';
import { SIDES } from '../side.ts';

const url = z.string().min(1).max(4096);
const word = z
  .string()
  .max(10_000)
  .refine((text) => !text.includes('\0'), { message: 'a NUL byte' });
const argv = z
  .array(word)
  .min(1)
  .max(500)
  .refine(([program]) => program !== '', { message: 'the command has no program' });

/** A side of an experiment. Without `start` and `change`, its server runs already and stays as it is. */
const sideServerSchema = z.object({
  url,
  /** Starts the server for each turn. */
  start: argv.readonly().nullable(),
  /** Changes a running server to this side before each turn; it must end by itself. */
  change: argv.readonly().nullable(),
});
export type SideServer = Readonly<z.infer<typeof sideServerSchema>>;

const serverOptionsSchema = z.object({
  /** Null: where Flamebench was started. */
  cwd: word.min(1).nullable(),
  env: z.record(word.regex(/^[^=]+$/), word),
  /** The server is ready when this answers; null: the side's own URL. */
  ready: url.nullable(),
  readySeconds: z.number().int().min(1).max(3600),
  /** Processes by names of their own, in addition to those that are found; absent: none. */
  components: z.array(askedComponentSchema).max(MAX_SERVER_PROCESSES).exactOptional(),
  /** No process is watched; absent: those that are found are. */
  isUnwatched: z.literal(true).exactOptional(),
});
export type ServerOptions = Readonly<z.infer<typeof serverOptionsSchema>>;

/** Turns of each side, at most. */
export const MAX_TURNS = 100;

const questionSchema = z.object({
  /** One of `LOAD_METRICS`. */
  metric: z.string().max(20),
  /** Part of the value before: 0.05 for 5 %; null: only a change decides. */
  smallerThan: z.number().gt(0).lt(1).nullable(),
  minutes: z.number().int().min(1).max(1440),
});

/** Two sides of a server that are loaded in turn, on this machine. */
export const experimentPlanSchema = z
  .object({
    name: z.string().max(250),
    sides: z.object({ before: sideServerSchema, after: sideServerSchema }),
    server: serverOptionsSchema,
    /** The runs of a turn; the URL is the side's, and the processes are found in each turn. */
    load: loadPlanSchema.omit({ url: true, server: true, repeats: true }),
    /** Recorded of the server within each run; null: nothing. */
    profile: loadProfileSchema.nullable(),
    pairs: z.number().int().min(1).max(MAX_TURNS),
    /** Goes on until this is decided, instead of for `pairs`; null: `pairs` decide. */
    until: questionSchema.nullable(),
  })
  .refine(({ sides: { before, after } }) => (before.start === null) === (after.start === null), {
    message: 'both sides are started, or none',
  })
  .refine(({ sides: { before, after } }) => (before.change === null) === (after.change === null), {
    message: 'both sides are switched, or none',
  })
  .refine(
    ({ sides, server: { components = [] } }) => sides.before.start === null || components.every((one) => one.isPort),
    {
      message: 'a server that is started has no PID yet: name its components by their ports',
    },
  );
export type ExperimentPlan = z.infer<typeof experimentPlanSchema>;

const sideProgressSchema = z.object({ runs: z.number().int(), qps: z.number().nullable() });

/** An experiment that this engine runs, or the last one that it ran. */
export const experimentStatusSchema = z.object({
  /** For `stop`. */
  id: z.string(),
  name: z.string(),
  state: z.enum(['running', 'finished', 'stopped', 'failed']),
  /** Why it failed, and what to do; null: it did not. */
  message: z.string().nullable(),
  remedy: z.string().nullable(),
  /** What was planned. */
  total: z.string(),
  turn: z.object({ side: z.enum(SIDES), round: z.number().int() }).nullable(),
  pairs: z.number().int(),
  /** What the turn does now. */
  now: z.object({ concurrency: z.number().int(), phase: z.enum(['warm-up', 'run', 'pause']) }).nullable(),
  /** Complete runs of each step, with the mean of their QPS. */
  steps: z.array(
    z.object({ concurrency: z.number().int().nullable(), before: sideProgressSchema, after: sideProgressSchema }),
  ),
  /** Which processes are watched, a sentence each. */
  watched: z.array(z.string()),
  /** What `until` came to; null: not asked, or not known yet. */
  decision: z.string().nullable(),
  /** Of the library; null while it runs, and if nothing was kept. */
  experiment: z.string().nullable(),
});
export type ExperimentStatus = z.infer<typeof experimentStatusSchema>;
