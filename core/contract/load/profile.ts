import * as z from 'zod';
import { RECIPE_IDS } from '../bpftrace.ts';
import { isPprofUrl } from '../pprof.ts';
import { DEFAULT_PYTHON_HZ, pythonOptionsSchema } from '../python.ts';
import { RECIPES } from '../recipes.ts';
import type { CollectorOptions } from '../schemas.ts';

const common = {
  /** `each`: in every run; `knee`: in as many more runs at the knee, after the sweep. */
  at: z.enum(['each', 'knee']),
};
const asRoot = z.literal(true).exactOptional();

/** Recipes that need only a process, not a function. */
export const LOAD_RECIPES = RECIPE_IDS.filter((id) => !RECIPES[id].hasFunction);

/** The profile that a sweep records of each process of the server. */
export const loadProfileSchema = z.discriminatedUnion('collector', [
  z.object({
    collector: z.literal('perf'),
    rateHz: z.number().int().min(1).max(50_000),
    callGraph: z.enum(['fp', 'dwarf', 'lbr']),
    asRoot,
    ...common,
  }),
  z.object({
    collector: z.literal('pprof'),
    /** As seen from the server's machine, for its only process; null: found by querying each process's ports. */
    url: z.string().max(2000).refine(isPprofUrl).nullable(),
    ...common,
  }),
  z.object({ collector: z.enum(['node', 'java']), ...common }),
  z.object({ collector: z.literal('python'), rateHz: pythonOptionsSchema.shape.rateHz, asRoot, ...common }),
  z.object({
    collector: z.enum(['bpftrace', 'stap']),
    recipe: z.enum(LOAD_RECIPES),
    rateHz: z.number().int().min(1).max(9999),
    asRoot,
    ...common,
  }),
]);
export type LoadProfile = z.infer<typeof loadProfileSchema>;
export type LoadRecipe = (typeof LOAD_RECIPES)[number];

/** What may be chosen of a profile; what does not concern its collector is ignored. */
interface ProfileChoices extends Pick<LoadProfile, 'at'> {
  readonly rateHz?: number | undefined;
  readonly recipe?: LoadRecipe;
  readonly url?: string | null;
  readonly asRoot?: boolean | undefined;
}

/** Returns the profile that a collector records; 99 samples per second, or 100 of Python, if no rate is given. */
export function loadProfile(
  collector: LoadProfile['collector'],
  {
    at,
    rateHz = collector === 'python' ? DEFAULT_PYTHON_HZ : 99,
    recipe = 'on-cpu',
    url = null,
    asRoot,
  }: ProfileChoices,
): LoadProfile {
  const sampled = { rateHz, at, ...(asRoot === true && { asRoot }) };
  switch (collector) {
    case 'perf':
      return { collector, callGraph: 'fp', ...sampled };
    case 'pprof':
      return { collector, url, at };
    case 'node':
    case 'java':
      return { collector, at };
    case 'python':
      return { collector, ...sampled };
    case 'bpftrace':
    case 'stap':
      return { collector, recipe, ...sampled };
  }
}

/** Returns the name of the collector in sentences about a sweep. */
export function profileTitle(profile: LoadProfile): string {
  switch (profile.collector) {
    case 'perf':
    case 'pprof':
      return profile.collector;
    case 'node':
      return 'Node';
    case 'java':
      return 'Java';
    case 'python':
      return 'Python';
    case 'bpftrace':
      return `bpftrace (${profile.recipe})`;
    case 'stap':
      return `SystemTap (${profile.recipe})`;
  }
}

/** Returns what is recorded of one process for some seconds. */
export function profileOptions(
  profile: LoadProfile,
  process: { readonly pid: number; readonly startTicks: string },
  seconds: number,
): CollectorOptions {
  const scope = { kind: 'pid', pid: process.pid, startTicks: process.startTicks } as const;
  const root = 'asRoot' in profile ? { asRoot: true } : {};
  switch (profile.collector) {
    case 'perf': {
      const { collector, rateHz, callGraph } = profile;
      return { collector, scope, rateHz, event: null, callGraph, seconds, ...root };
    }
    case 'pprof': {
      const { collector, url } = profile;
      return { collector, scope: url === null ? scope : { kind: 'url', url }, kinds: ['cpu'], seconds };
    }
    case 'node':
      return { collector: profile.collector, scope, profile: 'cpu', seconds };
    case 'java':
      return { collector: profile.collector, scope, seconds };
    case 'python': {
      const { collector, rateHz } = profile;
      const sampled = { threads: 'running', stacks: 'python', subprocesses: false } as const;
      return { collector, scope, rateHz, seconds, ...sampled, ...root };
    }
    case 'bpftrace':
    case 'stap': {
      const { collector, recipe, rateHz } = profile;
      return { collector, scope, what: { kind: 'recipe', recipe, rateHz, stacks: 'both' }, seconds, ...root };
    }
  }
}
