import flamegraph from 'd3-flame-graph';
import '../../../node_modules/d3-flame-graph/dist/d3-flamegraph.css';
import { select } from 'd3-selection';
import { useEffect, useRef, type JSX } from 'react';
import { foldedTree } from './million-nodes.ts';

interface Frame {
  readonly name: string;
  value: number;
  readonly children: Frame[];
}

/** Returns the synthetic tree of `frames` frames, as d3-flame-graph reads it. */
function shippedTree(frames: number): Frame {
  const root: Frame = { name: 'root', value: 0, children: [] };
  for (const line of foldedTree(frames).split('\n')) {
    const space = line.lastIndexOf(' ');
    const weight = Number(line.slice(space + 1));
    root.value += weight;
    let at = root;
    for (const name of line.slice(0, space).split(';')) {
      let child = at.children.find((one) => one.name === name);
      if (child === undefined) at.children.push((child = { name, value: 0, children: [] }));
      child.value += weight;
      at = child;
    }
  }
  return root;
}

/** An unmodified d3-flame-graph, except for its animation, that draws all of the given number of frames. */
export function ShippedChart({ frames }: { readonly frames: number }): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const chart = flamegraph<Frame>().width(innerWidth).transitionDuration(0);
    chart(select<HTMLElement, Frame>(host.current!).datum(shippedTree(frames)));
  }, [frames]);
  return <div ref={host} />;
}
