import { expect, test } from 'vitest';
import { readInspectOptions } from '#collectors/node/inspect-options.ts';

test.each([
  [['node', 'a.js'], '', { port: 9229, foreignHost: null }],
  [['node', '--inspect-port=9333', 'a.js'], '', { port: 9333, foreignHost: null }],
  [['node', '--inspect-port', '9333', 'a.js'], '', { port: 9333, foreignHost: null }],
  [['node', '--debug-port=127.0.0.1:0'], '', { port: 0, foreignHost: null }],
  [['node', '--inspect=[::1]:9400'], '', { port: 9400, foreignHost: null }],
  [['node', '--inspect=localhost'], '', { port: 9229, foreignHost: null }],
  [['node', '--inspect=0.0.0.0:9333'], '', { port: 9333, foreignHost: '0.0.0.0' }],
  [['node', '--inspect-wait=[::]:9333'], '', { port: 9333, foreignHost: '[::]' }],
  [['node', '--inspect-port', 'host.example'], '', { port: 9229, foreignHost: 'host.example' }],
  [['node'], '--max-old-space-size=9 --inspect-port=10.0.0.1:1', { port: 1, foreignHost: '10.0.0.1' }],
  [['node', '--inspect-port=127.0.0.1:2'], '--inspect-port=10.0.0.1:1', { port: 2, foreignHost: null }],
])('%j with NODE_OPTIONS=%j', (argv, nodeOptions, expected) => {
  expect(readInspectOptions(argv, nodeOptions)).toEqual({ ...expected, isSignalDisabled: false });
});

test('reads --disable-sigusr1 in either place', () => {
  expect(readInspectOptions(['node', '--disable-sigusr1'], '')).toMatchObject({ isSignalDisabled: true });
  expect(readInspectOptions(['node'], '--disable-sigusr1')).toMatchObject({ isSignalDisabled: true });
});
