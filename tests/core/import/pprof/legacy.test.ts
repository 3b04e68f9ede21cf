import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import { ImportFailure } from '#core/model/failure.ts';
import { FunctionKind, type Profile } from '#core/model/profile.ts';
import { byteSource } from '../../../support/byte-source.ts';
import { checkImport } from '../../../support/check-import.ts';
import { encodeCpuProfile } from '../../../support/encode/pprof-legacy.ts';
import { parseRaw } from '../../../support/pprof-raw.ts';
import { namesRootFirst, rollUp } from '../../../support/profile-rollup.ts';

const FIXTURES = join(import.meta.dirname, '../../../fixtures/import/pprof-legacy');
const BINARY = ['cpu-32-big.prof', 'cpu-32-little.prof', 'cpu-64-big.prof', 'cpu-64-little.prof', 'java-cpu.prof'];
const GO = ['go-heap.txt', 'goroutine.txt', 'mutex.txt', 'threadcreate.txt'];
const NATIVE = ['contentionz.txt', 'gperftools.heap', 'growth.heap', 'tcmalloc.heap', 'threadz.txt'];
const JAVA = ['java.contention', 'java.heap'];
const JEMALLOC = 'jemalloc.heap';

for (const name of BINARY) checkImport({ path: `pprof-legacy/${name}`, format: 'pprof-legacy', isText: false });
for (const name of [...GO, ...NATIVE, ...JAVA, JEMALLOC]) {
  checkImport({ path: `pprof-legacy/${name}`, format: 'pprof-legacy', isText: true });
}

const read = (input: string | Uint8Array): Promise<Profile> => importProfile(byteSource(input));
const readFixture = (name: string): Promise<Profile> => read(readFileSync(join(FIXTURES, name)));
const codes = ({ diagnostics }: Profile): string[] => diagnostics.map(({ code }) => code);

describe.each([...BINARY, ...GO, ...NATIVE, ...JAVA])('%s', (name) => {
  it('has the values of pprof -raw, and its addresses except those that Go names and pprof drops', async () => {
    const raw = readFileSync(join(FIXTURES, `${name}.pprof-raw.txt`), 'utf8');
    const expected = parseRaw(raw).map((sample) => sample.split('\n'));
    // pprof counts both threads as one sample.
    if (name === 'threadz.txt') expected.splice(1, 1, ...[1, 2].map(() => ['1', ...expected[1]!.slice(1)]));
    const profile = await readFixture(name);
    expect(profile.samples.length).toBe(expected.length);
    expected.forEach(([values, ...frames], row) => {
      expect(profile.samples.weights.map((column) => column[row]).join(' ')).toBe(values);
      const ours = framesLeafFirst(profile, row);
      expect(ours).toEqual(frames.map(addressOf).slice(frames.length - ours.length));
    });
  });
});

/** Returns addresses, or names if the format has no addresses. */
function framesLeafFirst({ samples, stacks, frames, functions, strings }: Profile, sample: number): string[] {
  const found: string[] = [];
  for (let stack = samples.stack[sample]!; stack >= 0; stack = stacks.parent[stack]!) {
    const frame = stacks.frame[stack]!;
    found.push(
      frames.address === null
        ? strings[functions.name[frames.func[frame]!]!]!
        : `0x${frames.address[frame]!.toString(16)}`,
    );
  }
  return found;
}

/** Returns the address in a line of `-raw`, which ends in `file:line s=start` if it has a name. */
function addressOf(line: string): string {
  const [address = '', name] = line.split(/ (?=\S)/);
  if (address === '0x0') return name ?? '[unknown]';
  return address === `0x${'f'.repeat(16)}` ? '[unknown]' : address;
}

