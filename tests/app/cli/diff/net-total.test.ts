import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callCli } from '../../../support/call-cli.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'flamebench-net-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('prints the net and the absolute total of negative weights', async () => {
  const [freed, grown] = ['freed.folded', 'grown.folded'].map((name) => join(folder, name)) as [string, string];
  writeFileSync(freed, 'main;work 10\nmain;free -4\n');
  writeFileSync(grown, 'main;work 100\n');
  const { stdout } = await callCli(['diff', freed, grown, '--normalize', 'raw']);
  expect(stdout).toMatch(/^before +1 capture, 6 net, 14 absolute: freed\.folded$/m);
  expect(stdout).toMatch(/^after +1 capture, 100: grown\.folded$/m);
  const json = await callCli(['diff', freed, grown, '--normalize', 'raw', '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject({
    before: { total: 6, absolute: 14 },
    after: { total: 100, absolute: 100 },
  });
});
