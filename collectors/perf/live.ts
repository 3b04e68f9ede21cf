import type { PerfOptions } from '#core/contract/schemas.ts';
import type { LiveSource } from '../collector.ts';
import { startTextFeed, type TextCutter } from '../live/text-feed.ts';
import { TEXT_FILE } from './plan.ts';
import { createWholeSamples } from './whole-samples.ts';

/** At lower rates perf's own wake-ups cost more than its samples. */
const LEAST_RATE_HZ = 10;

/** The text of `perf script`, whose samples have times. */
export const perfLive: LiveSource<PerfOptions> = {
  options: (options) => ({ ...options, watched: true, seconds: null }),
  seconds: ({ seconds }) => seconds,
  hasFileParts: false,
  refuse: () => null,
  growing: ({ piped, options }) =>
    piped || options.watched === true
      ? { fileName: TEXT_FILE }
      : { refusal: 'perf script names the functions at the end, because it costs CPU time here' },
  slower: (options) =>
    options.rateHz <= LEAST_RATE_HZ ? null : { ...options, rateHz: Math.max(LEAST_RATE_HZ, options.rateHz >> 1) },
  start: (collector, running) =>
    startTextFeed(collector, running, { fileName: TEXT_FILE, format: 'perf-script', cutter: createSampleCutter() }),
};

function createSampleCutter(): TextCutter {
  const samples = createWholeSamples();
  return {
    head: null,
    push(chunk) {
      const whole = samples.push(chunk);
      return whole.length === 0 ? [] : [{ chunks: [whole], span: null }];
    },
  };
}
