import * as z from 'zod';
import { askedComponentsSchema, foundComponentsSchema } from './component.ts';
import { experimentPlanSchema, experimentStatusSchema } from './experiment.ts';
import { probePlanSchema, storedProbeSchema } from './probe.ts';
import { loadPlanSchema, loadResultSchema, loadTestSchema, MAX_LOAD_RUNS } from './load-test.ts';
import { damagedCaptureSchema } from '../schemas.ts';

const byId = z.object({ id: z.string().max(100) });
const shownSchema = loadTestSchema.extend({
  state: z.enum(['running', 'interrupted', 'finished', 'stopped', 'failed']),
});

const plannedSchema = z.object({
  confirmation: z.string(),
  total: z.string(),
  leftOut: z.string().nullable(),
  commands: z.array(z.array(z.string())),
});

/**
 * Methods about load tests, called by the contract's method `load`. All changes are announced by the event
 * `library-changed`.
 */
export const loadMethods = {
  /** Newest first, without their runs. */
  list: {
    params: z.object({}),
    result: z.object({
      tests: z.array(
        // `probes`: their number; absent for a sweep.
        shownSchema
          .omit({ runs: true, probe: true, commands: true })
          .extend({ runs: z.number().int(), probes: z.number().int().exactOptional() }),
      ),
      damaged: z.array(damagedCaptureSchema),
    }),
  },
  get: { params: byId, result: shownSchema },
  /** Stores results that the window has read from files. */
  keep: {
    params: z.object({
      name: z.string().min(1).max(1000),
      kept: z.union([
        z.object({ results: z.array(loadResultSchema).min(1).max(MAX_LOAD_RUNS) }),
        z.object({ probe: storedProbeSchema }),
      ]),
    }),
    result: shownSchema,
  },
  trash: { params: byId, result: z.object({}) },
  /** Checks what would run, and where. `total` describes the whole load; `commands` are the exact ones, by step. */
  plan: {
    params: z.object({ target: z.string().max(400), name: z.string().max(1000), plan: loadPlanSchema }),
    result: plannedSchema,
  },
  /** Finds the server's processes on a machine, before they are watched. */
  find: { params: askedComponentsSchema.extend({ target: z.string().max(400) }), result: foundComponentsSchema },
  /** The same for probes of one URL. */
  planProbe: {
    params: z.object({ target: z.string().max(400), name: z.string().max(1000), plan: probePlanSchema }),
    result: plannedSchema,
  },
  /** The same for two sides that are loaded in turn on this machine. */
  planExperiment: { params: z.object({ plan: experimentPlanSchema }), result: plannedSchema },
  /** The experiment that this engine runs, else the last one that it ran; null: none. */
  experiment: { params: z.object({}), result: z.object({ status: experimentStatusSchema.nullable() }) },
  /** Starts what `plan`, `planProbe` or `planExperiment` showed. Answers when the first run has begun. */
  start: { params: z.object({ confirmation: z.string().max(200) }), result: byId },
  /** Ends a test that this engine runs; complete runs are kept. Does nothing if no test with this ID is running. */
  stop: { params: byId, result: z.object({}) },
  /** Ends the test and discards it; an experiment keeps complete runs once each side has one. */
  cancel: { params: byId, result: z.object({}) },
} as const;

export type LoadMethod = keyof typeof loadMethods;
export type LoadParams<M extends LoadMethod> = z.infer<(typeof loadMethods)[M]['params']>;
export type LoadAnswer<M extends LoadMethod> = z.infer<(typeof loadMethods)[M]['result']>;
