import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkedOutCommit, workingFolderOf } from '#app/engine/recording/checked-out-commit.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'flamebench-commit-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const IDENTITY = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false'];
const git = (at: string, ...words: string[]): string =>
  execFileSync('git', [...IDENTITY, ...words], {
    cwd: at,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
  }).trim();

function repository(): { at: string; commit: string } {
  const at = path.join(folder, 'repository');
  mkdirSync(path.join(at, 'src/deep'), { recursive: true });
  git(at, 'init', '-q', '-b', 'main');
  git(at, 'commit', '-q', '--allow-empty', '-m', 'one');
  return { at, commit: git(at, 'rev-parse', 'HEAD') };
}

test('finds what git rev-parse finds: in folders below, packed, detached, and in a worktree', async () => {
  const { at, commit } = repository();
  expect(await checkedOutCommit(path.join(at, 'src/deep'))).toBe(commit);
  git(at, 'pack-refs', '--all');
  expect(await checkedOutCommit(at)).toBe(commit);
  git(at, 'worktree', 'add', '-q', '-b', 'other/branch', path.join(folder, 'tree'));
  const tree = path.join(folder, 'tree');
  git(tree, 'commit', '-q', '--allow-empty', '-m', 'two');
  expect(await checkedOutCommit(tree)).toBe(git(tree, 'rev-parse', 'HEAD'));
  expect(await checkedOutCommit(at)).toBe(commit);
  git(at, 'checkout', '-q', '--detach', 'HEAD');
  expect(await checkedOutCommit(at)).toBe(commit);
});

test.each([
  ['a reference outside of the repository', 'ref: refs/../../../secret\n'],
  ['a reference that is no reference', 'ref: /etc/passwd\n'],
  ['something else', 'a'.repeat(100)],
  ['nothing', ''],
])('is unknown if HEAD is %s', async (_, head) => {
  const at = path.join(folder, 'made');
  mkdirSync(path.join(at, '.git'), { recursive: true });
  writeFileSync(path.join(folder, 'secret'), 'b'.repeat(40));
  writeFileSync(path.join(at, '.git/HEAD'), head);
  expect(await checkedOutCommit(at)).toBeNull();
});

test('is unknown outside of a checkout, and before the first commit', async () => {
  expect(await checkedOutCommit(folder)).toBeNull();
  expect(await checkedOutCommit('relative')).toBeNull();
  const empty = path.join(folder, 'empty');
  mkdirSync(empty);
  git(empty, 'init', '-q', '-b', 'main');
  expect(await checkedOutCommit(empty)).toBeNull();
});

test('the folder of a process is known, unless it has gone', async () => {
  expect(await workingFolderOf(process.pid)).toBe(process.cwd());
  expect(await workingFolderOf(0x7fffffff)).toBeNull();
});
