import type { VitalsReading } from '#core/load/vitals.ts';
import { readScript } from '../read-script.ts';
import { discardOutput } from './discard-output.ts';
import { linesOf } from './lines-of.ts';
import { parseProcStat } from './proc-files.ts';
import { readPageBytes, readTicksPerSecond } from './processes.ts';
import type { Target } from './target.ts';

const SCRIPT = readScript(new URL('./vitals.sh', import.meta.url));

/** Watches processes through /proc of their machine, once a second. */
export interface VitalsWatch {
  /** Returns the readings since `from`, Unix epoch milliseconds of this machine, and drops those before. */
  since(from: number): VitalsReading[];
  /** Ends the watching. Idempotent. */
  end(): void;
}

/** States of TCP sockets, see include/net/tcp_states.h. */
const STATES: ReadonlyMap<string, string> = new Map([
  ['01', 'established'],
  ['02', 'syn-sent'],
  ['03', 'syn-received'],
  ['04', 'fin-wait-1'],
  ['05', 'fin-wait-2'],
  ['06', 'time-wait'],
  ['07', 'close'],
  ['08', 'close-wait'],
  ['09', 'last-ack'],
  ['0A', 'listen'],
  ['0B', 'closing'],
  ['0C', 'syn-received'],
]);

interface Units {
  readonly ticksPerSecond: number;
  readonly pageBytes: number;
}

/** A reading without the time of this machine. */
type Parsed = Omit<VitalsReading, 'at'>;

/** Starts watching; rejects if the target can't run a shell. */
export async function watchVitals(
  target: Target,
  pids: readonly number[],
  now: () => number = Date.now,
): Promise<VitalsWatch> {
  const [ticksPerSecond, pageBytes] = await Promise.all([readTicksPerSecond(target), readPageBytes(target)]);
  const child = await target.run(['sh', '-c', SCRIPT, 'vitals', ...pids.map(String)], { input: false });
  let readings: Parsed[] = [];
  // Lines arrive late, never early: the earliest arrival is closest to the time of the reading.
  let bootedAt = Infinity;
  const read = async (): Promise<void> => {
    const parser = createVitalsParser({ ticksPerSecond, pageBytes });
    for await (const line of linesOf(child.stdout)) {
      const found = parser.add(line);
      if (found === null) continue;
      if (found.kind === 'time') bootedAt = Math.min(bootedAt, now() - found.uptime * 1000);
      else readings.push(found.reading);
    }
  };
  void read().catch(() => undefined);
  void discardOutput(child.stderr);
  return {
    since(from) {
      const at = ({ uptime }: Parsed): number => bootedAt + uptime * 1000;
      readings = readings.filter((one) => at(one) >= from);
      return readings.map((one) => ({ ...one, at: at(one) }));
    },
    end: () => child.kill('SIGKILL'),
  };
}

type VitalsLine =
  | { readonly kind: 'time'; readonly uptime: number }
  | { readonly kind: 'reading'; readonly reading: Parsed };

/** Reads the lines of vitals.sh; unknown ones are skipped. */
export function createVitalsParser({ ticksPerSecond, pageBytes }: Units): { add(line: string): VitalsLine | null } {
  let uptime = Number.NaN;
  let last: { -readonly [K in keyof Parsed]: Parsed[K] } | null = null;
  return {
    add(line) {
      const [kind, rest] = [line.slice(0, 1), line.slice(2)];
      if (kind === 'T') {
        uptime = Number(rest);
        return Number.isFinite(uptime) ? { kind: 'time', uptime } : null;
      }
      if (kind === 'S') {
        const stat = parseProcStat(rest);
        last = null;
        if (stat === null || !Number.isFinite(uptime)) return null;
        last = {
          uptime,
          pid: stat.pid,
          startTicks: stat.startTicks,
          cpuSeconds: stat.cpuTicks / ticksPerSecond,
          rssBytes: stat.rssPages * pageBytes,
          threads: stat.threads,
          switches: null,
          files: null,
          sockets: null,
        };
        return { kind: 'reading', reading: last };
      }
      const [pid, ...words] = rest.split(' ');
      if (last === null || Number(pid) !== last.pid) return null;
      // The rest of the reading follows its first line.
      if (kind === 'C') last.switches = amount(words[0]);
      if (kind === 'F') last.files = amount(words[0]);
      if (kind === 'N') last.sockets = socketsOf(words);
      return null;
    },
  };
}

const amount = (word: string | undefined): number | null => (/^\d{1,18}$/.test(word ?? '') ? Number(word) : null);

function socketsOf(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) {
    const [code = '', count] = word.split(':');
    const state = STATES.get(code);
    if (state !== undefined) counts.set(state, (counts.get(state) ?? 0) + (amount(count) ?? 0));
  }
  return counts;
}