describe('binary CPU profiles', () => {
  const cpu = (samples: { count: number; addresses: number[] }[], text = ''): Uint8Array =>
    encodeCpuProfile({ periodMicroseconds: 10_000, samples, text }, { bytesEach: 8, isLittleEndian: true });
  const two = [
    { count: 1, addresses: [1, 2, 3] },
    { count: 2, addresses: [4, 5, 6] },
  ];

  it('are the same in words of 4 and 8 bytes, in either byte order', async () => {
    const [first, ...others] = await Promise.all(BINARY.slice(0, 4).map(readFixture));
    for (const other of others)
      expect({ ...other, metadata: { ...other.metadata, fileName: '' } }).toEqual({
        ...first,
        metadata: { ...first!.metadata, fileName: '' },
      });
  });

  it('name code after its binary, even if a memory map has variables and log lines', async () => {
    const profile = await readFixture('cpu-64-little.prof');
    expect([...rollUp(profile, 0).total.keys()].toSorted()).toEqual(['0x9999', '[libm with blanks.so.6]', '[server]']);
  });

  it('are read without an end, with a diagnostic', async () => {
    const whole = cpu(two);
    const profile = await read(whole.subarray(0, whole.length - 3 * 8));
    expect(profile.samples.length).toBe(2);
    expect(profile.diagnostics[0]).toMatchObject({ code: 'truncated-input', first: { byte: 15 * 8 } });
  });

  it('are refused with an impossible depth, with the byte', async () => {
    const damaged = cpu(two);
    new DataView(damaged.buffer, damaged.byteOffset).setBigUint64(11 * 8, 2n ** 40n, true);
    await expect(read(damaged)).rejects.toMatchObject({ failure: 'malformed', location: { byte: 80 } });
  });

  it('report that counts beyond 2^53 are rounded', async () => {
    const big = cpu(two);
    new DataView(big.buffer, big.byteOffset).setBigUint64(5 * 8, 2n ** 53n + 1n, true);
    expect(codes(await read(big))).toContain('inexact-weight');
  });

  it('are refused if two follow one another', async () => {
    const first = cpu(two, '00400000-00402000 r-xp 00000000 fe:00 1531 /srv/app\n');
    await expect(read(Buffer.concat([first, first]))).rejects.toMatchObject({
      failure: 'malformed',
      message: expect.stringContaining('two profiles'),
    });
  });

  it('report unknown lines after the samples', async () => {
    expect(codes(await read(cpu(two, 'hello world\n')))).toContain('skipped-line');
  });
});

describe('profiles of Go as text', () => {
  it('have the names, files and lines that Go writes', async () => {
    const profile = await readFixture('go-heap.txt');
    const stacks = Array.from(profile.samples.stack, (stack) => namesRootFirst(profile, stack).join(';'));
    expect(stacks.at(-1)).toBe('runtime.goexit;runtime.main;main.main;main.fill');
    // All frames belong to the runtime, so no allocating function remains.
    expect(stacks[2]).toBe('runtime.goexit;runtime.main;runtime.gcenable;runtime.makechan;runtime.mallocgc');
    expect(profile.metadata.comments).toContain('Alloc = 8449136');
    expect(codes(profile)).toEqual(['pruned-frames']);
  });

  it('name frames that Go left out after the runtime', async () => {
    const profile = await readFixture('goroutine.txt');
    const { self, total } = rollUp(profile, 0);
    expect(self).toEqual(new Map([['[runtime]', 6]]));
    expect(total.get('main.wait')).toBe(5);
    expect(profile.diagnostics.at(-1)).toMatchObject({
      code: 'unresolved-frames',
      remedy: expect.stringContaining('debug=1'),
    });
  });

  it('have labels of any name', async () => {
    const { samples } = await readFixture('goroutine.txt');
    expect(samples.labelSets).toEqual([
      [
        { key: 'request', text: '/a;b' },
        { key: 'tenant', text: 'größe' },
        { key: '__proto__', text: '<b>' },
      ],
    ]);
  });

  it('report that names without a sample were skipped', async () => {
    const profile = await read('goroutine profile: total 1\n1 @ 0x10\n#\t0x99\tmain.f+0x1\tx.go:1\n');
    expect(profile.diagnostics[0]).toMatchObject({ code: 'skipped-name', first: { line: 3 } });
  });

  it('keep invalid labels as comments', async () => {
    const profile = await read('goroutine profile: total 1\n1 @ 0x10\n# labels: {broken\n# labels: {"a":[{}]}\n');
    expect(profile.metadata.comments).toEqual(['labels: {broken', 'labels: {"a":[{}]}']);
  });
});

