import { expect, test } from 'vitest';
import { targetIdSchema } from '#core/contract/schemas.ts';
import { formatTargetId, parseTargetId, TargetIdFailure } from '#core/contract/target-id.ts';

test.each([
  ['local', { kind: 'local' }],
  ['ssh://web1', { kind: 'ssh', user: null, host: 'web1', port: null }],
  ['ssh://ada@web1.example.com:2222', { kind: 'ssh', user: 'ada', host: 'web1.example.com', port: 2222 }],
  ['ssh://ada%40corp@web1', { kind: 'ssh', user: 'ada@corp', host: 'web1', port: null }],
  ['ssh://[fe80::1%eth0]:22', { kind: 'ssh', user: null, host: 'fe80::1%eth0', port: 22 }],
  ['ssh://größe', { kind: 'ssh', user: null, host: 'größe', port: null }],
])('parses %s and writes it unchanged', (text, address) => {
  expect(parseTargetId(text)).toEqual(address);
  expect(formatTargetId(parseTargetId(text))).toBe(text);
  expect(targetIdSchema.safeParse(text).success).toBe(true);
});

test.each([
  ['SSH://web1', 'ssh://web1'],
  ['ssh://web1/', 'ssh://web1'],
  ['ssh://web1:0022', 'ssh://web1:22'],
  ['ssh://ada@corp@web1', 'ssh://ada%40corp@web1'],
])('%s has the canonical text %s, which is the only one used', (text, canonical) => {
  expect(formatTargetId(parseTargetId(text))).toBe(canonical);
  expect(targetIdSchema.safeParse(text).success).toBe(false);
});

test.each([
  '',
  'Local',
  'web1',
  'http://web1',
  'ssh:web1',
  'ssh://',
  'ssh://@web1',
  'ssh://-oProxyCommand=touch',
  'ssh://ada@-web1',
  'ssh://-l@web1',
  'ssh://%2DoProxyCommand=x@web1',
  'ssh://web1/etc',
  'ssh://web 1',
  'ssh://web1\n',
  'ssh://web1\u0000',
  'ssh://web1\u202e',
  'ssh://web1;id',
  'ssh://$(id)',
  'ssh://`id`@web1',
  "ssh://a'b@web1",
  'ssh://web*',
  'ssh://a\\@web1',
  'ssh://%@web1',
  'ssh://ada:secret@web1',
  'ssh://web1:0',
  'ssh://web1:65536',
  'ssh://web1:22x',
  'ssh://web1:',
  'ssh://[web1]',
  'ssh://[::1',
  `ssh://${'x'.repeat(500)}`,
])('refuses %j in one line', (text) => {
  const parse = (): unknown => parseTargetId(text);
  expect(parse).toThrow(TargetIdFailure);
  expect(parse).toThrow(/^[^\n\u001b\u202e]+$/u);
  expect(targetIdSchema.safeParse(text).success).toBe(false);
});

test('does not repeat a password', () => {
  for (const text of ['ssh://ada:secret@web1', 'ssh://ada:secret@web1/x', 'http://ada:secret@web1']) {
    expect(() => parseTargetId(text)).toThrow(/^(?!.*secret)/);
  }
});
