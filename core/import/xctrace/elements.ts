import type { FrameIndex, StackIndex, ThreadIndex } from '../../model/brand.ts';
import { demangle } from '../../symbols/demangle/demangle.ts';
import type { ProfileBuilder } from '../../model/profile-builder.ts';
import { FunctionKind } from '../../model/profile.ts';
import { unresolvedFunction } from '../../symbols/perf-modules.ts';
import type { Attributes } from '../text/xml-reader.ts';

/** The value of an element of an export, once it is closed; others refer to it by its `id`. */
export type ElementValue =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'source'; readonly file: string; readonly line: number }
  | { readonly kind: 'binary'; readonly module: string }
  | { readonly kind: 'frame'; readonly value: FrameIndex }
  | { readonly kind: 'stack'; readonly value: StackIndex }
  | { readonly kind: 'thread'; readonly value: ThreadIndex };

/** An element whose end has not arrived. */
export interface OpenElement {
  readonly name: string;
  readonly attributes: Attributes;
  text: string;
  /** By the element's name; the last of several. */
  readonly children: Map<string, ElementValue>;
  /** Frames of a backtrace, leaf first. */
  readonly frames: FrameIndex[];
}

/** Returns the value of a closed element; null if samples do not use it. */
export function valueOf(builder: ProfileBuilder, element: OpenElement): ElementValue | null {
  const { name, attributes, text, children, frames } = element;
  switch (name) {
    case 'frame':
      return { kind: 'frame', value: frameOf(builder, element) };
    case 'backtrace':
      return { kind: 'stack', value: builder.stackOf(frames) };
    case 'binary':
      return { kind: 'binary', module: attributes.get('path') ?? attributes.get('name') ?? '' };
    case 'source':
      return {
        kind: 'source',
        file: textOf(children.get('path')),
        line: numberOf(attributes.get('line') ?? '')?.value ?? 0,
      };
    case 'thread':
      return { kind: 'thread', value: threadOf(builder, element) };
    case 'process':
      return children.get('pid') ?? null;
    case 'path':
      return { kind: 'text', value: text };
    default:
      return stackWithin(children) ?? numberOf(text);
  }
}

/** Returns the stack of a backtrace, or of an element that contains one. */
export function stackWithin(children: ReadonlyMap<string, ElementValue>): (ElementValue & { kind: 'stack' }) | null {
  for (const value of children.values()) if (value.kind === 'stack') return value;
  return null;
}

export const numberWithin = (children: ReadonlyMap<string, ElementValue>, name: string): number | undefined => {
  const value = children.get(name);
  return value?.kind === 'number' ? value.value : undefined;
};

function numberOf(text: string): (ElementValue & { kind: 'number' }) | null {
  const value = /^\s*\d{1,20}\s*$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? { kind: 'number', value } : null;
}

function frameOf(builder: ProfileBuilder, { attributes, children }: OpenElement): FrameIndex {
  const binary = children.get('binary');
  const module = binary?.kind === 'binary' ? binary.module : '';
  const name = attributes.get('name') ?? '';
  const digits = /^0x([0-9a-f]{1,16})$/.exec(attributes.get('addr') ?? name)?.[1];
  const isUnresolved = name === '' || /^0x[0-9a-f]+$/.test(name);
  const func = builder.function(
    isUnresolved ? unresolvedFunction(module) : { name: demangle(name) ?? name, module, kind: kindOf(module) },
  );
  const frame = builder.frame({ func, address: digits === undefined ? null : BigInt(`0x${digits}`) });
  const source = children.get('source');
  if (source?.kind !== 'source' || source.line === 0 || source.file === '') return frame;
  return builder.frameAtSource(frame, source.file, source.line, false);
}

/** `main  0x8480c1 (rust_test2, pid: 49374)` is named `main`; a thread without a name is named after its process. */
function threadOf(builder: ProfileBuilder, { attributes, children }: OpenElement): ThreadIndex {
  const format = attributes.get('fmt') ?? '';
  const place = format.search(/0x[0-9a-f]+ \(/);
  const name = (place < 0 ? format : format.slice(0, place)).trimEnd();
  const process = place < 0 ? '' : format.slice(format.indexOf('(', place) + 1, format.lastIndexOf(', pid: '));
  const id = (of: string): number => numberWithin(children, of) ?? -1;
  return builder.thread(id('process'), id('tid'), name === '' ? process : name);
}

function kindOf(module: string): FunctionKind {
  if (module === '') return FunctionKind.unknown;
  return /^\/System\/Library\/(?:Kernels|Extensions)\/|^kernel/.test(module) ? FunctionKind.kernel : FunctionKind.user;
}

const textOf = (value: ElementValue | undefined): string => (value?.kind === 'text' ? value.value : '');
