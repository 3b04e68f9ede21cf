/**
 * Nominal types for numbers: an index into one table can't be passed where another table's is expected. Erased at run
 * time.
 */
declare const brand: unique symbol;
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };

export type StringIndex = Brand<number, 'StringIndex'>;
export type FunctionIndex = Brand<number, 'FunctionIndex'>;
export type FrameIndex = Brand<number, 'FrameIndex'>;
/** Row of the stack table; {@link NO_STACK} if a sample has no stack or a stack has no caller. */
export type StackIndex = Brand<number, 'StackIndex'>;
export type ThreadIndex = Brand<number, 'ThreadIndex'>;
export type EventIndex = Brand<number, 'EventIndex'>;
export type ValueTypeIndex = Brand<number, 'ValueTypeIndex'>;
/** Row of a call tree (core/analyze), in pre-order. */
export type CallNodeIndex = Brand<number, 'CallNodeIndex'>;

export type Nanoseconds = Brand<number, 'Nanoseconds'>;

export const NO_STACK = -1 as StackIndex;
