import { NO_STACK, type StackIndex } from '../../model/brand.ts';
import { malformed, unsupported } from '../../model/failure.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import { FunctionKind, type Profile } from '../../model/profile.ts';
import { arrayAt, indexAt, numberAt, objectAt, textOr, type JsonObject } from '../text/json-value.ts';
import { dominators, type Graph } from './dominators.ts';

/** Builds the profile of a heap snapshot. Weak references retain nothing. */
export function buildHeapSnapshot(json: unknown): Profile {
  const file = objectAt(json, 'the file');
  const meta = objectAt(objectAt(file['snapshot'], 'snapshot')['meta'], 'meta');
  const nodes = tableOf(file, meta, 'node');
  if (nodes.length === 0) throw malformed('the snapshot has no node');
  const graph = graphOf(nodes, tableOf(file, meta, 'edge'));
  const strings = arrayAt(file['strings'], 'strings');
  const types = nodes.typesOf('type');
  const [type, name, selfSize] = [nodes.column('type'), nodes.column('name'), nodes.column('self_size')];

  const builder = new ProfileBuilder(2);
  const { of, order } = dominators(graph);
  const stackOf = new Int32Array(nodes.length);
  const bytes: number[] = [];
  const counts: number[] = [];
  for (const node of order) {
    const kind = textOr(types[indexAt(type(node), types.length, `the type of node ${node}`)], '');
    const label = textOr(strings[indexAt(name(node), strings.length, `the name of node ${node}`)], '');
    const size = numberAt(selfSize(node), `the size of node ${node}`);
    if (size < 0) throw malformed(`the size of node ${node} is ${size}`);
    const isRoot = node === 0;
    const retainer = isRoot ? NO_STACK : (stackOf[of[node]!]! as StackIndex);
    const func = isRoot ? null : builder.function({ name: constructorOf(kind, label), kind: FunctionKind.synthetic });
    const stack = func === null ? NO_STACK : builder.stack(retainer, builder.frame({ func }));
    stackOf[node] = stack;
    if (stack === NO_STACK) continue;
    bytes[stack] = (bytes[stack] ?? 0) + size;
    counts[stack] = (counts[stack] ?? 0) + 1;
  }
  const thread = builder.thread(-1, -1, '');
  counts.forEach((count, stack) => builder.sample({ stack: stack as StackIndex, thread }, bytes[stack]!, count));
  return builder.finish(
    [
      { type: 'inuse_space', unit: 'bytes' },
      { type: 'inuse_objects', unit: 'count' },
    ],
    { format: 'heapsnapshot', tool: 'V8' },
  );
}

/** Returns the name under which DevTools lists an object. Synthetic nodes, such as the roots, keep their own. */
function constructorOf(type: string, name: string): string {
  switch (type) {
    case 'object':
    case 'native':
    case 'synthetic':
      return name || '(unnamed)';
    case 'hidden':
      return '(system)';
    case 'code':
      return '(compiled code)';
    case 'closure':
      return 'Function';
    case 'regexp':
      return 'RegExp';
    default:
      return `(${type})`;
  }
}

/** Rows of a table whose cells follow one another. */
interface FlatTable {
  readonly length: number;
  readonly width: number;
  /** Throws if the snapshot has no such field. */
  column(field: string): (row: number) => unknown;
  typesOf(field: string): readonly unknown[];
}

function tableOf(file: JsonObject, meta: JsonObject, kind: 'node' | 'edge'): FlatTable {
  const fields = arrayAt(meta[`${kind}_fields`], `${kind}_fields`);
  const cells = arrayAt(file[`${kind}s`], `${kind}s`);
  const width = fields.length;
  if (width === 0 || cells.length % width !== 0) {
    throw malformed(`${kind}s has ${cells.length} numbers, not ${width} for each ${kind}`);
  }
  const placeOf = (field: string): number => {
    const place = fields.indexOf(field);
    if (place < 0) throw unsupported(`a snapshot whose ${kind}s have no ${field}`);
    return place;
  };
  return {
    length: cells.length / width,
    width,
    column(field) {
      const place = placeOf(field);
      return (row) => cells[row * width + place];
    },
    typesOf: (field) => arrayAt(arrayAt(meta[`${kind}_types`], `${kind}_types`)[placeOf(field)], `types of ${kind}s`),
  };
}

/** Returns the references that keep objects alive. A shortcut is one only from the root: it marks a global object. */
function graphOf(nodes: FlatTable, edges: FlatTable): Graph {
  const types = edges.typesOf('type');
  const [type, target, count] = [edges.column('type'), edges.column('to_node'), nodes.column('edge_count')];
  const first = new Uint32Array(nodes.length + 1);
  const to = new Uint32Array(edges.length);
  let [edge, kept] = [0, 0];
  for (let node = 0; node < nodes.length; node++) {
    const own = numberAt(count(node), `edges of node ${node}`);
    if (!(own >= 0 && edge + own <= edges.length)) throw malformed(`node ${node} has ${own} edges`);
    for (const end = edge + own; edge < end; edge++) {
      const kind = types[indexAt(type(edge), types.length, `the type of edge ${edge}`)];
      const place = indexAt(target(edge), nodes.length * nodes.width, `the target of edge ${edge}`);
      if (place % nodes.width !== 0) throw malformed(`edge ${edge} points into a node`);
      if (kind === 'weak' || (kind === 'shortcut' && node !== 0)) continue;
      to[kept] = place / nodes.width;
      kept += 1;
    }
    first[node + 1] = kept;
  }
  return { first, to: to.slice(0, kept) };
}
