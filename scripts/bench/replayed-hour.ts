import { closeSync, openSync, readSync } from 'node:fs';
import process from 'node:process';
import { main } from '../../app/cli/main.ts';
import type { LiveFeed, LivePiece, LiveSource } from '../../collectors/collector.ts';
import { perfLive } from '../../collectors/perf/live.ts';
import { SYSTEM_CLOCK } from '../../collectors/system-clock.ts';
import { importProfile } from '#core/import/import-profile.ts';
import type { PerfOptions } from '#core/contract/schemas.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../tests/support/byte-source.ts';
import { longStream } from '../../tests/support/long-stream.ts';

/** The replayed stream, made from part of the benchmarks' recording. */
export const HOUR = { seconds: 3600, samplesPerSecond: 8000 };
/** Part of the recording that is repeated. */
const REPEATED_BYTES = 60e6;
/** How many times faster than recorded the stream arrives, and the live session's clock runs. */
const SPEED = 5;
const TICK_MS = 50;
/** Seconds of the stream that are taken at once, if more are due. */
const MAX_SECONDS = 30;

export const repeatedPart = (path: string): Promise<Profile> => importProfile(byteSource(head(path, REPEATED_BYTES)));

/** Returns the first bytes of a text, up to the end of a sample. */
function head(path: string, bytes: number): string {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(bytes);
    const text = buffer.subarray(0, readSync(file, buffer)).toString('utf8');
    return text.slice(0, text.lastIndexOf('\n\n') + 2);
  } finally {
    closeSync(file);
  }
}

/** A source that yields the stream instead of running perf. */
function replay(recording: Profile): LiveSource<PerfOptions>['start'] {
  return (_collector, { clock, onPiece }): LiveFeed => {
    const stream = longStream(recording, HOUR);
    const start = clock.monotonic();
    let taken = 0;
    const due = (): number => Math.min(HOUR.seconds, Math.floor((clock.monotonic() - start) / 1000));
    const timer = setInterval(() => {
      if (due() > taken) onPiece();
    }, TICK_MS);
    const outcome = Promise.withResolvers<Awaited<LiveFeed['outcome']>>();
    return {
      onProgress: (listener) => {
        listener({ state: 'recording', lost: 0 });
      },
      take() {
        const pieces: LivePiece[] = [];
        while (taken < due() && pieces.length < MAX_SECONDS) {
          const { value } = stream.next();
          pieces.push({ profile: value ?? null, span: null, arrivedAt: clock.monotonic() });
          taken += 1;
        }
        return Promise.resolve(pieces);
      },
      stop: () => {
        clearInterval(timer);
        outcome.resolve(ENDED);
        return Promise.resolve();
      },
      outcome: outcome.promise,
    };
  };
}

const ENDED: Awaited<LiveFeed['outcome']> = {
  state: 'finished',
  incomplete: false,
  primaryFile: '',
  otherFiles: [],
  exit: { code: 0, signal: null },
  samples: HOUR.seconds * HOUR.samplesPerSecond,
  lost: 0,
  startedAt: null,
  durationMs: null,
  event: null,
  cpuSeconds: null,
  diagnostics: [],
  quality: null,
  error: null,
};

// `node scripts/bench/replayed-hour.ts RECORDING serve …`: the command line, whose live sessions of perf are replayed.
if (import.meta.main) {
  const [path = '', ...argv] = process.argv.slice(2);
  Object.assign(perfLive, { start: replay(await repeatedPart(path)) });
  const began = performance.now();
  Object.assign(SYSTEM_CLOCK, { monotonic: () => began + (performance.now() - began) * SPEED });
  process.exitCode = await main(argv);
}
