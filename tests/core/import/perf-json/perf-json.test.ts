import { expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import { byteSource } from '../../../support/byte-source.ts';
import { checkImport } from '../../../support/check-import.ts';

// perf 6.1: `perf record -e cpu-clock -g -- /bin/ls`, then `perf data convert --to-json`; 7 samples, as `perf script` prints.
checkImport({ path: 'perf-json/ls.perf.json', format: 'perf-json', isText: true });

const read = (samples: unknown, version = 1) =>
  importProfile(byteSource(JSON.stringify({ 'linux-perf-json-version': version, samples })));

it('distinguishes the kernel, its modules and areas of processes', async () => {
  const callchain = ['[kernel.kallsyms]', '[ext4]', '[vdso]', 'app'].map((dso) => ({ ip: '0x1', symbol: dso, dso }));
  const { functions } = await read([{ timestamp: 1, pid: 1, tid: 1, comm: 'a', callchain }]);
  expect(Array.from(functions.kind)).toEqual([2, 2, 1, 1]);
});

it.each([
  [[{ pid: 1, tid: 1 }], /samples\[0\]\.timestamp is not a number/],
  [[{ timestamp: 1, pid: 1.5, tid: 1 }], /samples\[0\]\.pid is 1\.5/],
  [[{ timestamp: 1, callchain: [{ ip: 'x' }] }], /an address of samples\[0\] is not 0x/],
  [{}, /samples is not an array/],
])('refuses %j', async (samples, message) => {
  await expect(read(samples)).rejects.toMatchObject({ failure: 'malformed', message: expect.stringMatching(message) });
});

it('reports a newer version', async () => {
  const { diagnostics } = await read([{ timestamp: 1, callchain: [] }], 2);
  expect(diagnostics.map(({ code }) => code)).toContain('newer-format');
});
