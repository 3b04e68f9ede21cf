import { expect, test } from 'vitest';
import { readFrameLines, type BinaryFrame } from '#collectors/perf/frame-places.ts';

function framesOf(text: string): BinaryFrame[] {
  const frames: BinaryFrame[] = [];
  const reader = readFrameLines((_, frame) => {
    if (frame !== null) frames.push({ ...frame });
  });
  reader.push(new TextEncoder().encode(text));
  reader.finish();
  return frames;
}

const SAMPLE = 'app 7/7 1.0: 1 cycles: \n\t 1209 hot+0x9 (/srv/app)\n\t 1214 outer+0x4 (/srv/app)\n\n';
const PLACES = [
  { module: '/srv/app', offset: 0x1209, isLeaf: true },
  { module: '/srv/app', offset: 0x1214, isLeaf: false },
];

test('marks the first frame of a sample as its leaf, even after a header', () => {
  expect(framesOf(SAMPLE + SAMPLE)).toEqual([...PLACES, ...PLACES]);
  expect(framesOf(`# read by : perf 6.1\n# ========\n# hostname : web1\n#\n${SAMPLE}`)).toEqual(PLACES);
});
