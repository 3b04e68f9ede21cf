import { describe, expect, it } from 'vitest';
import { effectRefusal, findCircles, importedModules, refusal, unpackRefusal } from '../../scripts/check-imports.ts';

describe('importedModules', () => {
  it('finds every way to name a module, including type-only ones', () => {
    const source = [
      "import type { A } from './a.ts';",
      "export type { B } from './b.ts';",
      "export * from './c.ts';",
      "type D = import('./d.ts').D;",
      "const e = await import('./e.ts');",
      "import './f.ts';",
      '// import "./comment.ts"',
      'const text = "import x from \'./string.ts\'";',
    ].join('\n');
    expect(importedModules(source, 'x.ts')).toEqual([
      { specifier: './a.ts', line: 1, names: [] },
      { specifier: './b.ts', line: 2, names: [] },
      { specifier: './c.ts', line: 3, names: ['*'] },
      { specifier: './d.ts', line: 4, names: [] },
      { specifier: './e.ts', line: 5, names: ['*'] },
      { specifier: './f.ts', line: 6, names: [] },
    ]);
  });
});

describe('effectRefusal', () => {
  const refused = (file: string, source: string): boolean =>
    importedModules(source, file).some(({ specifier, names }) => effectRefusal(file, specifier, names) !== null);

  it.each([
    "import { rm } from 'node:fs/promises';",
    "import { readFile, rename as move } from 'node:fs/promises';",
    "import { chmodSync } from 'node:fs';",
    "import * as fs from 'node:fs';",
    "import fs from 'node:fs';",
    "const { rm } = await import('node:fs/promises');",
    "export { rm } from 'node:fs/promises';",
    "import { spawn } from 'node:child_process';",
  ])('refuses %s outside the folder of effects', (source) => {
    expect(refused('app/engine/a.ts', source)).toBe(true);
    expect(refused('collectors/perf/a.ts', source)).toBe(true);
    expect(refused('collectors/effects/a.ts', source)).toBe(false);
  });

  it('lets files read, and types pass', () => {
    expect(refused('app/a.ts', "import { open, readFile, statSync, type Stats } from 'node:fs';")).toBe(false);
    expect(refused('app/a.ts', "import type { ChildProcess, rm } from 'node:fs/promises';")).toBe(false);
  });
});

describe('refusal', () => {
  it.each([
    ['core/model/a.ts', './b.ts'],
    ['core/import/a.ts', '../model/b.ts'],
    ['core/import/unpack/gzip.ts', 'fflate'],
    ['collectors/perf/a.ts', '#core/model/profile.ts'],
    ['collectors/perf/a.ts', 'node:fs'],
    ['renderer/app.tsx', '../core/model/profile.ts'],
    ['renderer/app.tsx', '@tanstack/react-table'],
    ['renderer/app.tsx', './app.css'],
    ['app/engine/server.ts', '#collectors/registry.ts'],
    ['app/engine/server.ts', '../library/library.ts'],
    ['renderer/state/workbench.ts', '../analysis/protocol.ts'],
    ['renderer/features/compare/view.tsx', '../../ui/menu/menu.tsx'],
    ['renderer/main.tsx', './features/registry.ts'],
    ['renderer/shell/app.tsx', '../state/features.ts'],
    ['app/electron/main.ts', 'electron'],
    ['app/electron/main.ts', './menu.ts'],
    ['tests/core/a.test.ts', '#app/cli/main.ts'],
  ])('lets %s import %s', (file, specifier) => {
    expect(refusal(file, specifier)).toBeNull();
  });

  it.each([
    ['core/model/a.ts', 'node:fs'],
    ['core/model/a.ts', 'fs'],
    ['core/model/a.ts', '#app/engine/server.ts'],
    ['core/model/a.ts', '../../collectors/collector.ts'],
    ['core/model/a.ts', 'react'],
    ['core/model/a.ts', '(computed)'],
    ['collectors/perf/a.ts', '#app/engine/server.ts'],
    ['collectors/perf/a.ts', '../../renderer/app.tsx'],
    ['renderer/app.tsx', '#collectors/collector.ts'],
    ['renderer/app.tsx', 'node:path'],
    ['renderer/app.tsx', 'electron'],
    ['app/engine/server.ts', '../../../renderer/app.tsx'],
    ['renderer/ui/menu/menu.tsx', '../../state/store.ts'],
    ['renderer/analysis/tables.ts', '../ui/format.ts'],
    ['renderer/analysis/tables.ts', 'react'],
    ['renderer/state/workbench.ts', '../features/compare/view.tsx'],
    ['renderer/features/compare/view.tsx', '../../shell/app.tsx'],
    ['renderer/shell/app.tsx', '../features/record/record-dialog.tsx'],
    ['renderer/shell/app.tsx', '../analysis/protocol.ts'],
    ['app/engine/server.ts', 'electron'],
    ['app/engine/server.ts', 'react'],
    ['app/engine/server.ts', '../../electron/main.ts'],
    ['app/electron/main.ts', '../engine/server.ts'],
    ['app/electron/main.ts', '#collectors/collector.ts'],
  ])('refuses %s importing %s', (file, specifier) => {
    expect(refusal(file, specifier)).toEqual(expect.any(String));
  });
});

