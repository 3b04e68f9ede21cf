import { NO_STACK, type FrameIndex, type StackIndex } from '../../model/brand.ts';
import { demangle } from '../../symbols/demangle/demangle.ts';
import type { FunctionKey, ProfileBuilder } from '../../model/profile-builder.ts';
import { unresolvedFunction } from '../../symbols/perf-modules.ts';
import { FunctionKind } from '../../model/profile.ts';
import type { JfrChunk } from './chunk.ts';
import type { JfrConstants, JfrReference } from './constants.ts';
import { skipOperation, type JfrOperation } from './metadata.ts';

export interface JfrStack {
  /** NO_STACK if the chunk lacks it, or if it has no frames. */
  readonly stack: StackIndex;
  /** It is deeper than the profiler keeps. */
  readonly isTruncated: boolean;
  readonly isMissing: boolean;
}

interface Method {
  readonly names: MethodNames;
  /** By line and type of the frame. */
  readonly frames: Map<string, FrameIndex>;
}

interface MethodNames {
  readonly className: string;
  readonly name: string;
  readonly module: string;
  /** async-profiler's mark of code that is not a Java method: the signature `()L;`. */
  readonly isNative: boolean;
}

const MISSING: JfrStack = { stack: NO_STACK, isTruncated: false, isMissing: true };
export const EMPTY: JfrStack = { stack: NO_STACK, isTruncated: false, isMissing: false };

/** The stacks of one chunk, created on first use. */
export class JfrStacks {
  readonly #chunk: JfrChunk;
  readonly #constants: JfrConstants;
  readonly #builder: ProfileBuilder;
  readonly #stacks = new Map<number, JfrStack>();
  readonly #methods = new Map<number, Method>();

  constructor(chunk: JfrChunk, constants: JfrConstants, builder: ProfileBuilder) {
    this.#chunk = chunk;
    this.#constants = constants;
    this.#builder = builder;
  }

  /** Returns the stack whose key the cursor has just read; key 0 means none. */
  stack(typeId: number): JfrStack {
    const { low, high } = this.#chunk.bytes;
    const row = this.#chunk.constantRow(typeId, low, high);
    if (row < 0) return low === 0 && high === 0 ? EMPTY : MISSING;
    const known = this.#stacks.get(row);
    if (known !== undefined) return known;
    const made = this.#readStack(typeId, row);
    this.#stacks.set(row, made);
    return made;
  }

  #readStack(typeId: number, row: number): JfrStack {
    const { bytes } = this.#chunk;
    let isTruncated = false;
    let leafFirst: FrameIndex[] = [];
    for (const operation of this.#chunk.enterConstant(typeId, row)) {
      if (operation.path === 'truncated' && operation.primitive !== null)
        isTruncated = bytes.number(operation.primitive) !== 0;
      else if (operation.path === 'frames' && operation.items !== null) leafFirst = this.#readFrames(operation.items);
      else skipOperation(bytes, operation);
    }
    return { stack: this.#builder.stackOf(leafFirst), isTruncated, isMissing: false };
  }

  #readFrames(items: readonly JfrOperation[]): FrameIndex[] {
    const { bytes } = this.#chunk;
    const frames: { method: JfrReference; line: number; type: JfrReference }[] = [];
    const nothing = { typeId: 0, row: -1 };
    for (let count = bytes.count(); count > 0; count--) {
      const frame = { method: nothing, line: 0, type: nothing };
      for (const operation of items) {
        const { path } = operation;
        const isWanted = path === 'method' || path === 'lineNumber' || path === 'type';
        if (!isWanted || operation.items !== null) {
          skipOperation(bytes, operation);
          continue;
        }
        const value = this.#constants.readValue(operation);
        if (path === 'lineNumber' && typeof value === 'number') frame.line = value;
        else if (path === 'method' && isReference(value)) frame.method = value;
        else if (path === 'type' && isReference(value)) frame.type = value;
      }
      frames.push(frame);
    }
    return frames.map(({ method, line, type }) => this.#frame(method, line, this.#constants.text(type)));
  }

  #frame(reference: JfrReference, line: number, type: string): FrameIndex {
    const method = this.#method(reference);
    const key = `${line} ${type}`;
    const known = method.frames.get(key);
    if (known !== undefined) return known;
    const frame = this.#builder.frame({
      func: this.#builder.function(functionOf(method.names, type)),
      line: line > 0 ? line : 0,
      inline: type === 'Inlined',
    });
    method.frames.set(key, frame);
    return frame;
  }

  #method(reference: JfrReference): Method {
    const known = this.#methods.get(reference.row);
    if (known !== undefined) return known;
    const method = { names: this.#namesOf(reference), frames: new Map<string, FrameIndex>() };
    this.#methods.set(reference.row, method);
    return method;
  }

  #namesOf(reference: JfrReference): MethodNames {
    const values = this.#constants.valuesOf(reference);
    const type = values?.get('type');
    return {
      className: this.#constants.text(type),
      name: this.#constants.text(values?.get('name')),
      module: this.#constants.text(type, 'package', 'module', 'name'),
      isNative: this.#constants.text(values?.get('descriptor')) === '()L;',
    };
  }
}

const isReference = (value: unknown): value is JfrReference => typeof value === 'object' && value !== null;

/** Text that async-profiler writes in place of frames that it could not unwind: its vmStructs and profiler sources. */
const REMARK = /^(?:unknown|not_walkable|no_Java|GC_active|deopt|safepoint|skipped|thread_exit|break_)/;

/** All Java methods have the same kind, because a method may be interpreted first and compiled later. */
function functionOf({ className, name: written, module, isNative }: MethodNames, frameType: string): FunctionKey {
  const name = isNative ? (demangle(written) ?? written) : written;
  if (name === '') return unresolvedFunction('');
  if (!isNative) {
    const method = className === '' ? name : `${className.replaceAll('/', '.')}.${name}`;
    return { name: method, module, kind: FunctionKind.jit };
  }
  if (frameType === 'Kernel') return { name, module: className, kind: FunctionKind.kernel };
  if (className !== '') return { name, module: className, kind: FunctionKind.user };
  if (REMARK.test(name)) return { name: `[${name}]`, kind: FunctionKind.synthetic };
  if (!name.includes('/')) return { name, kind: FunctionKind.user };
  return unresolvedFunction(name);
}
