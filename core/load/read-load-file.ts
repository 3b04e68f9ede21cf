import * as z from 'zod';
import { readHar } from './har.ts';
import { MAX_PROBES, probePlanSchema, storedProbeSchema, type StoredProbe } from '../contract/load/probe.ts';
import { probeSampleSchema } from '../contract/load/probe-sample.ts';
import { kneeBoundSchema, loadResultSchema, MAX_LOAD_RUNS, MAX_SERVER_PROCESSES } from '../contract/load/load-test.ts';
import { HOP_METRICS, type HopRow } from './hops.ts';
import { judgeLoadResult } from './judge-load-result.ts';
import type { LoadResult } from '../contract/load/result.ts';
import { readLoadResults } from './read-load-results.ts';
import { parseJsonAs } from './readers/json.ts';
import { malformed } from './readers/reader.ts';
import { ownLoadForm, withPlainLines, type OwnLoadForm } from './recognise.ts';
import type { KneeBound } from './sweep.ts';

/** What a file holds: runs of tools, a series of probes, or a table of hops. */
export type LoadFile =
  | { readonly kind: 'sweep'; readonly results: readonly LoadResult[]; readonly bound?: KneeBound }
  | { readonly kind: 'probe'; readonly probe: StoredProbe }
  | { readonly kind: 'hops'; readonly rows: readonly HopRow[] };

const finite = z.number();
const orNull = finite.nonnegative().nullable();
const concurrency = z.number().int().positive().nullable();
const word = z.string().max(4096);

const sweepSchema = z.object({
  kneeBound: kneeBoundSchema,
  steps: z.array(z.object({ runs: z.array(loadResultSchema).max(MAX_LOAD_RUNS) })).max(MAX_LOAD_RUNS),
  observed: z.array(z.unknown()).exactOptional(),
});

const { url, restart, idle, preflight } = probePlanSchema.shape;
const probeSchema = z.object({
  url,
  restart: restart.exactOptional(),
  idle: idle.exactOptional(),
  preflight,
  samples: z.array(probeSampleSchema).min(1).max(MAX_PROBES),
  notes: storedProbeSchema.shape.notes,
});

const hopsSchema = z.object({
  hops: z
    .array(
      z.object({
        concurrency,
        hop: word,
        qps: orNull,
        latency: z.object({ mean: orNull, p50: orNull, p90: orNull.default(null), p99: orNull }),
        components: z
          .array(
            z.object({
              name: word,
              pid: z.number().int().positive(),
              cores: orNull,
              perCore: orNull,
              perRequest: orNull,
              p90: orNull.default(null),
              p99: orNull.default(null),
            }),
          )
          .max(MAX_SERVER_PROCESSES),
        added: z
          .array(
            z.object({
              metric: z.enum(HOP_METRICS),
              delta: finite,
              interval: z.tuple([finite, finite]).nullable(),
            }),
          )
          .max(HOP_METRICS.length)
          .nullable(),
      }),
    )
    .min(1)
    .max(10_000),
});

/**
 * Reads a result of a load-testing tool, what `flamebench load … --json` wrote, or a HAR file, of which `only` selects
 * the address. Throws an `ImportFailure`:
 * `unrecognized`, or `malformed` with the line or the field.
 */
export function readLoadFile(text: string, only: string | null = null): LoadFile {
  const form = ownLoadForm(text);
  return form === null ? { kind: 'sweep', results: readLoadResults(text) } : READERS[form](withPlainLines(text), only);
}

/** What Flamebench wrote, in messages. */
const OWN = 'the JSON of a load test';

const READERS: Readonly<Record<OwnLoadForm, (text: string, only: string | null) => LoadFile>> = {
  sweep(text) {
    const { kneeBound: bound, steps, observed = [] } = parseJsonAs(text, sweepSchema, OWN);
    const results = steps.flatMap(({ runs }) => runs.map(judgeLoadResult));
    if (results.length === 0) throw malformed('a load test without runs');
    const [first, ...others] = results;
    const note = 'Vitals and captures are not read from JSON: open the load test in its library.';
    const noted = observed.length === 0 ? first! : { ...first!, notes: [...first!.notes, note] };
    return { kind: 'sweep', results: [noted, ...others], bound };
  },
  probe(text) {
    const { samples, notes, ...plan } = parseJsonAs(text, probeSchema, OWN);
    return {
      kind: 'probe',
      probe: {
        plan: { restart: null, idle: 0, ...plan, headers: [], times: samples.length },
        samples,
        ...(notes === undefined ? {} : { notes }),
      },
    };
  },
  har: (text, only) => ({ kind: 'probe', probe: readHar(text, only) }),
  hops: (text) => ({ kind: 'hops', rows: parseJsonAs(text, hopsSchema, OWN).hops }),
};
