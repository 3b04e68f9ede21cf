import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { readConfigHosts, type ConfigHosts } from '#app/engine/targets/ssh-config-hosts.ts';

const folder = mkdtempSync(join(tmpdir(), 'ssh-config-'));
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(folder, 'home-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function read(files: Readonly<Record<string, string>>): Promise<ConfigHosts> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(home, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return readConfigHosts(join(home, '.ssh/config'), home);
}

const names = ({ hosts }: ConfigHosts): string[] => hosts.map(({ name }) => name);

test('offers what Host lines spell out, in their order', async () => {
  const config = `
# comment
Host web1 web2   # both
  HostName 10.0.0.7
host=db
  HostName = "db.example.com"
  HostName other
Host *.example.com !bad web?
  User ada
Host *
  Compression yes
HOST "last"\r
`;
  const found = await read({ '.ssh/config': config });
  expect(found).toEqual({
    hosts: [
      { id: 'ssh://web1', name: 'web1', hostName: '10.0.0.7' },
      { id: 'ssh://web2', name: 'web2', hostName: '10.0.0.7' },
      { id: 'ssh://db', name: 'db', hostName: 'db.example.com' },
      { id: 'ssh://last', name: 'last', hostName: null },
    ],
    notes: [],
  });
});

test('follows Include, relative, with ~ and with patterns, but never in cycles', async () => {
  const found = await read({
    '.ssh/config': 'Include conf.d/* ~/more\nHost here\nHost *\nInclude config missing\n',
    '.ssh/conf.d/b': 'Host b\n',
    '.ssh/conf.d/a': 'Host a\nInclude ../config\n',
    more: 'Host more\n',
  });
  expect(names(found)).toEqual(['a', 'b', 'more', 'here']);
});

test('patterns of Include match names as glob(3) does', async () => {
  const found = await read({
    '.ssh/config': 'Include conf.d/[a-b]?.conf conf.d/[!a-y]* c*.d/e+ conf.d/[ conf.d/[z-a]*\n',
    ...Object.fromEntries(
      ['a1.conf', 'b2xconf', 'c3.conf', 'zz', '.zz', 'e+', 'ee'].map((name) => [
        `.ssh/conf.d/${name}`,
        `Host ${name}\n`,
      ]),
    ),
  });
  expect(names(found)).toEqual(['a1.conf', 'zz', 'e+']);
  expect(found.notes).toEqual([]);
});

test('reports what it does not read', async () => {
  const found = await read({
    '.ssh/config': 'Match host x exec "touch /tmp/never"\nInclude a\nHostName y\nHost in\nInclude b\nHost no;de -x\n',
    '.ssh/a': 'Host a\n',
    '.ssh/b': 'Host b\n',
  });
  expect(names(found)).toEqual(['in']);
  expect(found.notes).toEqual([
    expect.stringMatching(/^~\/\.ssh\/config: Match blocks/),
    expect.stringMatching(/^~\/\.ssh\/config: an Include inside a block/),
    '~/.ssh/config: 2 hosts have names that can’t be used here',
  ]);
});

test('offers nothing for a missing, unreadable or huge file', async () => {
  expect(await readConfigHosts(join(home, 'none'), home)).toEqual({ hosts: [], notes: [] });
  expect((await readConfigHosts(home, home)).notes).toEqual([expect.stringContaining('can’t be read')]);
  expect((await read({ '.ssh/config': `${'#'.repeat(1 << 20)}\nHost a\n` })).notes).toEqual([
    expect.stringContaining('1 MiB'),
  ]);
});

test('treats property names of objects as ordinary names', async () => {
  expect(names(await read({ '.ssh/config': 'Host __proto__ constructor\n' }))).toEqual(['__proto__', 'constructor']);
});
