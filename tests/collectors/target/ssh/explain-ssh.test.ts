import { expect, test } from 'vitest';
import { explainFailure } from '#collectors/target/ssh/explain-ssh.ts';

test.each([
  ['Received disconnect from 10.0.0.1 port 22:2: Too many authentication failures', /too many keys were offered/],
  ['ada@web1: Permission denied (publickey,keyboard-interactive).', /\(it accepts: publickey, keyboard-interactive\)$/],
  ['ada@web1: Permission denied.', /^web1 refused the login$/],
  ['ssh: connect to host web1 port 22: Connection timed out', /^web1 can't be reached: connection timed out$/],
  ['ssh: connect to host web1 port 22: No route to host', /^web1 can't be reached: no route to host$/],
  ['kex_exchange_identification: Connection closed by remote host', /closed the connection before the login/],
  [
    '/home/ada/.ssh/config: line 3: Bad configuration option: foo',
    /can't use its configuration: Bad configuration option: foo$/,
  ],
  ['unix_listener: path "/tmp/x" too long for Unix domain socket', /could not make the control socket/],
  ['something that nobody has seen before', /^ssh to web1: something that nobody has seen before$/],
])('explains: %s', (line, message) => {
  const explained = explainFailure('web1', ['Warning: before', line], 255);
  expect(explained.message).toMatch(message);
});

test('states the code if ssh printed nothing', () => {
  expect(explainFailure('web1', [], 3)).toEqual({ message: 'ssh to web1 ended with 3', remedy: null });
});
