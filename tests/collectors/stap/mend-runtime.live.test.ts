import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readScript } from '#collectors/read-script.ts';

const SCRIPT = ['interrupted-queries', 'mend-runtime']
  .map((name) => readScript(new URL(`../../../collectors/stap/${name}.sh`, import.meta.url)))
  .join('\n');
/** What the script reads and mends, as in SystemTap 4.8. */
const RUNTIME: Readonly<Record<string, string>> = {
  'stp_task_work.c': 'typeof(&task_work_cancel) x = kallsyms_lookup_name("task_work_cancel");\n',
  'linux/addr-map.c': '#if defined(user_addr_max)\n\t  && ((user_addr_max() - size) < addr)\n#endif\n',
  'transport/transport.c': 'kallsyms_lookup_name ("unregister_uprobe")\n',
  'linux/uprobes-inode.c': 'uprobe_register\n',
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'flamebench-mend-'));
  for (const [name, text] of Object.entries(RUNTIME)) {
    const file = path.join(folder, 'runtime', name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** `sh` stands for stap: only its path is read. The kernel of this name has no headers. */
function mend(): string {
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    XDG_CACHE_HOME: path.join(folder, 'cache'),
    SYSTEMTAP_RUNTIME: path.join(folder, 'runtime'),
  };
  const argv = ['-c', SCRIPT, 'flamebench', '/bin/sh', 'no-such-kernel'];
  return execFileSync('/bin/sh', argv, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

test('mends a copy as far as the kernel needs it, leaves the package alone, and keeps the copy', () => {
  const copy = mend();
  expect(path.dirname(copy)).toBe(path.join(folder, 'cache/flamebench'));
  expect(readFileSync(path.join(copy, 'linux/addr-map.c'), 'utf8')).toContain('(TASK_SIZE_MAX - size) < addr');
  expect(readFileSync(path.join(copy, 'stp_task_work.c'), 'utf8')).toBe(RUNTIME['stp_task_work.c']);
  for (const [name, text] of Object.entries(RUNTIME)) {
    expect(readFileSync(path.join(folder, 'runtime', name), 'utf8')).toBe(text);
  }
  expect(mend()).toBe(copy);
  expect(readdirSync(path.dirname(copy))).toEqual([path.basename(copy)]);
});

test('makes the copy anew when the package has changed', () => {
  const copy = mend();
  writeFileSync(path.join(folder, 'runtime/stp_task_work.c'), 'task_work_cancel_func\n');
  expect(mend()).not.toBe(copy);
});

test('deletes the empty files of an interrupted query, but not those of headers that never compile', () => {
  const cache = path.join(folder, '.systemtap/cache/1a');
  mkdirSync(cache, { recursive: true });
  const query = (name: string, header: string, object: string): void => {
    writeFileSync(path.join(cache, `tracequery_${name}.o`), object);
    writeFileSync(path.join(cache, `tracequery_${name}_hash.log`), `Guru mode 0\nHeader Path: ${header}\n`);
  };
  const objects = (): string[] =>
    readdirSync(cache)
      .filter((name) => name.endsWith('.o'))
      .toSorted();
  query('1_9', '/lib/modules/a/source/include/trace/events/sched.h', 'x');
  query('2_9', '/lib/modules/a/source/include/trace/events/afs.h', '');
  mend();
  expect(objects()).toEqual(['tracequery_1_9.o', 'tracequery_2_9.o']);
  query('3_9', '/lib/modules/b/source/include/trace/events/sched.h', '');
  writeFileSync(path.join(cache, 'stap_1.o'), '');
  mend();
  expect(objects()).toEqual(['stap_1.o', 'tracequery_1_9.o']);
});

test('refuses a runtime that it does not know, and leaves nothing', () => {
  writeFileSync(path.join(folder, 'runtime/linux/addr-map.c'), 'something else\n');
  expect(mend).toThrow(/mend: user_addr_max is used in an unknown way/);
  const kept = path.join(folder, 'cache/flamebench');
  expect(existsSync(kept) ? readdirSync(kept) : []).toEqual([]);
});
