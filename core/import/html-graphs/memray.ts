import { NO_STACK, type StackIndex } from '../../model/brand.ts';
import { malformed, unsupported } from '../../model/failure.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import { FunctionKind, type Profile } from '../../model/profile.ts';
import { withoutEntities } from '../text/entities.ts';
import { parseJson } from '../text/json-session.ts';
import { arrayAt, indexAt, lineOf, numberAt, objectAt, textOr } from '../text/json-value.ts';

const DATA = /^\s*const packed_data = (\{.*\});?\s*$/m;
const THREAD = /^(?:0x)?([0-9a-f]{1,7})(?: \((.*)\))?$/i;

/** Builds the profile of the nodes in a page of memray, which are columns; a node's children have higher numbers. */
export function buildMemrayHtml(text: string): Profile {
  const json = DATA.exec(text)?.[1];
  if (json === undefined) throw malformed('the page has no data of memray, or it is cut off');
  const data = objectAt(parseJson(json), 'packed_data');
  const nodes = objectAt(data['nodes'], 'nodes');
  if (nodes['value'] === undefined) {
    throw unsupported(
      'a flame graph of memory over time; run `memray flamegraph` without --temporal, or `memray transform speedscope -o FILE.json RECORDING.bin`',
    );
  }
  const strings = arrayAt(data['strings'], 'strings').map((one) => withoutEntities(textOr(one, '')));
  const column = (name: string) => {
    const cells = arrayAt(nodes[name], `nodes.${name}`);
    return {
      length: cells.length,
      number: (row: number) => numberAt(cells[row], `nodes.${name}[${row}]`),
      string: (row: number) => strings[indexAt(cells[row], strings.length, `nodes.${name}[${row}]`)]!,
      list: (row: number) => arrayAt(cells[row], `nodes.${name}[${row}]`),
    };
  };
  const [children, name, file, line, value, allocations, threadId] = [
    column('children'),
    column('function'),
    column('filename'),
    column('lineno'),
    column('value'),
    column('n_allocations'),
    column('thread_id'),
  ];
  const builder = new ProfileBuilder(2);
  const stacks = new Map<number, StackIndex>([[0, NO_STACK]]);
  for (let row = 0; row < value.length; row++) {
    const stack = stacks.get(row);
    if (stack === undefined) throw malformed(`node ${row} is not below an earlier one`);
    let [bytes, count] = [value.number(row), allocations.number(row)];
    for (const child of children.list(row)) {
      const below = indexAt(child, value.length, `a child of node ${row}`);
      if (below <= row || stacks.has(below)) throw malformed(`node ${below} has two places`);
      bytes -= value.number(below);
      count -= allocations.number(below);
      const func = builder.function({
        name: name.string(below) || '(unnamed)',
        file: file.string(below),
        kind: FunctionKind.interpreted,
      });
      stacks.set(below, builder.stack(stack, builder.frame({ func, line: lineOf(line.number(below)) })));
    }
    if (bytes < 0 || count < 0)
      builder.diagnostics.add('children-exceed', 'Frames weigh less than the frames that they contain.');
    if (bytes <= 0 && count <= 0) continue;
    const [, tid, title = ''] = THREAD.exec(threadId.string(row)) ?? [];
    const thread = builder.thread(-1, tid === undefined || /^0+$/.test(tid) ? -1 : Number.parseInt(tid, 16), title);
    builder.sample({ stack, thread }, Math.max(0, bytes), Math.max(0, count));
  }
  return builder.finish(
    [
      { type: 'space', unit: 'bytes' },
      { type: 'allocations', unit: 'count' },
    ],
    { format: 'memray-html', tool: 'memray' },
  );
}
