import { expect, test } from 'vitest';
import { openCommand } from '../../../renderer/state/open-command.ts';

const engineOf = (libraryPath: string, isDefaultLibrary: boolean) => ({
  engine: { version: '0', platform: 'linux', libraryPath, isDefaultLibrary },
});

test('names the library of captures unless it is the default one', () => {
  const capture = { inputs: ['20261121-1'], inLibrary: true, view: 'v' };
  const other = engineOf('/srv/my captures', false);
  expect(openCommand(other, capture)).toBe("flamebench open 20261121-1 --library '/srv/my captures' --view v");
  expect(openCommand(engineOf('/home/ann/library', true), capture)).toBe('flamebench open 20261121-1 --view v');
  expect(openCommand(other, { inputs: ['a.folded'], inLibrary: false, view: 'v' })).toBe(
    'flamebench open a.folded --view v',
  );
});
