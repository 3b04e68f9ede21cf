import * as z from 'zod';
import { formatTargetId, MAX_TARGET_ID, parseTargetId } from './target-id.ts';

/** `local`, or `ssh://…` as {@link formatTargetId} writes it. */
export const targetIdSchema = z
  .string()
  .max(MAX_TARGET_ID)
  .superRefine((text, context) => {
    try {
      if (formatTargetId(parseTargetId(text)) === text) return;
      context.addIssue('is not in canonical form');
    } catch (error) {
      context.addIssue(error instanceof Error ? error.message : 'is not a target');
    }
  });
