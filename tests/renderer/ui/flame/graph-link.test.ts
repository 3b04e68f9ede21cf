import { expect, test } from 'vitest';
import type { CallNodeIndex } from '#core/model/brand.ts';
import { GraphLink, type LinkedGraph } from '../../../../renderer/ui/flame/graph-link.ts';

const NODE = 7 as CallNodeIndex;

/** A graph that draws when the test tells it to. */
function graphOf(log: string[], name: string): LinkedGraph & { drawn: () => Promise<void> | void } {
  let tell: (() => Promise<void> | void) | null = null;
  return {
    zoomTo(node, then) {
      log.push(`${name} zooms to ${node}`);
      tell = then;
    },
    pointAt: (pointed) => log.push(`${name} points at ${pointed?.node}`),
    scrollTo: (px) => log.push(`${name} scrolls to ${px}`),
    drawn: () => tell?.(),
  };
}

test('reports a zoom when all graphs have drawn it, and keeps it until then', async () => {
  const log: string[] = [];
  const [left, right] = [graphOf(log, 'left'), graphOf(log, 'right')];
  const link = new GraphLink();
  link.join('left', left);
  link.join('right', right);
  link.zoomTo(NODE, () => log.push('told'));
  const settled = left.drawn();
  await Promise.resolve();
  expect(log).toEqual(['left zooms to 7', 'right zooms to 7']);
  void right.drawn();
  await settled;
  expect(log.at(-1)).toBe('told');
  expect(log.filter((line) => line === 'told')).toHaveLength(1);
});

test('sends scrolling to the others and highlights to all, but nothing to one that has left', () => {
  const log: string[] = [];
  const link = new GraphLink();
  const leave = ['a', 'b', 'c'].map((name) => link.join(name, graphOf(log, name)));
  link.scroll('a', 40);
  leave[1]!();
  link.pointAt({ node: NODE, func: null });
  link.scroll('a', 80);
  expect(log).toEqual(['b scrolls to 40', 'c scrolls to 40', 'a points at 7', 'c points at 7', 'c scrolls to 80']);
});
