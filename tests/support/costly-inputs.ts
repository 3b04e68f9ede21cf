import { writeNative } from '#core/model/native/write.ts';
import { encodeJfr, JFR_TYPES } from './encode/jfr.ts';
import { encodePerfPipe, USER_MARK, type EncodedRecord } from './encode/perf-data.ts';
import { bytes, encodePprof, number } from './encode/pprof.ts';
import { encodeSimpleperf } from './encode/simpleperf.ts';
import { cpuClock, fork, mmap2, sample } from './perf-data-records.ts';
import { profileFromText } from './profile-from-text.ts';

/** Worst cases of binary formats. Each function makes an input of about `size` bytes or of `count` parts. */

const indices = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/**
 * Half of the bytes are one location with many inlined functions; the other half is one sample that names the location
 * as often as fits.
 */
export function inlinedAgain(size: number): Uint8Array {
  const half = Math.floor(size / 2);
  const lines = indices(half / 4).flatMap(() => bytes(4, number(1, 1)));
  const names = ['', 'cpu', 'count', 'f'].flatMap((name) => bytes(6, [...new TextEncoder().encode(name)]));
  return Uint8Array.from([
    ...bytes(1, [...number(1, 1), ...number(2, 2)]),
    ...bytes(2, [
      ...bytes(
        1,
        Array.from({ length: half }, () => 1),
      ),
      ...bytes(2, [1]),
    ]),
    ...bytes(4, [...number(1, 1), ...lines]),
    ...bytes(5, [...number(1, 1), ...number(2, 3)]),
    ...names,
  ]);
}

/** Makes samples whose labels all name one text, which takes half of the bytes. */
export function labelsOfOneText(size: number): Uint8Array {
  const text = 'x'.repeat(size / 2);
  return encodePprof({
    sampleTypes: [['cpu', 'count']],
    samples: indices(size / 40).map((index) => ({
      locations: [1],
      values: [1],
      labels: [{ key: `k${index % 7}`, text }],
    })),
    locations: [{ id: 1, lines: [[1, 1]] }],
    functions: [{ id: 1, name: 'f' }],
  });
}

const perfData = (records: readonly EncodedRecord[]): Uint8Array => encodePerfPipe({ attrs: [cpuClock], records });
const mapping = (index: number, pid: number): EncodedRecord =>
  mmap2({ start: BigInt(index + 1) * 8192n, length: 4096, path: '/l' }, { pid });

/** A process with many mappings starts `count` others. With `changes`, each of them then adds its own mapping. */
export const forksOfMappings = (count: number, changes: boolean): Uint8Array =>
  perfData([
    ...indices(count).map((index) => mapping(index, 10)),
    ...indices(count).flatMap((index) => {
      const child = fork(100 + index, 10, { pid: 10 });
      return changes ? [child, mapping(count, 100 + index)] : [child];
    }),
    sample({ chain: [USER_MARK, 4096] }),
  ]);

/** Mappings of one process, each at a lower address than all before it. */
export const mappingsDownwards = (count: number): Uint8Array =>
  perfData([...indices(count).map((index) => mapping(count - index, 10)), sample({ chain: [USER_MARK, 4096] })]);

/** Samples of 8,000 distinct addresses each, which are records of the largest size. */
export const fullChains = (size: number): Uint8Array =>
  perfData(
    indices(size / 64_000).map((row) =>
      sample({ chain: [USER_MARK, ...indices(7900).map((index) => (row + 1) * 65_536 + index)] }),
    ),
  );

/** Stacks of methods whose classes, packages and names refer to each other in a circle. */
export function cyclicConstants(size: number): Uint8Array {
  const count = Math.floor(size / 24);
  const rows = indices(count).map((index) => index + 1);
  const constants = (type: string, name: string): (typeof JFR_TYPES)[string][number] => ({
    name,
    type,
    constant: true,
  });
  return encodeJfr({
    types: {
      ...JFR_TYPES,
      'jdk.types.Symbol': [constants('jdk.types.Symbol', 'string')],
      'jdk.types.Package': [constants('java.lang.Class', 'name'), constants('jdk.types.Package', 'module')],
      'java.lang.Class': [constants('jdk.types.Package', 'name'), constants('jdk.types.Package', 'package')],
    },
    constants: {
      'jdk.types.Symbol': rows.map((row) => [row, { string: (row % count) + 1 }]),
      'jdk.types.Package': rows.map((row) => [row, { name: row, module: (row % count) + 1 }]),
      'java.lang.Class': rows.map((row) => [row, { name: row, package: row }]),
      'jdk.types.Method': rows.map((row) => [row, { type: row, name: row, descriptor: row }]),
      'jdk.types.StackTrace': [[1, { frames: rows.map((method) => ({ method, lineNumber: 1 })) }]],
    },
    events: [['jdk.ExecutionSample', { stackTrace: 1 }]],
  });
}

/** One stack of distinct symbols; each sample has another part of it. */
export const simpleperfSymbols = (size: number): Uint8Array => {
  const count = Math.floor(size / 40);
  return encodeSimpleperf({
    meta: { events: ['cpu'] },
    samples: [
      { time: 1, tid: 1, count: 1, chain: indices(count).map((symbol) => [1, symbol, symbol] as const) },
      ...indices(count / 20).map((symbol) => ({ time: symbol, tid: 1, count: 1, chain: [[1, symbol, 1] as const] })),
    ],
    files: [{ id: 1, path: '/l', symbols: indices(count).map((index) => `symbol${index}`) }],
    threads: [{ tid: 1, pid: 1, name: 't' }],
  });
};

/** One stack that is as deep as there are functions. */
export const nativeChain = (size: number): Uint8Array => {
  const names = indices(size / 120).map((index) => `f${index}`);
  return Buffer.concat(writeNative(profileFromText(`${names.join(';')} 1`)));
};

/** A property list of `count` objects that all refer to the same text. */
export function sharedTexts(count: number, length: number): Uint8Array {
  const [textAt, tableAt] = [8, 8 + 6 + length];
  const list = Buffer.alloc(tableAt + 4 * count + 32);
  list.write('bplist00');
  list.writeUInt16BE(0x5f12, textAt);
  list.writeUInt32BE(length, textAt + 2);
  list.fill('x', textAt + 6, tableAt);
  for (let row = 0; row < count; row++) list.writeUInt32BE(textAt, tableAt + 4 * row);
  list.set([4, 4], list.length - 26);
  list.writeBigUInt64BE(BigInt(count), list.length - 24);
  list.writeBigUInt64BE(BigInt(tableAt), list.length - 8);
  return list;
}
