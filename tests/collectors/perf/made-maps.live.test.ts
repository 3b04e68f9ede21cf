import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createHeldCode } from '#collectors/perf/held-code.ts';
import { createLocalTarget } from '#collectors/target/local.ts';

const folder = mkdtempSync(join(tmpdir(), 'made-maps-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A jitdump file with one function, `f` at 0x1000. */
function dump(): Uint8Array {
  const bytes = Buffer.alloc(40 + 56 + 2 + 1);
  [0x4a695444, 1, 40].forEach((field, at) => bytes.writeUInt32LE(field, at * 4));
  bytes.writeUInt32LE(bytes.length - 40, 44);
  [0x1000n, 0x1000n, 1n, 1n].forEach((field, at) => bytes.writeBigUInt64LE(field, 64 + at * 8));
  bytes.write('f\0', 96);
  return bytes;
}

const OTHER = '1000 1 of the program\n';

test.each([
  ['deleted', () => {}, null],
  [
    'left if the program replaced it',
    (map: string) => {
      writeFileSync(join(folder, 'own.map'), OTHER);
      renameSync(join(folder, 'own.map'), map);
    },
    OTHER,
  ],
  ['left if the program wrote into it', (map: string) => writeFileSync(map, OTHER), OTHER],
  [
    'left if there is a link',
    (map: string) => {
      writeFileSync(join(folder, 'linked.map'), OTHER);
      rmSync(map);
      symlinkSync(join(folder, 'linked.map'), map);
    },
    OTHER,
  ],
])('a perf map that was made from a dump is %s', async (_, change, left) => {
  // The PID of a process that has ended.
  const { pid } = spawnSync('true');
  const map = `/tmp/perf-${pid}.map`;
  const path = join(folder, `jit-${pid}.dump`);
  writeFileSync(path, dump());
  const target = createLocalTarget();
  const held = createHeldCode(target);
  held.note({ pid, range: '1-2', inode: '1', path, at: 0 });
  await held.prepare(null);
  expect(readFileSync(map, 'utf8')).toBe('1000 1 f\n');
  change(map);
  await held.release();
  expect(readFileOrNull(map)).toBe(left);
  rmSync(map, { force: true });
  await target.dispose();
});

function readFileOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
