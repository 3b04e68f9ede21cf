import * as z from 'zod';
import { pidScopeSchema } from './bpftrace.ts';

/**
 * What is recorded of a Node process: functions by time; by the memory that they allocated and that is in use; by the
 * handles, requests and promises that they created.
 */
export const NODE_PROFILES = ['cpu', 'heap', 'async'] as const;

/** Maximum seconds of a recording: the samples stay in the target's memory until its end. */
export const MAX_NODE_SECONDS = 3600;

export const nodeOptionsSchema = z.object({
  collector: z.literal('node'),
  scope: pidScopeSchema,
  profile: z.enum(NODE_PROFILES),
  seconds: z.number().int().min(1).max(MAX_NODE_SECONDS),
  /** perf records its native code in the same seconds; only with `cpu`. */
  withPerf: z.literal(true).exactOptional(),
  /** Heap sampling in the same seconds; only with `cpu`. */
  withHeap: z.literal(true).exactOptional(),
  /** The process reads the source maps of its scripts; not with `async`, whose stacks have no columns. */
  sourceMaps: z.literal(true).exactOptional(),
});
export type NodeOptions = z.infer<typeof nodeOptionsSchema>;

/** Returns whether `record node` is for a process: Electron, Bun and Deno, of the same runtime, have no such inspector. */
export const isNode = ({ executable }: { readonly executable: string | null }): boolean =>
  /(?:^|\/)node(?:js)?(?: \(deleted\))?$/.test(executable ?? '');

/** What a user accepts by a recording. */
export const NODE_CONSENT =
  'While the inspector’s port is open, at the start and at the end for less than a second, local users can run code in the process.';
