import * as z from 'zod';
import { nodeOptionsSchema } from './node.ts';

/** Maximum seconds of a recording: its data stay in the JVM's temporary folder until its end. */
export const MAX_JAVA_SECONDS = 3600;

export const javaOptionsSchema = z.object({
  collector: z.literal('java'),
  scope: nodeOptionsSchema.shape.scope,
  /** Irrelevant to a dump. */
  seconds: z.number().int().min(1).max(MAX_JAVA_SECONDS),
  /**
   * A snapshot of all threads' stacks and states, or a recording by async-profiler. Absent: a recording by the Flight
   * Recorder.
   */
  profile: z.enum(['threads', 'async-profiler']).exactOptional(),
});
export type JavaOptions = z.infer<typeof javaOptionsSchema>;

/** Returns whether `record java` is for a process: programs that embed a JVM have no `jcmd` beside them. */
export const isJava = ({ executable }: { readonly executable: string | null }): boolean =>
  /(?:^|\/)java(?: \(deleted\))?$/.test(executable ?? '');

/** What a user accepts by a recording. */
export const JAVA_CONSENT =
  'Flight Recorder stays loaded in the JVM, and the JVM’s attach socket and an empty folder stay in its temporary folder, until the JVM ends.';

/** What a user accepts by a recording by async-profiler. */
export const ASYNC_PROFILER_CONSENT =
  'async-profiler’s library stays mapped in the JVM, and the JVM’s attach socket in its temporary folder, until the JVM ends.';

/** What a user accepts by a snapshot of the threads. */
export const JAVA_DUMP_CONSENT =
  'The JVM pauses while it lists its threads, and its attach socket stays in its temporary folder until it ends.';
