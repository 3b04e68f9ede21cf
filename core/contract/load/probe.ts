import * as z from 'zod';
import { probeSampleSchema } from './probe-sample.ts';

/** Maximum number of probes of one series. */
export const MAX_PROBES = 1000;

/** Where the time of one URL's requests goes, asked for. */
export const probePlanSchema = z.object({
  url: z.string().min(1).max(4096),
  /** `Name: value`; secrets are not stored. */
  headers: z.array(z.string().min(1).max(4096)).max(100),
  /** Number of probes, each with two requests: on a new connection, and on the same one again. */
  times: z.number().int().min(1).max(MAX_PROBES),
  /** A command line for the target's shell, run before each probe; it must terminate. Null for none. */
  restart: z.string().min(1).max(4096).nullable(),
  /** Pause before each probe. Seconds. */
  idle: z.number().int().min(0).max(86_400),
  /** The page's origin, from which a CORS preflight is sent before each request; absent: none is. */
  preflight: z
    .string()
    .max(300)
    .regex(/^https?:\/\/[^\s/?#@]+$/i)
    .exactOptional(),
});
export type ProbePlan = z.infer<typeof probePlanSchema>;

/** A series of probes as it is stored. */
export const storedProbeSchema = z.object({
  plan: probePlanSchema,
  samples: z.array(probeSampleSchema).max(MAX_PROBES),
  /** What a file's probes lack, a sentence each; absent: nothing. */
  notes: z.array(z.string().max(1000)).max(20).exactOptional(),
});
export type StoredProbe = z.infer<typeof storedProbeSchema>;
