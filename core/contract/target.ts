import * as z from 'zod';
import { targetIdSchema, timestampSchema } from './schemas.ts';

/** State of a connection; see collectors/target/connection.ts. The local target is always `up`. */
export const targetStateSchema = z.object({
  kind: z.enum(['idle', 'connecting', 'needs-you', 'up', 'lost', 'failed']),
  /** One line: the question, or the failure. */
  message: z.string().nullable(),
  /** One line: the remedy. */
  remedy: z.string().nullable(),
});
export type TargetState = z.infer<typeof targetStateSchema>;

/** The user's name for a target: shown and typed, never part of a command. */
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
  /** `local`, saved by the user, or used since the engine started without being saved. */
  origin: z.enum(['local', 'saved', 'used']),
  state: targetStateSchema,
  /** Time of the last connection; null if this user has never connected, so that connecting needs a confirmation. */
  connectedAt: timestampSchema.nullable(),
});
export type TargetRow = z.infer<typeof targetRowSchema>;

/** A `Host` of ~/.ssh/config that can become a target. */
const offeredHostSchema = z.object({
  id: targetIdSchema,
  /** The alias. */
  name: targetNameSchema,
  /** `HostName` of its own block, if it has one. */
  hostName: z.string().max(300).nullable(),
});
export type OfferedHost = z.infer<typeof offeredHostSchema>;

export const targetListSchema = z.object({
  /** The local one first, then by name. */
  targets: z.array(targetRowSchema),
  offered: z.array(offeredHostSchema),
  /**
   * Parts of ~/.ssh/config that were not read for the offers, and saved targets that could not be read: one line each.
   */
  notes: z.array(z.string()),
  /** Why this machine can't reach any other: one line. Null if it can. */
  unavailable: z.string().nullable(),
});
export type TargetList = z.infer<typeof targetListSchema>;

/** Columns and rows that a terminal pane may have. */
export const terminalSizeSchema = z.object({
  columns: z.number().int().min(20).max(500),
  rows: z.number().int().min(4).max(300),
});
