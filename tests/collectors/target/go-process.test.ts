import { expect, test } from 'vitest';
import { defaultMaxProcs, parseBuildInfo, parseMaxProcs } from '#collectors/target/go-process.ts';

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
const header = (flags: number): string => `\xff Go buildinf:\x08${String.fromCharCode(flags)}${'\0'.repeat(16)}`;
const text = (content: string): string => String.fromCharCode(content.length) + content;

test('the version and the main package are read from build information', () => {
  const info = text(`${'\x01'.repeat(16)}path\texample.com/api\nmod\texample.com/api\t(devel)\n`);
  expect(parseBuildInfo(bytes(header(2) + text('go1.26.8') + info))).toEqual({
    version: 'go1.26.8',
    path: 'example.com/api',
    followsGroups: true,
  });
  expect(parseBuildInfo(bytes(header(2) + text('go1.26.8')))).toEqual({
    version: 'go1.26.8',
    path: null,
    followsGroups: true,
  });
  const older = text('path\tapi\nbuild\tDefaultGODEBUG=containermaxprocs=0,x=1\n');
  expect(parseBuildInfo(bytes(header(2) + text('go1.26.8') + older))?.followsGroups).toBe(false);
  expect(parseBuildInfo(bytes(header(2) + text('go1.24')))?.followsGroups).toBe(false);
});

test.each([
  ['of Go before 1.18, which has pointers', header(0) + text('go1.17')],
  ['that is truncated', `${header(2)}\x20go1.26`],
  ['with an endless length', header(2) + '\xff'.repeat(20)],
  ['of another format', 'x'.repeat(100)],
  ['that is empty', ''],
])('build information %s states nothing', (_, content) => {
  expect(parseBuildInfo(bytes(content))).toBeNull();
});

test('GOMAXPROCS is read only from its own variable, as an integer', () => {
  expect(parseMaxProcs(bytes('HOME=/\0GOMAXPROCS=4\0'))).toBe(4);
  expect(parseMaxProcs(bytes('MY_GOMAXPROCS=4\0GOMAXPROCS=many\0'))).toBeNull();
  expect(parseMaxProcs(null)).toBeNull();
});

test.each([
  ['Name:\tapi\nCpus_allowed_list:\t0-3,8\n', null, 5],
  ['Cpus_allowed_list:\t0-7\n', 2.5, 3],
  ['Cpus_allowed_list:\t0-7\n', 0.5, 2],
  ['Cpus_allowed_list:\t0\n', 4, 1],
  ['Cpus_allowed_list:\tx\n', 4, null],
  ['Cpus_allowed_list:\t9-2\n', null, null],
  [null, null, null],
])('by default it is the CPUs of %j within a limit of %j: %j', (status, limit, expected) => {
  expect(defaultMaxProcs(status, limit)).toBe(expected);
});
