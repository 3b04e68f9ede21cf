import { z } from 'zod';
import { timestampSchema } from './schemas.ts';
import { targetIdSchema } from './target-id.ts';

export { formatTargetId, LOCAL_TARGET, parseTargetId, targetIdSchema, TargetIdFailure } from './target-id.ts';
export type { SshDestination, TargetAddress } from './target-id.ts';

/** States of a connection; see collectors/target/connection.ts. The local target is always `up`. */
export const targetStateSchema = z.object({
  kind: z.enum(['idle', 'connecting', 'needs-you', 'up', 'lost', 'failed']),
  /** One line: what asks, or what went wrong. */
  message: z.string().nullable(),
  /** One line: what to do. */
  remedy: z.string().nullable(),
});
export type TargetState = z.infer<typeof targetStateSchema>;

/** What a user calls a target: shown and typed, never a part of a command. */
export const targetNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^[^\p{Cc}\p{Cf}]*$/u);

/** A target of the list. */
const targetRowSchema = z.object({
  id: targetIdSchema,
  name: targetNameSchema,
  /** `local`, kept by the user, or used since the engine started without being kept. */
  origin: z.enum(['local', 'saved', 'used']),
  state: targetStateSchema,
  /** When it was last connected; null: never by this user, so that connecting needs a confirmation. */
  connectedAt: timestampSchema.nullable(),
});
export type TargetRow = z.infer<typeof targetRowSchema>;

/** A `Host` of ~/.ssh/config that can be made a target. */
const offeredHostSchema = z.object({
  id: targetIdSchema,
  /** The alias. */
  name: targetNameSchema,
  /** `HostName` of its own block, where it says one. */
  hostName: z.string().max(300).nullable(),
});
export type OfferedHost = z.infer<typeof offeredHostSchema>;

export const targetListSchema = z.object({
  /** The local one first, then by name. */
  targets: z.array(targetRowSchema),
  offered: z.array(offeredHostSchema),
  /** What of ~/.ssh/config was not read for the offers, and what of the saved targets could not be: one line each. */
  notes: z.array(z.string()),
  /** Why this machine reaches no other: one line. Null where it can. */
  unavailable: z.string().nullable(),
});
export type TargetList = z.infer<typeof targetListSchema>;

/** Columns and rows that a terminal pane may have. */
export const terminalSizeSchema = z.object({
  columns: z.number().int().min(20).max(500),
  rows: z.number().int().min(4).max(300),
});
