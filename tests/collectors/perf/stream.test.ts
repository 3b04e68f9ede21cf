import { describe, expect, test } from 'vitest';
import { readPerfStream } from '#collectors/perf/stream.ts';
import { joinBytes } from '#core/model/join-bytes.ts';

type Order = 'little' | 'big';

/** Encodes an event of perf's pipe stream. */
function event(type: number, body: Uint8Array, order: Order = 'little'): Uint8Array {
  const bytes = new Uint8Array(8 + body.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, type, order === 'little');
  view.setUint16(6, bytes.length, order === 'little');
  bytes.set(body, 8);
  return bytes;
}

function u64(values: readonly bigint[], order: Order = 'little'): Uint8Array {
  const bytes = new Uint8Array(values.length * 8);
  const view = new DataView(bytes.buffer);
  values.forEach((value, index) => view.setBigUint64(index * 8, value, order === 'little'));
  return bytes;
}

function header(order: Order = 'little'): Uint8Array {
  const magic = new TextEncoder().encode(order === 'little' ? 'PERFILE2' : '2ELIFREP');
  return joinBytes([magic, u64([16n], order)]);
}

const sample = (order: Order = 'little'): Uint8Array => event(9, u64([1n, 2n, 3n], order), order);
/** Encodes an attribute event: type 1 (software), config 0, with exclude_kernel. */
const attr = (order: Order = 'little'): Uint8Array => {
  const body = new Uint8Array(128);
  const view = new DataView(body.buffer);
  view.setUint32(0, 1, order === 'little');
  view.setBigUint64(8, 7n, order === 'little');
  view.setUint32(40, order === 'little' ? 0x20 : 0x0400_0000, order === 'little');
  return event(64, body, order);
};

describe('perf stream', () => {
  test.each<Order>(['little', 'big'])('counts samples and losses, %s-endian', (order) => {
    const reader = readPerfStream();
    const stream = joinBytes([
      header(order),
      attr(order),
      sample(order),
      event(2, u64([5n, 7n, 0n], order), order),
      sample(order),
      event(13, u64([3n], order), order),
      event(68, new Uint8Array(), order),
    ]);
    expect(joinBytes([reader.push(stream), reader.finish()])).toEqual(stream);
    expect(reader.counts).toEqual({ bytes: stream.length, samples: 2, lost: 10, lostRecords: 10 });
    expect(reader.attrs).toEqual([{ type: 1, config: 7n, excludesKernel: true }]);
    expect(reader.understood).toBe(true);
  });

  test('is the same for any chunks', () => {
    const stream = joinBytes([header(), attr(), sample(), sample(), event(2, u64([5n, 7n])), sample()]);
    for (let size = 1; size < stream.length; size += 3) {
      const reader = readPerfStream();
      const kept: Uint8Array[] = [];
      for (let at = 0; at < stream.length; at += size) kept.push(reader.push(stream.slice(at, at + size)).slice());
      expect(joinBytes([...kept, reader.finish()])).toEqual(stream);
      expect(reader.counts).toEqual({ bytes: stream.length, samples: 3, lost: 7, lostRecords: 7 });
    }
  });

  test.each<Order>(['little', 'big'])('counts what perf repeats at its end once, %s-endian', (order) => {
    // A real stream of perf 6.1 has LOST of 25, 42 … in all 331, and at its end LOST_SAMPLES of 331 without a time.
    const told = (count: bigint, time: bigint): Uint8Array => event(13, u64([count, 0n, time], order), order);
    const reader = readPerfStream();
    reader.push(joinBytes([header(order), sample(order), event(2, u64([5n, 300n], order), order)]));
    reader.push(joinBytes([event(2, u64([5n, 31n], order), order), told(331n, 0n)]));
    expect(reader.counts).toMatchObject({ lost: 331 });
    reader.push(joinBytes([told(9n, 0n), told(4n, 77n)]));
    expect(reader.counts).toMatchObject({ lost: 344 });
  });

  test('divides what was lost by the bytes of samples and of records of threads', () => {
    const task = (type: number, time: bigint): Uint8Array => event(type, u64([1n, 1n, time]));
    const reader = readPerfStream();
    reader.push(joinBytes([header(), task(7, 0n), event(2, u64([5n, 100n]))]));
    expect(reader.counts).toMatchObject({ lost: 100, lostRecords: 100 });
    // 32 bytes each.
    reader.push(joinBytes([task(7, 8n), task(4, 9n), task(7, 9n), sample()]));
    expect(reader.counts).toMatchObject({ lost: 25, lostRecords: 100 });
  });

  test('knows the processes that were started during the recording and have not ended', () => {
    const task = (type: number, pid: number, parent: number, tid = pid): Uint8Array =>
      event(type, new Uint8Array(new Uint32Array([pid, parent, tid, parent, 0, 0]).buffer));
    const reader = readPerfStream();
    reader.push(joinBytes([header(), task(7, 20, 10), task(7, 10, 10, 11), task(7, 30, 20), task(7, 40, 20)]));
    expect([...reader.children]).toEqual([20, 30, 40]);
    reader.push(joinBytes([task(4, 30, 20, 31), task(4, 40, 20)]));
    expect([...reader.children]).toEqual([20, 30]);
  });

  test('keeps whole events, and the rest at the end', () => {
    const reader = readPerfStream();
    const whole = joinBytes([header(), sample()]);
    expect(reader.push(joinBytes([whole, sample().subarray(0, 10)])).slice()).toEqual(whole);
    expect(reader.finish()).toEqual(sample().subarray(0, 10));
    expect(reader.counts.samples).toBe(1);
  });

  test('skips the bytes that follow trace headers and AUX data', () => {
    const trace = event(66, new Uint8Array([16, 0, 0, 0]));
    const aux = event(71, u64([24n, 0n, 0n, 0n, 0n]));
    const noise = new Uint8Array(24).fill(0xff);
    const reader = readPerfStream();
    reader.push(joinBytes([header(), trace, noise.subarray(0, 16), sample(), aux, noise, sample()]));
    expect(reader.counts.samples).toBe(2);
    expect(reader.understood).toBe(true);
  });

  test.each([
    ['anything but a perf stream', new TextEncoder().encode('perf: command not found\n')],
    ['an event of size 0', joinBytes([header(), new Uint8Array(16)])],
  ])('%s is passed on unchanged', (_name, bytes) => {
    const reader = readPerfStream();
    expect(reader.push(bytes)).toEqual(bytes);
    expect(reader.push(sample())).toEqual(sample());
    expect(reader.understood).toBe(false);
    expect(reader.counts.samples).toBe(0);
  });

  test('overwrites secrets in the command line, and only there', () => {
    const commandLine = new TextEncoder().encode('perf\0--\0app\0--password=hunter2\0');
    const feature = event(80, joinBytes([u64([11n]), commandLine]));
    const other = event(80, joinBytes([u64([3n]), commandLine]));
    const stream = joinBytes([header(), feature, other, sample()]);
    const reader = readPerfStream(['--password=hunter2']);
    const kept: Uint8Array[] = [];
    for (let at = 0; at < stream.length; at += 7) kept.push(reader.push(stream.slice(at, at + 7)).slice());
    const text = new TextDecoder().decode(joinBytes(kept));
    expect(text.match(/hunter2/g)).toHaveLength(1);
    expect(text).toContain(`app\0${'*'.repeat(18)}\0`);
    expect(joinBytes(kept).length).toBe(stream.length);
  });
});
