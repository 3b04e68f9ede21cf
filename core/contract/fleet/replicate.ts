import * as z from 'zod';

const namesSchema = z.array(z.string().max(4096)).max(1000);

/** Which captures of a fleet. Values of one field are alternatives; fields and labels must all hold. */
export const fleetFilterSchema = z.object({
  service: namesSchema,
  release: namesSchema,
  commit: namesSchema,
  host: namesSchema,
  /** Ids of captures: the SHA-256 of their files. */
  capture: namesSchema,
  labels: z.array(z.tuple([z.string().max(4096), z.string().max(4096)])).max(100),
  /** Unix milliseconds; `until` is exclusive. */
  since: z.number().nullable(),
  until: z.number().nullable(),
});
export type FleetFilter = z.infer<typeof fleetFilterSchema>;

/** A value type by name. */
export const fleetTypeSchema = z.object({ type: z.string().max(4096), unit: z.string().max(4096) });
export type FleetType = z.infer<typeof fleetTypeSchema>;

/** The facts of a replicate that its profile can't hold, in the form of a capture's document. */
export const replicateDocumentSchema = z.object({
  target: z.object({
    kind: z.enum(['local', 'ssh']),
    /** Empty if hosts are compared as two samples. */
    host: z.string(),
    kernel: z.string().nullable(),
    arch: z.null(),
    cpuCount: z.number().nullable(),
  }),
  rateHz: z.number().nullable(),
  durationMs: z.number().nullable(),
  /** The duration is only the span of the samples. */
  durationIsSpan: z.literal(true).exactOptional(),
  cpuSeconds: z.object({ start: z.number(), end: z.number() }).nullable(),
  process: z.object({ name: z.string(), executable: z.string().nullable(), buildId: z.null() }).nullable(),
});
export type ReplicateDocument = z.infer<typeof replicateDocumentSchema>;

/** The captures of a fleet that are merged to one profile. */
export const fleetSourceSchema = z.object({
  kind: z.literal('fleet'),
  /** The fleet's file. */
  store: z.string().min(1).max(4096),
  /** What was selected; of a comparison, the side. */
  filter: fleetFilterSchema,
  type: fleetTypeSchema,
  /** The part of the side that is one replicate, and its facts; null: all captures are merged. */
  replicate: z
    .object({
      by: z.enum(['host', 'minute', 'capture']),
      /** Of a minute, its start in ISO 8601. */
      value: z.string().max(4096),
      document: replicateDocumentSchema,
    })
    .nullable(),
});
export type FleetSource = z.infer<typeof fleetSourceSchema>;
