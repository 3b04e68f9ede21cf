import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../support/byte-source.ts';
import { checkImport } from '../../support/check-import.ts';
import { rollUp } from '../../support/profile-rollup.ts';

checkImport({ path: 'flamegraph-svg/by-pixels.svg', format: 'flamegraph-svg', isText: true });
checkImport({ path: 'flamegraph-svg/icicle-by-percent.svg', format: 'flamegraph-svg', isText: true });

interface Frame {
  readonly title: string;
  readonly x: number;
  readonly width: number;
  readonly y: number;
}

const picture = (...frames: readonly Frame[]): string =>
  `<svg><!-- Flame graph stack visualization -->${frames
    .map(({ title, x, width, y }) => `<g><title>${title}</title><rect x="${x}" y="${y}" width="${width}"/></g>`)
    .join('')}</svg>`;
const read = (text: string): Promise<Profile> => importProfile(byteSource(text));
const folded = async (text: string): Promise<object> => Object.fromEntries(rollUp(await read(text), 0).folded);

describe('pictures of flame graphs', () => {
  it('have the root at the bottom, or at the top of an icicle graph', async () => {
    const rows = (all: number, a: number, b: number): string =>
      picture(
        { title: 'b (4 samples, 40.00%)', x: 10, width: 40, y: b },
        { title: 'a (10 samples, 100.00%)', x: 10, width: 100, y: a },
        { title: 'all (10 samples, 100%)', x: 10, width: 100, y: all },
      );
    for (const text of [rows(50, 34, 18), rows(18, 34, 50)]) expect(await folded(text)).toEqual({ a: 6, 'a;b': 4 });
  });

  it('keep the weight of frames too narrow to be drawn in their callers', async () => {
    const text = picture(
      { title: 'all (1,000 ms, 100%)', x: 0, width: 100, y: 50 },
      { title: 'a (990 ms, 99.00%)', x: 0, width: 99, y: 34 },
    );
    expect(await folded(text)).toEqual({ a: 990, '(not drawn)': 10 });
    const { valueTypes, diagnostics } = await read(text);
    expect(valueTypes).toMatchObject([{ type: 'time', unit: 'milliseconds' }]);
    expect(diagnostics).toMatchObject([{ code: 'picture', severity: 'warning' }]);
  });

  it('place a frame where its count has room if positions are rounded', async () => {
    const text = picture(
      { title: 'all (100 samples, 100%)', x: 0, width: 1, y: 50 },
      { title: 'a (1 samples, 1.00%)', x: 0, width: 0.1, y: 34 },
      { title: 'b (99 samples, 99.00%)', x: 0.1, width: 0.9, y: 34 },
      { title: 'x (1 samples, 1.00%)', x: 0, width: 0, y: 18 },
      { title: 'y (9 samples, 9.00%)', x: 0, width: 0.1, y: 18 },
    );
    expect(await folded(text)).toEqual({ 'a;x': 1, b: 90, 'b;y': 9 });
  });

  it('unescape names once', async () => {
    const text = picture({
      title: '&amp;lt; &#65;&#x42; &lt;__proto__&gt; (2) (5 samples, 100%)',
      x: 0,
      width: 1,
      y: 0,
    });
    expect(await folded(text)).toEqual({ '&lt; AB <__proto__> (2)': 5 });
  });

  it.each([
    ['without frames', picture()],
    ['without an end', picture({ title: 'a (5 samples, 100%)', x: 0, width: 1, y: 0 }).replace('</svg>', '')],
    ['of frames without counts', picture({ title: 'a', x: 0, width: 1, y: 0 })],
  ])('refuse %s', async (_, text) => {
    await expect(read(text)).rejects.toMatchObject({ failure: 'malformed', location: { byte: text.length } });
  });

  it('do not include other pictures', async () => {
    const text = '<svg><title>A house (2 floors)</title><rect x="0" y="0" width="9"/></svg>';
    await expect(read(text)).rejects.toMatchObject({ failure: 'unrecognized' });
  });
});
