import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { FAILURE_PAGES, failurePage, withFailurePage } from '#core/contract/failure-pages.ts';
import { commands } from '#app/cli/commands.ts';
import { root } from '../../scripts/run-command.ts';

const folder = path.join(root, 'docs/failures');
const names = globSync('*.md', { cwd: folder }).filter((name) => name !== 'README.md');

test('every row has a page, every page a row, and the list both', () => {
  const pages = new Set(Object.keys(FAILURE_PAGES));
  expect(new Set(names.map((name) => name.slice(0, -'.md'.length)))).toEqual(pages);
  const list = readFileSync(path.join(folder, 'README.md'), 'utf8');
  expect(new Set([...list.matchAll(/\]\(([\w-]+)\.md\): `([\w-]+)`$/gm)].map(([, file]) => file))).toEqual(pages);
  expect(pages.size).toBeGreaterThanOrEqual(20);
});

test.each(names)('%s says what, why, what to do and how to check, in 10 to 20 lines', (name) => {
  const text = readFileSync(path.join(folder, name), 'utf8');
  expect(text).toMatch(
    /^# .+\n\n\*\*Says:\*\* .+\n\n\*\*Why:\*\* .+\n\n\*\*What to do\*\*\n\n- [^]+\n\n\*\*Check:\*\* .+\n$/,
  );
  const lines = text.trimEnd().split('\n').length;
  expect(lines).toBeGreaterThanOrEqual(10);
  expect(lines).toBeLessThanOrEqual(20);
});

test('each code belongs to one page, and the code of the product has it', () => {
  const codes = Object.values(FAILURE_PAGES).flat();
  expect(new Set([...codes, ...Object.keys(FAILURE_PAGES)]).size).toBe(
    codes.length + Object.keys(FAILURE_PAGES).length,
  );
  const sources = globSync(['{app,collectors,core}/**/*.ts'], { cwd: root })
    .filter((file) => !file.endsWith('failure-pages.ts'))
    .map((file) => readFileSync(path.join(root, file), 'utf8'))
    .join('\n');
  expect(codes.filter((code) => !sources.includes(`'${code}'`))).toEqual([]);
});

test('no page has the name of a command, of which `flamebench help` prints the options', () => {
  const taken = commands.flatMap(({ name, alias }) => [name, alias ?? name]);
  expect(taken.filter((name) => failurePage(name) !== null)).toEqual([]);
});

test('a message names its page once, and one without a page stays as it is', () => {
  expect(withFailurePage('perf is missing', 'perf-missing')).toBe('perf is missing (more: flamebench help perf)');
  expect(withFailurePage('odd', 'constructor')).toBe('odd');
  expect(withFailurePage('odd', null)).toBe('odd');
});
