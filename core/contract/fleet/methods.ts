import * as z from 'zod';
import { fleetFilterSchema, fleetSourceSchema, fleetTypeSchema } from './replicate.ts';
import { SIDES } from '../side.ts';

/** Most rows of a list; the answers say how many more there are. */
export const MAX_FLEET_ROWS = 500;

const store = z.string().min(1).max(4096);
const sides = z.object({ before: fleetFilterSchema, after: fleetFilterSchema });
const share = z.number().nullable();
const replicates = z.enum(['hosts', 'minutes']);

/** A list that is cut at {@link MAX_FLEET_ROWS}. */
const listOf = <T extends z.ZodType>(row: T) => z.object({ rows: z.array(row), more: z.number().int() });

const fileSchema = z.object({ handle: z.string(), fileName: z.string(), size: z.number() });

const replicateSchema = z.object({
  source: fleetSourceSchema,
  file: fileSchema,
  /** Requests of the replicate's captures; null if unknown. */
  requests: z.number().positive().nullable(),
});
export type FleetReplicate = z.infer<typeof replicateSchema>;

/**
 * Methods about fleets, called by the contract's method `fleet`. Each opens the fleet for reading and closes it. `store`
 * is the path of its file, as the user typed it: the one path that a page sends. Or it is the address of the server that
 * FLAMEBENCH_FLEET names.
 */
export const fleetMethods = {
  /** The fleet that FLAMEBENCH_FLEET names; null: none. */
  named: { params: z.object({}), result: z.object({ store: z.string().nullable() }) },
  /** What a filter selects, and what it could select. */
  describe: {
    params: z.object({ store, filter: fleetFilterSchema }),
    result: z.object({
      releases: listOf(
        z.object({
          service: z.string(),
          release: z.string(),
          hosts: z.number(),
          captures: z.number(),
          samples: z.number(),
          first: z.number(),
          last: z.number(),
        }),
      ),
      captures: z.number(),
      /** Values in the whole fleet. */
      services: listOf(z.string()),
      hosts: listOf(z.string()),
      labels: listOf(z.tuple([z.string(), z.string()])),
      /** Of the selected captures; the one that most have as theirs first. */
      types: z.array(fleetTypeSchema),
    }),
  },
  /** Functions by part of their name. */
  search: {
    params: z.object({ store, filter: fleetFilterSchema, type: fleetTypeSchema, text: z.string().min(1).max(1000) }),
    result: listOf(
      z.object({
        name: z.string(),
        module: z.string(),
        captures: z.number(),
        hosts: z.number(),
        releases: z.number(),
        self: z.number(),
        total: z.number(),
      }),
    ),
  },
  /** A function's share by release, each release judged against the one before. */
  history: {
    params: z.object({
      store,
      filter: fleetFilterSchema,
      type: fleetTypeSchema,
      name: z.string().max(100_000),
      metric: z.enum(['self', 'total']),
      replicates,
    }),
    result: z.object({
      rows: z.array(
        z.object({
          release: z.string(),
          first: z.number(),
          hosts: z.number(),
          captures: z.number(),
          self: share,
          total: share,
          /** The verdict as tables show it; empty for the first release. */
          text: z.string(),
        }),
      ),
      firstGrew: z.string().nullable(),
    }),
  },
  /** The captures of each selection by a function's share, largest first. */
  carriers: {
    params: z.object({ store, sides, type: fleetTypeSchema, name: z.string().max(100_000) }),
    result: listOf(
      z.object({
        side: z.enum(SIDES),
        id: z.string(),
        name: z.string(),
        host: z.string().nullable(),
        release: z.string(),
        time: z.number(),
        self: z.number(),
        total: z.number(),
        whole: z.number(),
      }),
    ),
  },
  /** Merges captures to one profile, readable once by its handle. */
  merge: { params: z.object({ source: fleetSourceSchema }), result: fileSchema },
  /** Merges both sides to replicates, one per host or minute. */
  compare: {
    params: z.object({ store, sides, type: fleetTypeSchema, replicates }),
    result: z.object({
      before: z.array(replicateSchema),
      after: z.array(replicateSchema),
      /** What was merged, left out or compared otherwise. */
      notes: z.array(z.string()),
    }),
  },
} as const;

export type FleetMethod = keyof typeof fleetMethods;
export type FleetParams<M extends FleetMethod> = z.infer<(typeof fleetMethods)[M]['params']>;
export type FleetAnswer<M extends FleetMethod> = z.infer<(typeof fleetMethods)[M]['result']>;
