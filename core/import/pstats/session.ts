import { malformed } from '../../model/failure.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import { FunctionKind, type Profile } from '../../model/profile.ts';
import { addCallGraph } from '../callgrind/call-graph-stacks.ts';
import { CallGraphBuilder } from '../callgrind/call-graph.ts';
import type { ImportSession } from '../importer.ts';
import { ByteCollector } from '../text/byte-collector.ts';
import { lineOf } from '../text/json-value.ts';
import { MarshalReader, type MarshalDictionary, type MarshalValue } from './marshal.ts';

const MAX_BYTES = 2 ** 31 - 1;
const NS_PER_S = 1e9;
/** `cc, nc, tt, ct, callers` of a function, and `nc, cc, tt, ct` of a caller (Lib/pstats.py). */
const [SELF_TIME, TOTAL_TIME, CALLERS] = [2, 3, 4] as const;

export class PstatsSession implements ImportSession {
  readonly #bytes = new ByteCollector('a cProfile file', MAX_BYTES);
  readonly #builder = new ProfileBuilder(1);
  readonly #graph = new CallGraphBuilder(1);

  push(chunk: Uint8Array): void {
    this.#bytes.push(chunk);
  }

  finish(): Profile {
    const functions = dictionaryAt(new MarshalReader(this.#bytes.finish()).read(), 'the file');
    if (functions.pairs.length === 0) throw malformed('there is no function');
    for (const [key, value] of functions.pairs) this.#addFunction(key, value);
    const sections = [{ thread: this.#builder.thread(-1, -1, ''), labelSet: undefined }];
    const { circled, claimed, unfollowed } = addCallGraph(this.#builder, this.#graph.finish(), sections, [1]);
    const { diagnostics } = this.#builder;
    diagnostics.add(
      'estimated-stacks',
      'The file has a call graph instead of stacks; totals of functions with several callers are estimates, self times are exact.',
      {
        severity: 'info',
        remedy: 'Record with a sampling profiler (py-spy, pyinstrument) if the callers matter.',
      },
    );
    if (circled > 0) {
      diagnostics.add(
        'recursion',
        'Functions that call one another in a cycle count once per stack; their totals are estimates.',
        {
          severity: 'info',
          count: circled,
        },
      );
    }
    if ((claimed[0] ?? 0) > 0) {
      diagnostics.add(
        'excess-calls',
        `Calls claim ${((claimed[0] ?? 0) / NS_PER_S).toFixed(6)} s more than their callees spent; this is in no stack.`,
        { severity: 'info' },
      );
    }
    if (unfollowed > 0) {
      diagnostics.add(
        'unfollowed-calls',
        `${(unfollowed * 100).toFixed(1)} % of the time is in calls too small to follow.`,
        { severity: 'info' },
      );
    }
    return this.#builder.finish([{ type: 'time', unit: 'nanoseconds' }], {
      format: 'pstats',
      tool: 'cProfile',
    });
  }

  #addFunction(key: MarshalValue, value: MarshalValue): void {
    const node = this.#node(key);
    const numbers = tupleAt(value, 5, 'the times of a function');
    this.#graph.addSelf(node, 0, [this.#nanoseconds(numbers[SELF_TIME])]);
    for (const [caller, times] of dictionaryAt(numbers[CALLERS], 'the callers of a function').pairs) {
      // `profile` of old versions only counts calls.
      if (typeof times === 'number') continue;
      this.#graph.addCall(this.#node(caller), node, 0, [
        this.#nanoseconds(tupleAt(times, 4, 'the times of a caller')[TOTAL_TIME]),
      ]);
    }
  }

  #nanoseconds(seconds: MarshalValue | undefined): number {
    if (typeof seconds !== 'number' || !Number.isFinite(seconds) || Math.abs(seconds) > 2 ** 53 / NS_PER_S) {
      throw malformed('a time is not a number of seconds');
    }
    if (seconds < 0)
      this.#builder.diagnostics.add('negative-time', 'Negative times of a clock that was set back count as none.');
    return Math.max(0, Math.round(seconds * NS_PER_S));
  }

  #node(key: MarshalValue): number {
    const [file, line, name] = tupleAt(key, 3, 'a function');
    if (typeof file !== 'string' || typeof line !== 'number' || typeof name !== 'string') {
      throw malformed('a function is not a file, a line and a name');
    }
    const isBuiltIn = file === '~';
    const func = this.#builder.function({
      name: name || '(unnamed)',
      file: isBuiltIn ? '' : file,
      line: lineOf(line),
      kind: isBuiltIn ? FunctionKind.user : FunctionKind.interpreted,
    });
    return this.#graph.node(0, func);
  }
}

function tupleAt(value: MarshalValue | undefined, length: number, what: string): readonly MarshalValue[] {
  if (Array.isArray(value) && value.length === length) return value as readonly MarshalValue[];
  throw malformed(`${what}: not ${length} values`);
}

function dictionaryAt(value: MarshalValue | undefined, what: string): MarshalDictionary {
  if (typeof value === 'object' && value !== null && 'pairs' in value) return value;
  throw malformed(`${what}: not a dictionary`);
}
