import * as z from 'zod';
import { tracedFields } from './bpftrace.ts';
import { targetIdSchema } from './target-id-schema.ts';

export const stapOptionsSchema = z.object({
  collector: z.literal('stap'),
  /** The scope `system` is for scripts: a recipe prints stacks from within the process, whose memory map names its functions. */
  ...tracedFields,
  /** Compiles with a private copy of SystemTap's runtime that is mended for the kernel. */
  mend: z.boolean().exactOptional(),
  /** The target on which stap compiles, as an ID. Absent: the one that is recorded, which otherwise needs only `staprun`. */
  buildOn: targetIdSchema.exactOptional(),
});
export type StapOptions = z.infer<typeof stapOptionsSchema>;
