import { spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { makeBuildFolder } from '../../samples/record-sample.ts';

it('removes the folder of the programs at the end if it has made it, and refuses one that is there', () => {
  const temp = mkdtempSync(path.join(tmpdir(), 'flamebench-build-'));
  const at = (name: string): string => path.join(temp, name);
  try {
    mkdirSync(at('another-run'));
    writeFileSync(at('another-run/program'), '');
    symlinkSync(at('nowhere'), at('link'));
    for (const name of ['another-run', 'link']) expect(() => makeBuildFolder(at(name))).toThrow('exists');

    const module = JSON.stringify(path.join(import.meta.dirname, '../../samples/record-sample.ts'));
    const source = `import(${module}).then(({ makeBuildFolder }) => {
      require('fs').writeFileSync(makeBuildFolder(${JSON.stringify(at('own'))}) + '/program', ''); throw 'fails'; });`;
    expect(spawnSync(process.execPath, ['-e', source], { encoding: 'utf8' }).stderr).toContain('"fails"');
    expect(readdirSync(temp, { recursive: true, encoding: 'utf8' }).toSorted()).toEqual([
      'another-run',
      'another-run/program',
      'link',
    ]);
    expect(lstatSync(at('nowhere'), { throwIfNoEntry: false })).toBeUndefined();
  } finally {
    rmSync(temp, { recursive: true });
  }
});