describe('heap profiles', () => {
  it('of jemalloc sum up over threads to jeprof’s total', async () => {
    const profile = await readFixture(JEMALLOC);
    expect(profile.threads.length).toBe(2);
    const rate = 16_384;
    const expected = [
      [2830, 1_990_851],
      [6, 1470],
    ].map(([count, bytes]) => bytes! / (1 - Math.exp(-(bytes! / count!) / rate)));
    expect(profile.valueTypes[1]).toMatchObject({ type: 'alloc_space', unit: 'bytes' });
    expect(rollUp(profile, 1).sum).toBeCloseTo(expected[0]! + expected[1]!, 3);
  });

  it('of jemalloc keep the part that no listed thread has', async () => {
    const text = 'heap_v2/1\n@ 0x10\n  t*: 5: 80 [9: 144]\n  t1: 2: 32 [2: 32]\n@ 0x20\n  t*: 1: 16 [1: 16]\n';
    const { samples, threads, strings } = await read(text);
    expect(samples.weights.map((column) => [...column])).toEqual([
      [2, 7, 1],
      [32, 112, 16],
      [2, 3, 1],
      [32, 48, 16],
    ]);
    expect(Array.from(samples.thread, (row) => strings[threads.name[row]!])).toEqual(['thread 1', '', '']);
  });

  it('report missing samples if their first line states more', async () => {
    const profile = await read('heap profile: 3: 48 [3: 48] @ heapprofile\n1: 16 [1: 16] @ 0x10\n');
    expect(profile.diagnostics[0]).toMatchObject({ code: 'total-differs', first: { line: 1 } });
  });

  it('of an unknown kind are refused', async () => {
    await expect(read('heap profile: 3: 48 [3: 48] @ heap_v9/1\n')).rejects.toMatchObject({
      failure: 'unsupported',
      location: { line: 1 },
    });
  });

  it.each([
    ['heap profile: 3: 48\n', 1],
    ['heap profile: 1: 16 [1: 16] @ heapprofile\nhello\n', 2],
    ['heap profile: 1: 16 [1: 16] @ heapprofile\n0: 16 [1: 16] @ 0x10\n', 2],
    ['heap profile: 1: 16 [1: 16] @ heapprofile\n1: 16 [1: 16] @ 0x11112222333344445\n', 2],
    ['heap profile: 1: 16 [1: 16] @ heapprofile\n9223372036854775808: 16 [1: 16] @ 0x1\n', 2],
    ['goroutine profile: total 1\n1 @ main.main\n', 2],
    ['--- mutex:\ncycles/second=many\n', 2],
    ['--- heapz 1 ---\nformat = java\nresolution = bytes\n 12 0 @ 0x3\n', 4],
    ['--- threadz 1 ---\n--- Thread 12 (name: a/1) stack: ---\n nothing here\n', 3],
  ])('%j is malformed, at line %i', async (text, line) => {
    await expect(read(text)).rejects.toMatchObject({ failure: 'malformed', location: { line } });
  });
});

