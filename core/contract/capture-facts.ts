import * as z from 'zod/mini';

/** Facts of a capture that its document and a report that shows it state alike. Null: could not be read. */

const amount = z.number().check(z.nonnegative());
const positive = z.nullable(z.number().check(z.positive()));
const share = z.nullable(amount.check(z.maximum(1)));
const textOf = (length: number) => z.nullable(z.string().check(z.maxLength(length)));

export const targetFactsSchema = z.object({
  kind: z.enum(['local', 'ssh']),
  host: z.string(),
  kernel: z.nullable(z.string()),
  arch: z.nullable(z.string()),
  cpuCount: z.nullable(z.number()),
});

export const collectorFactsSchema = z.object({
  id: z.string(),
  toolVersion: z.nullable(z.string()),
  /** The exact commands that ran, each an argv. */
  commands: z.array(z.array(z.string())),
  /** The exact requests that were made, such as `GET http://…`; absent if there were none. */
  requests: z.exactOptional(z.array(z.string())),
  exitCode: z.nullable(z.number()),
  signal: z.nullable(z.string()),
});

/** Limits of a process's control group and of its ancestors; null: none. */
const cgroupLimitsSchema = z.object({
  /** Number of CPUs' time, such as 1.5. */
  cpus: positive,
  memoryBytes: positive,
});
export type CgroupLimits = z.infer<typeof cgroupLimitsSchema>;

/** How long a control group waited during a capture because its CPU time was used up. */
const throttlingSchema = z.object({
  /** Periods in which it ran, and those of them at whose end it had to wait. */
  periods: z.int().check(z.nonnegative()),
  throttledPeriods: z.int().check(z.nonnegative()),
  /** Summed over CPUs. */
  ms: amount,
});
export type Throttling = z.infer<typeof throttlingSchema>;

/** Setup and load of the machine during a capture. */
export const circumstancesSchema = z.object({
  /** `AMD EPYC 7763 64-Core Processor` */
  cpuModel: textOf(300),
  /** Frequency governors of all CPUs, each named once: `performance`, `performance, powersave`. */
  governor: textOf(300),
  /** CPUs may run above their base frequency. */
  turbo: z.nullable(z.boolean()),
  /** Load average of the last minute, at the start and at the end of the capture. */
  loadAverage: z.object({ start: z.nullable(amount), end: z.nullable(amount) }),
  /** Share of CPU time during the capture that the hypervisor gave to others, 0 to 1. */
  steal: share,
  /** Share of the machine's CPU time that the collector used, 0 to 1; absent if it was not watched. */
  overhead: z.exactOptional(share),
  /** Limits of the recorded process or control group; for a command, of the process that started it. */
  cgroup: z.nullable(cgroupLimitsSchema),
  /** Absent without a CPU limit, if it can't be read, and in captures of older versions. */
  throttled: z.exactOptional(throttlingSchema),
});
export type Circumstances = z.infer<typeof circumstancesSchema>;

/** The container that was recorded, or to which the recorded process belongs. */
export const containerFactsSchema = z.object({
  /** `docker:0123456789ab` */
  id: z.string().check(z.maxLength(300)),
  /** Names in its runtime of the container and its image; null if this user may not query it. */
  name: textOf(300),
  image: textOf(300),
  /** Digest that identifies the image: `sha256:…`. */
  digest: textOf(100),
  /** `namespace/name` of its Kubernetes pod, or the pod's UID. */
  pod: textOf(700),
});
export type ContainerFacts = z.infer<typeof containerFactsSchema>;
