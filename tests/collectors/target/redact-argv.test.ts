import { expect, test } from 'vitest';
import { redactArgv } from '#collectors/target/redact-argv.ts';

test.each([
  ['server --password=hunter2 -v', 'server --password=‹redacted› -v'],
  ['server --password hunter2 -v', 'server --password ‹redacted› -v'],
  ['server --password --verbose', 'server --password --verbose'],
  [
    'server --db-passwd=x --api-key=y --API_TOKEN=z',
    'server --db-passwd=‹redacted› --api-key=‹redacted› --API_TOKEN=‹redacted›',
  ],
  [
    'env SECRET_KEY=abc AWS_SECRET_ACCESS_KEY=d PORT=80 server',
    'env SECRET_KEY=‹redacted› AWS_SECRET_ACCESS_KEY=‹redacted› PORT=80 server',
  ],
  ['app postgres://me:pw@db/x', 'app postgres://‹redacted›@db/x'],
  ['app --url=https://tok@host/p', 'app --url=https://‹redacted›@host/p'],
  ['curl http://host/a@b?token=abc&x=1', 'curl http://host/a@b?token=‹redacted›&x=1'],
  ['curl -u me:pw --header=Authorization:x', 'curl -u me:‹redacted› --header=Authorization: ‹redacted›'],
  ['ssh -i /home/me/.ssh/id_ed25519 host', 'ssh -i ‹redacted› host'],
  ['grep -i word file', 'grep -i word file'],
  ['nginx --key /etc/tls/site', 'nginx --key ‹redacted›'],
  ['/usr/bin/mysql -uroot -psecret db', '/usr/bin/mysql -uroot -p‹redacted› db'],
  ['sshpass -p pw ssh host', 'sshpass -p ‹redacted› ssh host'],
  ['redis-cli -a pw get x', 'redis-cli -a ‹redacted› get x'],
  ['server -p 8080 --token-count=3 --author=me', 'server -p 8080 --token-count=3 --author=me'],
])('%s', (argv, expected) => {
  expect(redactArgv(argv.split(' ')).join(' ')).toBe(expected);
});

test('header values go, names stay', () => {
  expect(redactArgv(['curl', '-H', 'Authorization: Bearer abc', '-H', 'odd'])).toEqual([
    'curl',
    '-H',
    'Authorization: ‹redacted›',
    '-H',
    'odd',
  ]);
});