describe('text profiles', () => {
  it('are read without a truncated last line, with a diagnostic', async () => {
    const profile = await read('goroutine profile: total 2\n1 @ 0x10\n1 @ main');
    expect(profile.samples.length).toBe(1);
    expect(codes(profile)).toEqual(expect.arrayContaining(['truncated-input', 'total-differs']));
  });

  it('are refused if two follow one another', async () => {
    const heap = readFileSync(join(FIXTURES, 'tcmalloc.heap'), 'utf8');
    await expect(read(heap + heap)).rejects.toMatchObject({ failure: 'malformed', location: { line: 10 } });
    const mutex = readFileSync(join(FIXTURES, 'mutex.txt'), 'utf8');
    await expect(read(mutex + mutex)).rejects.toMatchObject({ failure: 'malformed', location: { line: 12 } });
  });

  it('of threads keep their names and ids', async () => {
    const { threads, strings } = await readFixture('threadz.txt');
    expect(Array.from(threads.name, (name, row) => `${strings[name]} ${threads.tid[row]}`)).toEqual([
      'main 14748',
      'worker 1 14751',
      'worker 2 14752',
    ]);
  });

  it('of Java may have lines that are not locations, which are counted', async () => {
    const java = readFileSync(join(FIXTURES, 'java.heap'), 'utf8');
    const profile = await read(`${java}hello\n`);
    expect(profile.diagnostics).toMatchObject([{ code: 'skipped-line', count: 1, first: { line: 11 } }]);
    await expect(read(java + java)).rejects.toMatchObject({ failure: 'malformed', location: { line: 11 } });
  });

  it('of Java have kinds of code', async () => {
    const { functions, strings } = await readFixture('java-cpu.prof');
    const kinds = new Map(Array.from(functions.kind, (kind, row) => [strings[functions.name[row]!], kind]));
    expect(kinds).toEqual(
      new Map([
        ['GC', FunctionKind.synthetic],
        ['org.example.Work.mix', FunctionKind.jit],
        ['org.example.Work.run', FunctionKind.jit],
        ['JVM_DoPrivileged', FunctionKind.user],
        ['STUB', FunctionKind.jit],
        ['[unknown]', FunctionKind.unresolved],
      ]),
    );
  });

  it('of a hundred thousand lines take no extra time', async () => {
    const sample = (row: number): string => `1: 16 [1: 16] @ 0x${row.toString(16)} 0x401101 0x401201\n`;
    const lines = Array.from({ length: 100_000 }, (_, row) => sample(row + 1)).join('');
    const maps = Array.from(
      { length: 20_000 },
      (_, row) => `${(row * 16).toString(16)}-${(row * 16 + 8).toString(16)}: /x${row}\n`,
    ).join('');
    const profile = await read(
      `heap profile: 100000: 1600000 [0: 0] @ heapprofile\n${lines}MAPPED_LIBRARIES:\n${maps}`,
    );
    expect(profile.samples.length).toBe(100_000);
  });

  it.each<[string, string]>([
    ['blanks in an attribute', `--- mutex:\na${' '.repeat(2e6)}b\n`],
    ['blanks in a memory map', `--- mutex:\nMAPPED_LIBRARIES:\n${'0'.repeat(2e6)}\n1-2 ${' '.repeat(2e6)}x\n`],
    ['digits', `goroutine profile: total 1\n1 @ 0x${'1'.repeat(2e6)}\n`],
    ['addresses of a thread', `--- threadz 1 ---\n--- Thread 1 (name: a/1) stack: ---\n${'0x1234 '.repeat(4e5)}\n`],
    [
      'names of one sample',
      `goroutine profile: total 1\n1 @${Array.from({ length: 5e4 }, (_, row) => ` 0x${(row + 9).toString(16)}`).join('')}\n${'#\t0x7\ta+0x1\tb:1\n'.repeat(5e4)}`,
    ],
    ['many addresses', `goroutine profile: total 1\n1 @${' 0x1234567'.repeat(2e5)} x\n`],
    ['a comment', `goroutine profile: total 1\n1 @ 0x1\n#\t0x0\t${'+0x1 a:1'.repeat(2e5)}\tx\n`],
    ['a location', `--- heapz 1 ---\nformat=java\nresolution=bytes\n 9 1 @ 0x3\n 0x3 ${' (a:1'.repeat(2e5)})\n`],
    [
      'nested attributes',
      `--- mutex:\nMAPPED_LIBRARIES:\na0=${'x'.repeat(999)}\n${Array.from({ length: 99 }, (_, row) => `a${row + 1}=$a${row}$a${row}\n`).join('')}`,
    ],
  ])('with endless %s take no extra time', async (_, text) => {
    const outcome = await read(text).catch((error: unknown) => error);
    expect(outcome instanceof ImportFailure || (outcome as Profile).samples.length <= 1).toBe(true);
  });
});
