import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { afterAll, expect, test } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { nodeCollector } from '#collectors/node/collector.ts';
import { withSources } from '#collectors/node/source-maps.ts';
import { SYSTEM_CLOCK } from '#collectors/system-clock.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { makeLockedFolder } from '../../support/locked-folder.ts';
import { MemorySink } from '../../support/memory-sink.ts';
import { needing } from '../../support/needing.ts';
import { endNodePrograms, startNodeProgram } from '../../support/node-program.ts';
import { NODE_MAJORS, nodeOf, nodeVersions } from '../../support/node-versions.ts';

const target = createLocalTarget();
const folder = makeLockedFolder('fb-maps-');
afterAll(async () => {
  await target.dispose();
  folder.remove();
});
endNodePrograms();

const SOURCE = `interface Order { readonly id: number }

export function priceOf(order: Order): number {
  let sum = order.id;
  for (let i = 0; i < 2_000_000; i++) sum = (sum + i * i) % 1000003;
  return sum;
}

const later = (order: Order) => setTimeout(() => {
  let sum = priceOf(order);
  for (let i = 0; i < 2_000_000; i++) sum = (sum ^ i) + (sum >>> 3);
  Object.assign(globalThis, { sum });
}, 1);

setInterval(() => { for (let i = 0; i < 20; i++) later({ id: 4 }); }, 30);
`;

/** Bundles the service; returns the bundle's path. */
function bundle(name: string, sourcemap: 'linked' | 'inline' | 'external'): string {
  const root = join(folder.path, name);
  mkdirSync(join(root, 'src'), { recursive: true });
  writeFileSync(join(root, 'src', 'service.ts'), SOURCE);
  const outfile = join(root, 'dist', 'bundle.mjs');
  esbuild.buildSync({
    entryPoints: [join(root, 'src', 'service.ts')],
    outfile,
    bundle: true,
    minify: true,
    format: 'esm',
    sourcemap,
  });
  return outfile;
}

const functionsOf = ({ functions, strings }: Profile): string[] =>
  Array.from(
    { length: functions.length },
    (_, row) =>
      `${strings[functions.name[row]!]!} ${strings[functions.file[row]!]!.split('/').at(-1)}:${functions.line[row]}`,
  );

async function record(pid: number, profile: 'cpu' | 'heap' = 'cpu'): Promise<{ profile: Profile; raw: string }> {
  const scope = { kind: 'pid', pid, startTicks: null } as const;
  const { plan } = await nodeCollector.preflight(target, {
    collector: 'node',
    scope,
    profile,
    seconds: 2,
    sourceMaps: true,
  });
  expect(plan!.remark).toBe('at the end the process reads the source maps of the scripts that ran');
  const sink = new MemorySink();
  const { primaryFile, error } = await nodeCollector.start(target, plan!, sink, SYSTEM_CLOCK).outcome;
  expect(error).toBeNull();
  const source = { fileName: primaryFile, size: null, chunks: () => sink.read(primaryFile) };
  return { profile: await importProfile(source), raw: sink.text(primaryFile) };
}

