import { NO_STACK, type StackIndex } from '../../model/brand.ts';
import { malformed } from '../../model/failure.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import { FunctionKind, type Profile } from '../../model/profile.ts';
import {
  arrayOrNone,
  lineOf,
  numberAt,
  numberOr,
  objectAt,
  textOr,
  wholeOrNone,
  type JsonObject,
} from '../text/json-value.ts';
import { CHILDREN_EXCEED } from '../common-diagnostics.ts';

const [US_PER_S, NS_PER_S] = [1e6, 1e9];
/** Times have six decimals, so sums of several may differ in the last one. */
const ROUNDING_US = 1;

/** Builds the profile of pyinstrument's JSON. */
export function buildPyinstrument(json: unknown): Profile {
  const file = objectAt(json, 'the file');
  const builder = new ProfileBuilder(1);
  const thread = builder.thread(-1, -1, '');
  if (file['root_frame'] !== null)
    addFrames(builder, objectAt(file['root_frame'], 'root_frame'), (stack, weight) =>
      builder.sample({ stack, thread }, weight),
    );
  const duration = numberOr(file['duration'], 0) * NS_PER_S;
  return builder.finish([{ type: 'time', unit: 'microseconds' }], {
    format: 'pyinstrument',
    tool: 'pyinstrument',
    startTime: wholeOrNone(numberOr(file['start_time'], Number.NaN) * NS_PER_S),
    durationNs: duration > 0 && Number.isFinite(duration) ? Math.round(duration) : null,
  });
}

/** Calls `add` with the self weight of every frame that has one. */
function addFrames(builder: ProfileBuilder, root: JsonObject, add: (stack: StackIndex, weight: number) => void): void {
  const waiting = [{ node: root, caller: NO_STACK }];
  for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
    const { node, caller } = entry;
    const name = textOr(node['function'], '') || '(unnamed)';
    const where = `time of ${JSON.stringify(name.slice(0, 80))}`;
    // Frames such as `[self]` and `[await]` say how their caller spent its time.
    const isMade = /^\[[\w-]+\]$/.test(name);
    const func = builder.function(
      isMade
        ? { name, kind: FunctionKind.synthetic }
        : {
            name,
            file: textOr(node['file_path'], ''),
            line: lineOf(node['line_no']),
            kind: FunctionKind.interpreted,
          },
    );
    const stack = builder.stack(caller, builder.frame({ func }));
    const total = microseconds(node['time'], where);
    let below = 0;
    for (const child of arrayOrNone(node['children'], `children of ${JSON.stringify(name.slice(0, 80))}`)) {
      const callee = objectAt(child, 'a frame');
      below += microseconds(callee['time'], where);
      waiting.push({ node: callee, caller: stack });
    }
    const self = total - below;
    if (self < -ROUNDING_US) {
      builder.diagnostics.add(...CHILDREN_EXCEED);
    }
    if (self > 0) add(stack, self);
  }
}

function microseconds(value: unknown, where: string): number {
  const time = Math.round(numberAt(value, where) * US_PER_S);
  if (time < 0 || !Number.isSafeInteger(time)) throw malformed(`${where} is ${time} microseconds`);
  return time;
}
