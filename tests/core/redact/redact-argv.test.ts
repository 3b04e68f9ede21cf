import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import { REDACTED, redactArgv, redactCommandLine, shellWords } from '#core/redact/redact-argv.ts';
import { HARMLESS_LINES, SECRET_FORMS } from './secret-forms.ts';

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
])('redacts the secrets, and only those, in: %s', (argv, expected) => {
  expect(redactArgv(argv.split(' ')).join(' ')).toBe(expected);
});

test('removes header values and keeps names', () => {
  expect(redactArgv(['curl', '-H', 'Authorization: Bearer abc', '-H', 'odd'])).toEqual([
    'curl',
    '-H',
    'Authorization: ‹redacted›',
    '-H',
    'odd',
  ]);
});

test.each(SECRET_FORMS.map(([argv, secret = 'hunter2']) => [argv.join(' '), argv, secret] as const))(
  'removes the secret: %s',
  (_, argv, secret) => {
    const redacted = redactArgv(argv);
    expect(redacted).toHaveLength(argv.length);
    expect(redacted.join(' ')).not.toContain(secret);
    expect(redacted.join(' ')).toContain(REDACTED);
    expect(redacted[0]).toBe(argv[0]);
    expect(redactArgv(redacted)).toEqual(redacted);
    expect(argv.filter((argument, at) => argument !== redacted[at]).join(' ')).toContain(secret);
    expect(redactCommandLine(quoteArgv(argv))).not.toContain(secret);
  },
);

test.each(HARMLESS_LINES)('keeps harmless: %s', (line) => {
  const argv = shellWords(line).map(({ text }) => text);
  expect(redactArgv(argv)).toEqual(argv);
  expect(redactCommandLine(line)).toBe(line);
  expect(redactArgv(['sh', '-c', line])).toEqual(['sh', '-c', line]);
  expect(redactArgv([line])).toEqual([line]);
});

test('covers as many forms as promised', () => {
  expect(SECRET_FORMS.length).toBeGreaterThanOrEqual(84);
  expect(new Set(HARMLESS_LINES).size).toBeGreaterThanOrEqual(100);
});

test('keeps everything that is not secret', () => {
  const redact = (...argv: string[]): string => redactArgv(argv).join(' ');
  expect(redact('curl', '-sSu', 'user:pw', 'https://h/')).toBe('curl -sSu user:‹redacted› https://h/');
  expect(redact('docker', 'run', '-eAPI_KEY=pw', 'image')).toBe('docker run -eAPI_KEY=‹redacted› image');
  expect(redact('java', '-Da.password=pw', '-Dport=1')).toBe('java -Da.password=‹redacted› -Dport=1');
  expect(redact('sh', '-c', "cd /srv; curl -u a:'p w' h | sort -u")).toBe(
    "sh -c cd /srv; curl -u 'a:‹redacted›' h | sort -u",
  );
  expect(redact('mount', '-o', 'user=u,password=p,uid=1')).toBe('mount -o user=u,password=‹redacted›');
  expect(redact('sqlplus', 'scott/pw@db')).toBe('sqlplus scott/‹redacted›@db');
});

test.each([
  'a',
  'a=',
  'a=b,',
  '"',
  "'",
  'https://',
  'eyJa.',
  '-----BEGIN PRIVATE KEY-----',
  ' -u a:b',
  '\\',
  '@',
  'a:',
  'send "',
  'echo a ',
  'send {',
  'user=a%',
  "identified by '",
  'user ',
  '=a:',
  '--a:',
])('reads a long argument of %s to its end', (unit) => {
  const argv = ['sh', '-c', `${unit.repeat(65_536 / unit.length)} --password=hunter2`, '--password=hunter2'];
  expect(redactArgv(argv).at(-1)).toBe('--password=‹redacted›');
});

test('keeps the length of any argv, and recognises what a command line shows', () => {
  const word = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '-u',
      '-p',
      '-H',
      '--password',
      'curl',
      'mysql',
      'sh',
      '-c',
      'a:b',
      'x=y',
      "'",
      '"',
      '\\',
      '\u001b',
      ';',
      '|',
    ),
  );
  fc.assert(
    fc.property(fc.array(word), (argv) => {
      expect(redactArgv(argv)).toHaveLength(argv.length);
      expect(redactArgv([...argv, ';', 'tool', '--password=hunter2']).at(-1)).not.toContain('hunter2');
      expect(redactCommandLine(argv.join(' '))).toEqual(expect.any(String));
    }),
  );
});