needing(nodeVersions, () => {
  test.each(NODE_MAJORS)('Node %i: functions of a bundle have the names and places of their sources', async (major) => {
    const path = bundle(`linked-${major}`, major === 20 ? 'inline' : major === 22 ? 'external' : 'linked');
    const program = await startNodeProgram(nodeOf(major), `await import(${JSON.stringify(pathToFileURL(path).href)});`);
    const { profile, raw } = await record(program.pid);
    expect(functionsOf(profile)).toEqual(
      expect.arrayContaining(['priceOf service.ts:3', '(anonymous) service.ts:9 service.ts:9']),
    );
    expect(profile.diagnostics.find(({ code }) => code === 'source-maps')!.message).toMatch(
      /^Source maps of 1 script gave the sources of \d+ functions\.$/,
    );
    expect(raw).not.toContain('sourcesContent');
    // What V8 reports stays.
    expect(raw).toContain(`"url":${JSON.stringify(pathToFileURL(path).href)}`);
  });

  test('counts maps that are missing or invalid, and reads no pipe and nothing that a map names', async () => {
    const path = bundle('hostile', 'linked');
    const map = `${path}.map`;
    writeFileSync(map, '{"version":3,"sources":["../../../../etc/shadow"],"names":[],"mappings":5}');
    const program = await startNodeProgram(
      nodeOf(24),
      `process.chdir(${JSON.stringify(folder.path)});
       const { execFileSync } = await import('node:child_process');
       const { writeFileSync } = await import('node:fs');
       execFileSync('mkfifo', ['pipe.map']);
       const work = (name, ref) => {
         writeFileSync(name, 'export const run = () => { for (let i = 0, s = 0; i < 3e6; i++) s += i % 7; };\\n//# sourceMappingURL=' + ref);
         return import(${JSON.stringify(`${pathToFileURL(folder.path).href}/`)} + name);
       };
       const runs = [await work('fifo.mjs', 'pipe.map'), await work('proc.mjs', 'file:///proc/self/environ'), await work('web.mjs', 'http://127.0.0.1:1/a.map'), await work('bad.mjs', 'http://[')];
       await import(${JSON.stringify(pathToFileURL(path).href)});
       setInterval(() => { for (const { run } of runs) run(); }, 20);`,
    );
    const { profile, raw } = await record(program.pid);
    expect(profile.diagnostics.find(({ code }) => code === 'source-maps')).toMatchObject({
      message: expect.stringMatching(/^Source maps of 0 scripts .*; maps: 4 missing, 1 invalid\.$/) as string,
      count: 5,
    });
    expect(raw).not.toContain('PATH=');
    expect(functionsOf(profile).some((one) => one.startsWith('run fifo.mjs:1'))).toBe(true);
  });
});

const frame = (url: string, functionName = '') => ({ functionName, url, lineNumber: 0, columnNumber: 0 });

const mapped = (map: unknown): { sourceMaps: unknown; mapped: unknown } => {
  const url = 'file:///srv/dist/a.js';
  const text = JSON.stringify({
    nodes: [{ id: 1, callFrame: frame(url) }],
    flamebench: { maps: [{ url, map: typeof map === 'string' ? map : JSON.stringify(map), isNamed: true }] },
  });
  return (JSON.parse(withSources(text)) as { flamebench: { sourceMaps: unknown; mapped: unknown } }).flamebench;
};

const plain = { version: 3, names: [], sources: ['a.ts'], mappings: 'AAAA' };

test.each([
  ['a name that is a property of all objects', { ...plain, sources: ['__proto__'] }, 'file:///srv/dist/__proto__'],
  ['a path out of its folder', { ...plain, sources: ['../../../../etc/shadow'] }, 'file:///etc/shadow'],
  ['sections', { version: 3, sections: [{ offset: { line: 0, column: 0 }, map: plain }] }, 'file:///srv/dist/a.ts'],
])('a map with %s gives text', (_what, map, file) => {
  expect(mapped(map)).toEqual({
    sourceMaps: { maps: 1, missing: 0, bad: 0 },
    mapped: [['file:///srv/dist/a.js', 0, 0, file, 0, null]],
  });
});

test.each([
  ['no JSON', '{'],
  ['another version', { ...plain, version: 4 }],
  ['sources that are not texts', { ...plain, sources: [{ a: 1 }] }],
  ['more lines than memory', { ...plain, mappings: ';'.repeat(6e6) }],
  ['a section beyond all lines', { version: 3, sections: [{ offset: { line: 1e9, column: 0 }, map: plain }] }],
  [
    'sections within sections',
    {
      version: 3,
      sections: [{ offset: { line: 0, column: 0 }, map: { version: 3, sections: [] } }],
    },
  ],
  ['a data URL that is not one', 'data:application/json;base64'],
])('a map with %s is invalid', (_what, map) => {
  expect(mapped(map)).toEqual({ sourceMaps: { maps: 0, missing: 0, bad: 1 }, mapped: [] });
});
