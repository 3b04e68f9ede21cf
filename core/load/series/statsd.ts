const LINE =
  /^([^\s:|@]{1,200}):([+-]?\d{1,18}(?:\.\d{1,18})?)\|(c|g|ms|h|d|m)(?:\|@(0?\.\d{1,9}|1(?:\.0*)?))?(?:\|#[^\n]{0,1000})?$/;

/** Maximum number of names that are kept. */
const MAX_NAMES = 1000;

/** Sums up StatsD lines of one second. */
export interface StatsdSecond {
  /** Adds a packet of lines; returns the number of lines that are not StatsD. */
  add(packet: string): number;
  /** Ends the second: counters as their sum, gauges as their last value, timings as their mean. Gauges stay. */
  flush(): Map<string, number>;
}

/** Counts a sampled line for those that were not sent. */
export function createStatsd(): StatsdSecond {
  const gauges = new Map<string, number>();
  let counts = new Map<string, number>();
  let timings = new Map<string, { sum: number; count: number }>();
  const isFull = (name: string): boolean =>
    gauges.size + counts.size + timings.size >= MAX_NAMES &&
    !gauges.has(name) &&
    !counts.has(name) &&
    !timings.has(name);
  return {
    add(packet) {
      let skipped = 0;
      for (const line of packet.split('\n')) {
        if (line.trim() === '') continue;
        const [, name, word, type, rate = '1'] = LINE.exec(line.trim()) ?? [];
        if (name === undefined || word === undefined || isFull(name)) {
          skipped += 1;
          continue;
        }
        const value = Number(word);
        if (type === 'g') gauges.set(name, /^[+-]/.test(word) ? (gauges.get(name) ?? 0) + value : value);
        else if (type === 'c' || type === 'm') counts.set(name, (counts.get(name) ?? 0) + value / Number(rate));
        else {
          const { sum, count } = timings.get(name) ?? { sum: 0, count: 0 };
          timings.set(name, { sum: sum + value, count: count + 1 });
        }
      }
      return skipped;
    },
    flush() {
      const means = [...timings].map(([name, { sum, count }]): [string, number] => [name, sum / count]);
      const found = new Map([...gauges, ...counts, ...means]);
      counts = new Map();
      timings = new Map();
      return found;
    },
  };
}
