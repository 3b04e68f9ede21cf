import { matchFunctions, PatternError } from '#core/analyze/search.ts';
import type { RegexAnswer, RegexRequest } from './protocol.ts';

/** Runs the user's patterns where they can be stopped: whoever started this worker ends it when a pattern takes too long. */

let names: readonly string[] = [];

self.onmessage = ({ data }: MessageEvent<RegexRequest>) => {
  if (data.kind === 'names') names = data.names;
  else self.postMessage(match(data.pattern, data.ignoreCase));
};

function match(pattern: string, ignoreCase: boolean): RegexAnswer {
  try {
    return { flags: matchFunctions(names, pattern, { ignoreCase }) };
  } catch (error) {
    if (error instanceof PatternError) return { error: error.message };
    throw error;
  }
}
