import * as z from 'zod/mini';
import { UNROOTED_RULES } from '../quality-grade.ts';

/** Returns the fields of `QualityShares` for schemas, created when they are needed. */
export function qualityShape() {
  const share = z.number().check(z.minimum(0), z.maximum(1));
  return {
    unresolved: share,
    unrooted: share,
    truncated: share,
    lost: share,
    impossible: z.exactOptional(share),
    unrootedBy: z.exactOptional(z.enum(UNROOTED_RULES)),
  };
}
