import { afterAll, expect, test } from 'vitest';
import { createLocalTarget } from '#collectors/target/local.ts';
import { readTogether, splitFiles } from '#collectors/target/process-details.ts';

const target = createLocalTarget();
afterAll(() => target.dispose());

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const split = (text: string, ...paths: string[]): [string, string][] | null => {
  const files = splitFiles(bytes(text), paths);
  return files && [...files].map(([path, content]) => [path, new TextDecoder().decode(content)]);
};

test('separates files, even if one is empty, ends without a line end, or is missing', () => {
  const printed =
    '==> /proc/1/cmdline <==\n/sbin/init\0\n==> /proc/2/cmdline <==\n\n==> /proc/4/status <==\nName:\tx\n';
  expect(split(printed, '/proc/1/cmdline', '/proc/2/cmdline', '/proc/3/cmdline', '/proc/4/status')).toEqual([
    ['/proc/1/cmdline', '/sbin/init\0'],
    ['/proc/2/cmdline', ''],
    ['/proc/4/status', 'Name:\tx\n'],
  ]);
  expect(split('')).toEqual([]);
});

test.each([
  ['==> /proc/1/cmdline <==\nx\n==> /proc/1/cmdline <==\ny\n==> /proc/2/cmdline <==\nz'],
  ['==> /proc/1/cmdline <==\nx\n==> /proc/2/cmdline <==\ny\n==> /proc/2/cmdline <==\nz'],
  ['==> /proc/2/cmdline <==\nx\n==> /proc/1/cmdline <==\ny'],
  ['==> /proc/9/cmdline <==\nx\n==> /proc/1/cmdline <==\ny'],
  ['head: invalid option -- v'],
  [''],
])('does not trust %j', (printed) => {
  expect(split(printed, '/proc/1/cmdline', '/proc/2/cmdline')).toBeNull();
});

test('reads the same with one command as with many', async () => {
  const paths = ['limits', 'cmdline', 'no-such', 'cgroup'].map((file) => `/proc/${process.pid}/${file}`);
  const host = { ...target, kind: 'ssh' } as const;
  const [limits, cmdline, missing, cgroup] = await readTogether(host, paths, 64);
  const one = await target.readRanges(paths.map((path) => ({ path, offset: 0, length: 64 })));
  expect([limits?.length, missing]).toEqual([64, null]);
  expect([Buffer.from(cmdline!), Buffer.from(cgroup!)]).toEqual([Buffer.from(one[1]!), Buffer.from(one[3]!)]);
  const stuck = { ...host, run: () => Promise.reject(new Error('no head here')) };
  expect(await readTogether(stuck, paths, 64)).toEqual(one);
  expect(await readTogether({ ...stuck, kind: 'local' }, paths, 64)).toEqual(one);
});
