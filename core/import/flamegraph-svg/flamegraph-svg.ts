import type { Head, Importer, SniffResult } from '../importer.ts';

/** Pictures of flame graphs by flamegraph.pl and inferno, whose profiles may no longer exist. */
export const flamegraphSvgImporter: Importer = {
  id: 'flamegraph-svg',
  label: 'Flame graph picture (SVG)',
  extensions: ['svg'],
  keeps: 'what the picture shows: stacks, and counts from the frames’ titles',
  loses:
    'frames too narrow to be drawn (they count as self weight of their callers), kernel and JIT marks, deltas; a reversed graph stays reversed',
  recognizedBy: 'an SVG that flamegraph.pl or inferno made: frames have titles with counts',
  specification: 'https://github.com/brendangregg/FlameGraph/blob/master/flamegraph.pl',
  sniff: sniffSvg,
  start: async () => (await import('./session.ts')).svgSession(),
};

function sniffSvg({ text }: Head): SniffResult {
  if (!/^\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE svg[^>]*>\s*)?<svg\b/i.test(text)) return 'no';
  const isFlameGraph = text.includes('Flame graph stack visualization') || text.includes('total_samples');
  return isFlameGraph || /<title>[^<]* \([\d,.]+ [^<]*%[^<]*\)<\/title>/.test(text) ? 'yes' : 'no';
}
