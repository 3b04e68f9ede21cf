import * as z from 'zod';
import { checkSchema, processSchema, targetIdSchema } from './schemas.ts';
import { targetListSchema, targetNameSchema, targetStateSchema, terminalSizeSchema } from './target.ts';

export const targetMethods = {
  /** Returns the targets with their states, and the hosts of ~/.ssh/config that are not targets yet. */
  'target.list': { params: z.object({}), result: targetListSchema },
  /** Saves a target under a name, or renames it. Does not connect. */
  'target.save': {
    params: z.object({ target: targetIdSchema, name: targetNameSchema }),
    result: targetListSchema,
  },
  /** Removes a target and closes its connection. Idempotent. */
  'target.remove': { params: z.object({ target: targetIdSchema }), result: targetListSchema },
  /** Returns the exact command that `target.connect` would run. */
  'target.plan': {
    params: z.object({ target: targetIdSchema }),
    result: z.object({
      command: z.array(z.string()),
      /** Null if this user has connected to it before, so that no confirmation is needed. */
      confirmation: z.string().nullable(),
    }),
  },
  /**
   * Resolves once connected, which may wait for the user's answers. Fails as `not-confirmed` for a new target without a
   * token of `target.plan`, and as `not-connected` if ssh fails. Idempotent.
   */
  'target.connect': {
    params: z.object({ target: targetIdSchema, confirmation: z.string().nullable() }),
    result: targetStateSchema,
  },
  /** Closes the connection and everything that runs over it. Idempotent. */
  'target.disconnect': { params: z.object({ target: targetIdSchema }), result: targetStateSchema },
  /** Returns the terminal's output, without its oldest part if it is long, for a window that opens later. */
  'target.terminal': {
    params: z.object({ target: targetIdSchema }),
    result: z.object({
      text: z.string(),
      /** UTF-16 units shown since the engine started; `target-terminal` events up to here are included in `text`. */
      end: z.number().int(),
    }),
  },
  /**
   * Types into the waiting prompt. Never stored or logged. `accepted` is false if no prompt waits; nothing was typed
   * then.
   */
  'target.answer': {
    params: z.object({ target: targetIdSchema, text: z.string().max(4096) }),
    result: z.object({ accepted: z.boolean() }),
  },
  'target.resize': {
    params: z.object({ target: targetIdSchema, ...terminalSizeSchema.shape }),
    result: z.object({}),
  },
  /**
   * Connects if that needs no confirmation, like `target.doctor` and `record.plan`; otherwise fails as `not-confirmed`.
   */
  'target.processes': {
    params: z.object({ target: targetIdSchema }),
    result: z.object({ processes: z.array(processSchema) }),
  },
  /**
   * Finds a container or pod of this machine by its name (`docker://web`): its control group or, given a service's
   * address within it, the address at which this machine reaches it. kubectl's port forwards last as long as the engine.
   */
  'target.container': {
    params: z.object({ address: z.string().max(1000), url: z.string().max(2000).nullable() }),
    result: z.union([
      z.object({ kind: z.literal('group'), path: z.string(), name: z.string().nullable() }),
      z.object({ kind: z.literal('address'), url: z.string() }),
    ]),
  },
  'target.doctor': {
    params: z.object({
      target: targetIdSchema,
      pid: z.number().int().positive().nullable(),
      /**
       * Chosen by the window: checks arrive as `target-check` events of this run once they are known, and all of them
       * in the answer.
       */
      run: z.string().min(1).max(64),
    }),
    result: z.object({ target: targetIdSchema, checks: z.array(checkSchema) }),
  },
} as const;
