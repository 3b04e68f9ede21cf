import type { BpftraceOptions } from '#core/contract/bpftrace.ts';
import { RECIPES } from '#core/contract/recipes.ts';
import type { StapOptions } from '#core/contract/stap.ts';
import { checkOf } from './check.ts';
import type { LiveSource } from './collector.ts';
import { createRecipeCutter, type RecipeOutput } from './live/recipe-cutter.ts';
import { startTextFeed } from './live/text-feed.ts';
import type { TraceTool } from './trace-recording.ts';

/** At lower rates the printing costs more than the samples. */
const LEAST_RATE_HZ = 10;

type TraceOptions = BpftraceOptions | StapOptions;

/** The rows that a recipe prints each second. */
export function traceLive<Options extends TraceOptions>(
  tool: Pick<TraceTool<Options>, 'name' | 'rawFile'>,
  output: RecipeOutput,
): LiveSource<Options> {
  return {
    options: (options) => ({ ...options, seconds: null }),
    seconds: ({ seconds }) => seconds,
    hasFileParts: false,
    refuse: ({ what }) =>
      what.kind === 'recipe'
        ? null
        : checkOf(
            'live',
            'failed',
            'a script of yours may print its stacks only at its end',
            'watch a recipe, or record the script',
          ),
    growing: () => ({ refusal: `what ${tool.name} prints is read at the end` }),
    slower(options) {
      const { what } = options;
      if (what.kind !== 'recipe' || !RECIPES[what.recipe].hasRate || what.rateHz <= LEAST_RATE_HZ) return null;
      return { ...options, what: { ...what, rateHz: Math.max(LEAST_RATE_HZ, what.rateHz >> 1) } };
    },
    start(collector, running) {
      const cutter = createRecipeCutter(output);
      const { what } = running.plan.options;
      const isCounted = what.kind === 'recipe' && ['samples', 'count'].includes(RECIPES[what.recipe].valueType.unit);
      return startTextFeed(collector, running, {
        fileName: tool.rawFile,
        format: tool.name,
        cutter,
        conclude: (outcome) => ({
          ...outcome,
          // The recording judges what it has kept, which is nothing.
          diagnostics: outcome.diagnostics.filter(({ code }) => code !== 'no-samples'),
          lost: outcome.lost + (isCounted ? cutter.lost : 0),
        }),
      });
    },
  };
}
