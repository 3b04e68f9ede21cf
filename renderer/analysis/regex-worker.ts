import { matchNames, PatternError, renameFunctions } from '#core/analyze/search.ts';
import type { RegexAnswer, RegexJob, RegexRequest } from './pattern-jobs.ts';

/** Runs the user's patterns in a worker of its own, which the caller terminates when a pattern takes too long. */

let names: readonly string[] = [];

self.onmessage = ({ data }: MessageEvent<RegexRequest>) => {
  if (data.kind === 'names') names = data.names;
  else self.postMessage(run(data));
};

function run(job: RegexJob): RegexAnswer {
  const { kind, pattern, ignoreCase } = job;
  try {
    return kind === 'match'
      ? { kind, flags: matchNames(names, pattern, { ignoreCase }) }
      : { kind, names: renameFunctions(names, pattern, job.replacement, { ignoreCase }) };
  } catch (error) {
    if (error instanceof PatternError) return { kind: 'refused', error: error.message };
    throw error;
  }
}