describe('unpackRefusal', () => {
  it.each([
    ['core/import/report/embed.ts', 'fflate', 'unzlibSync'],
    ['core/import/jfr/jfr.ts', 'fzstd', 'decompress'],
    ['app/engine/experiments/import-bundle.ts', 'node:zlib', 'createGunzip'],
    ['app/engine/experiments/import-bundle.ts', 'node:zlib', '*'],
    ['collectors/symbols/debuginfod.ts', 'node:zlib', 'brotliDecompress'],
    ['renderer/analysis/open-source.ts', 'DecompressionStream', 'DecompressionStream'],
  ])('refuses %s unpacking with %s', (file, specifier, name) => {
    expect(unpackRefusal(file, specifier, [name])).toEqual(expect.stringContaining('core/import/unpack/'));
  });

  it('lets core/import/unpack/ unpack, others pack, and tests do both', () => {
    expect(unpackRefusal('core/import/unpack/gzip.ts', 'fflate', ['Gunzip'])).toBeNull();
    expect(unpackRefusal('core/import/report/embed.ts', 'fflate', ['zlibSync'])).toBeNull();
    expect(unpackRefusal('app/cli/convert/output-file.ts', 'node:zlib', ['gzipSync'])).toBeNull();
    expect(unpackRefusal('tests/support/corpus.ts', 'node:zlib', ['gunzipSync'])).toBeNull();
  });

  it('finds the browser’s stream, which needs no import', () => {
    const source = "export const unpack = () => new DecompressionStream('gzip');";
    expect(importedModules(source, 'renderer/a.ts')).toEqual([
      { specifier: 'DecompressionStream', line: 1, names: ['DecompressionStream'] },
    ]);
  });
});

describe('findCircles', () => {
  const graph = (edges: Record<string, string[]>): Map<string, Set<string>> =>
    new Map(Object.entries(edges).map(([from, to]) => [from, new Set(to)]));

  it('finds none if imports point one way', () => {
    expect(findCircles(graph({ a: ['b', 'c'], b: ['c'], c: ['outside'] }))).toEqual([]);
  });

  it('names each cycle once, as the shortest path around', () => {
    const circles = findCircles(graph({ a: ['b'], b: ['c', 'd'], c: ['a'], d: ['a'], e: ['f'], f: ['e'] }));
    expect(circles).toEqual([
      ['a', 'b', 'c'],
      ['e', 'f'],
    ]);
  });

  it('ignores a module that imports itself', () => {
    expect(findCircles(graph({ a: ['a', 'b'], b: [] }))).toEqual([]);
  });
});
