import { FunctionKind, type Profile } from '../model/profile.ts';

/** Root of a thread without a name, whose stacks have no root frame for it. */
const NO_ROOT = -1;

/** The names of several profiles as folded text has them. */
interface RankedNames {
  /** In order; a name's rank is its index. */
  readonly sorted: readonly string[];
  /** By profile and frame; → sorted */
  readonly ofFrame: readonly Int32Array[];
  /** By profile and thread; → sorted; {@link NO_ROOT} if the thread has no name. */
  readonly ofThread: readonly Int32Array[];
}

export function rankNames(profiles: readonly Profile[]): RankedNames {
  const named = profiles.map(namesOf);
  const sorted = [
    ...new Set(named.flatMap(({ functions, inlined, threads }) => [...functions, ...inlined.values(), ...threads])),
  ].sort();
  const ranks = new Map(sorted.map((name, rank) => [name, rank]));
  return {
    sorted,
    ofFrame: profiles.map(({ frames }, at) => {
      const { functions, inlined } = named[at]!;
      const ofFunction = Int32Array.from(functions, (name) => ranks.get(name)!);
      return frames.func.map((func, frame) => {
        const name = frames.inline[frame] === 1 ? inlined.get(func) : undefined;
        return name === undefined ? ofFunction[func]! : ranks.get(name)!;
      });
    }),
    ofThread: named.map(({ threads }) =>
      Int32Array.from(threads, (name) => (name === '' ? NO_ROOT : ranks.get(name)!)),
    ),
  };
}

interface WrittenNames {
  readonly functions: readonly string[];
  /** By function of a JIT that inlined it somewhere. */
  readonly inlined: ReadonlyMap<number, string>;
  readonly threads: readonly string[];
}

function namesOf({ strings, functions, frames, threads }: Profile): WrittenNames {
  const functionNames = Array.from(functions.name, (name) => sanitize(strings[name]!));
  const inlined = new Map<number, string>();
  for (let frame = 0; frame < frames.length; frame++) {
    const func = frames.func[frame]!;
    if (frames.inline[frame] === 0 || functions.kind[func] !== FunctionKind.jit) continue;
    const name = functionNames[func]!;
    inlined.set(func, name.endsWith('_[i]') ? name : `${name}_[i]`);
  }
  const threadNames = Array.from(threads.name, (name) => sanitize(strings[name]!).replaceAll(' ', '_'));
  return { functions: functionNames, inlined, threads: threadNames };
}

/** Start of a name that makes a line a comment if the name is the root's: a lone mark is followed by the weight. */
export const COMMENT = /^(#|\/\/)(?:[ \t\r\n]|$)/;

/** Returns a name as it is written, without the mark of functions that a JIT inlined. */
export const withoutInlineMark = (name: string): string => sanitize(name).replace(/_\[i\]$/, '');

/** A frame's name can't contain the separator or a line end, nor begin like a comment. */
function sanitize(name: string): string {
  return name
    .replace(COMMENT, '$1_')
    .replaceAll(';', ':')
    .replace(/[\r\n]/g, ' ');
}
