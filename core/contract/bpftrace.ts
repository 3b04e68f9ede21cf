import * as z from 'zod';

/** In the order in which they are listed; recipes.ts describes them. */
export const RECIPE_IDS = [
  'on-cpu',
  'off-cpu',
  'wall-clock',
  'wake-ups',
  'system-calls',
  'block-io',
  'page-faults',
  'latency',
  'allocations',
  'lua',
] as const;
export type RecipeId = (typeof RECIPE_IDS)[number];

/** `lua`: only functions of Lua. */
export const STACK_CHOICES = ['both', 'user', 'kernel', 'lua'] as const;
export type StackChoice = (typeof STACK_CHOICES)[number];

/** Name of a symbol in a binary's symbol table. */
export const FUNCTION_NAME = /^[A-Za-z_][\w.$@]{0,511}$/;

/** Length of the longest script, which is one argument of bpftrace. */
export const MAX_SCRIPT_CHARACTERS = 65_536;

export const pidScopeSchema = z.object({
  kind: z.literal('pid'),
  pid: z.number().int().positive().max(2_147_483_647),
  startTicks: z
    .string()
    .regex(/^\d{1,20}$/)
    .nullable(),
});

/** What recipes and scripts record; the same for each tool that runs them. */
const tracedScopeSchema = z.discriminatedUnion('kind', [pidScopeSchema, z.object({ kind: z.literal('system') })]);

const tracedWhatSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('recipe'),
    recipe: z.enum(RECIPE_IDS),
    /** Samples per second and CPU, for recipes that sample. */
    rateHz: z.number().int().min(1).max(9999),
    /** Kinds of stacks, for recipes that let the user choose. */
    stacks: z.enum(STACK_CHOICES),
    /** Function of the process's executable, for `latency`. */
    function: z.string().regex(FUNCTION_NAME).exactOptional(),
  }),
  /** A script of the user's. bpftrace's `$1` and SystemTap's `target()` are the PID, or 0 for the whole system. */
  z.object({
    kind: z.literal('script'),
    text: z
      .string()
      .min(1)
      .max(MAX_SCRIPT_CHARACTERS)
      .refine((text) => !text.includes('\0')),
  }),
]);

export const tracedFields = {
  scope: tracedScopeSchema,
  what: tracedWhatSchema,
  /** null: until stopped. */
  seconds: z.number().positive().max(86_400).nullable(),
  /** Uses sudo if the target's user is not root: bpftrace for all, SystemTap to load its module, never to compile. */
  asRoot: z.boolean().exactOptional(),
};

export const bpftraceOptionsSchema = z.object({ collector: z.literal('bpftrace'), ...tracedFields });
export type BpftraceOptions = z.infer<typeof bpftraceOptionsSchema>;
