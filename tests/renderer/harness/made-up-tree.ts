import type { CallTree, StackView } from '#core/analyze/view/stack-view.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import { ProfileBuilder } from '#core/model/profile-builder.ts';

/** Number of children of every inner node, on three levels: 1 + 100 + 10,000 + 1,000,000 nodes. */
const FAN_OUT = 100;
const LEVELS = 3;

/** Returns a call tree of a million nodes, without the samples that would create it. */
export function millionNodes(): { readonly view: StackView; readonly tree: CallTree } {
  const builder = new ProfileBuilder(1);
  for (let func = 0; func < 1000; func++) builder.function({ name: `function_${func}`, module: `module_${func % 7}` });
  const profile = builder.finish([{ type: 'cpu', unit: 'microseconds', event: -1, column: 0 }], { format: 'made-up' });
  const length = 1 + FAN_OUT + FAN_OUT ** 2 + FAN_OUT ** 3;
  const [func, parent, depth, end] = [0, 0, 0, 0].map(() => new Int32Array(length)) as [
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  const [self, total] = [new Float64Array(length), new Float64Array(length)];
  let next = 0;
  const add = (below: number, level: number): number => {
    const node = next++;
    parent[node] = below;
    depth[node] = level;
    func[node] = node === 0 ? -1 : (node * 31) % 1000;
    if (level < LEVELS) for (let child = 0; child < FAN_OUT; child++) total[node]! += total[add(node, level + 1)]!;
    else self[node] = total[node] = 1 + ((node * 7919) % 1000);
    end[node] = next;
    return node;
  };
  add(-1, 0);
  const tree: CallTree = { length, direction: 'top-down', func, parent, depth, end, self, total, cutDepth: null };
  return { view: buildStackView(profile), tree };
}
