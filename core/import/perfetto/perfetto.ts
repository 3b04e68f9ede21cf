import type { Head, Importer, SniffResult } from '../importer.ts';

/** Traces of Perfetto: Android, Chrome and the SDK, with samples of traced_perf and slices of track events. */
export const perfettoImporter: Importer = {
  id: 'perfetto',
  label: 'Perfetto trace',
  extensions: ['pftrace', 'perfetto-trace', 'perfetto'],
  keeps:
    'samples of traced_perf with stacks, modules, times and CPUs; slices of track events as stacks with times; threads',
  loses: 'packets of other kinds (scheduling, counters, heaps, instants), which are counted; arguments, flows',
  recognizedBy: 'packets, one after the other, that begin like those of Perfetto',
  specification: 'https://perfetto.dev/docs/reference/trace-packet-proto',
  sniff: sniffPerfetto,
  start: async () => new (await import('./session.ts')).PerfettoSession(),
};

/** First bytes of packets (perfetto_trace.proto): process tree, user id, clocks, time, sequence, or a field from 16 on. */
const PACKET_STARTS = new Set([0x12, 0x18, 0x32, 0x40, 0x50]);

/** Yes if the bytes begin with a packet, a field with number 1, that another one or the end follows. */
function sniffPerfetto({ bytes, complete }: Head): SniffResult {
  if (bytes[0] !== 0x0a) return 'no';
  let length = 0;
  let at = 1;
  for (let shift = 0; shift < 28; shift += 7) {
    const byte = bytes[at++] ?? 0;
    length += (byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  const start = bytes[at] ?? 0;
  if (!PACKET_STARTS.has(start) && start < 0x80) return 'no';
  const next = at + length;
  const isFollowed = next < bytes.length ? bytes[next] === 0x0a : next === bytes.length || !complete;
  return length > 1 && isFollowed ? 'yes' : 'no';
}
