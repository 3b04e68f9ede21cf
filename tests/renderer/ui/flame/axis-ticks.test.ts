import { expect, test } from 'vitest';
import { weightScale } from '#core/units/axis-scale.ts';
import { scaleFor, ticksIn } from '../../../../renderer/ui/flame/chart/axis.ts';
import type { AxisLook } from '../../../../renderer/ui/flame/graph.types.ts';

const CHARACTER_PX = 6.6;

const look = (unit: string): AxisLook => ({ scale: weightScale('en', unit), from: 'root' });

test('ticks are the multiples of the step in view', () => {
  const window = { range: { first: 0.9e9, last: 2.1e9 }, widthPx: 500, largest: 6e9 };
  const scale = scaleFor(look('nanoseconds'), window, CHARACTER_PX)!;
  expect(ticksIn(scale, window.range).map(scale.text)).toEqual(['1.0 s', '1.2 s', '1.4 s', '1.6 s', '1.8 s', '2.0 s']);
});

test('labels fit at every zoom, also with long units', () => {
  for (const unit of ['nanoseconds', 'bytes', 'count', 'samples', 'allocated objects of the heap']) {
    for (let span = 1e12; span >= 1e3; span /= 3.7) {
      const window = { range: { first: 1e12 - span, last: 1e12 }, widthPx: 800, largest: 1e12 };
      const scale = scaleFor(look(unit), window, CHARACTER_PX)!;
      const stepPx = (scale.step / span) * window.widthPx;
      for (const tick of ticksIn(scale, window.range)) {
        expect(scale.text(tick).length * CHARACTER_PX, `${unit}, ${span}`).toBeLessThan(stepPx);
      }
    }
  }
});

test('the tick at the left edge is not lost to rounding', () => {
  const scale = weightScale('en', 'nanoseconds')(1e9, 0.1e9);
  expect(ticksIn(scale, { first: 3 * 0.1e9, last: 0.5e9 }).length).toBe(2);
});

test.each([
  ['no weight', { first: 0, last: 0 }, 800],
  ['no width', { first: 0, last: 100 }, 0],
])('%s has no ticks', (_, range, widthPx) => {
  expect(scaleFor(look('count'), { range, widthPx, largest: 100 }, CHARACTER_PX)).toBeNull();
});
