import * as z from 'zod';
import { tracedScopeSchema, tracedWhatSchema } from './bpftrace.ts';
import { targetIdSchema } from './target-id-schema.ts';

export const stapOptionsSchema = z.object({
  collector: z.literal('stap'),
  /** `system` is for scripts: a recipe prints stacks from within the process, whose memory map names its functions. */
  scope: tracedScopeSchema,
  what: tracedWhatSchema,
  /** null: until stopped. */
  seconds: z.number().positive().max(86_400).nullable(),
  /** Loads the module with sudo if the target's user is not root; compiling never uses it. */
  asRoot: z.boolean().exactOptional(),
  /** Compiles with a private copy of SystemTap's runtime that is mended for the kernel. */
  mend: z.boolean().exactOptional(),
  /** The target on which stap compiles, as an ID. Absent: the one that is recorded, which otherwise needs only `staprun`. */
  buildOn: targetIdSchema.exactOptional(),
});
export type StapOptions = z.infer<typeof stapOptionsSchema>;
