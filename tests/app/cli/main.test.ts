import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { commands } from '../../../app/cli/commands.ts';
import { importers } from '#core/import/registry.ts';
import { exporters } from '#core/export/registry.ts';
import { callCli } from '../../support/call-cli.ts';
import { recordRows } from '#app/cli/record/collectors.ts';
import { runCli } from '../../support/run-cli.ts';

test('--version prints the package’s version', async () => {
  expect(await runCli(['--version'])).toEqual({ code: 0, stdout: `flamebench ${packageJson.version}\n`, stderr: '' });
});

test('--help lists every command', async () => {
  const { stdout, code } = await runCli(['--help']);
  expect(code).toBe(0);
  const widest = Math.max(...commands.map(({ name }) => name.length));
  for (const { name, summary } of commands) expect(stdout).toContain(`  ${name.padEnd(widest)}  ${summary}\n`);
});

test.each(commands.map(({ name }) => name))('%s --help explains its options', async (name) => {
  const run = await runCli([name, '--help']);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toMatch(new RegExp(`^Usage: flamebench ${name} `));
  expect((await callCli(['help', name])).stdout).toBe(run.stdout);
});

test.each(recordRows.map(({ id }) => id))('record %s --help ends with an example', async (id) => {
  expect((await callCli(['record', id, '--help'])).stdout).toContain(`\nExample:\n  flamebench record ${id} `);
});

test('help prints the page of a failure by its name or a code, and doctor and errors name it', async () => {
  const page = await runCli(['help', 'jit-map-missing'], { cwd: '/' });
  expect(page).toMatchObject({ code: 0, stderr: '' });
  expect(page.stdout).toMatch(/^Compiled functions have no names\n\nSays: .+--perf-basic-prof[^]+\nCheck: .+\n$/s);
  expect(page.stdout).not.toMatch(/\*\*|\]\(/);
  expect((await callCli(['help', 'jit-map'])).stdout).toBe(page.stdout);
  expect((await callCli(['top', 'package.json'])).stderr).toMatch(/ \(more: flamebench help unknown-format\)\n$/);
  expect(await callCli(['help', '__proto__'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('unknown') as unknown,
  });
});

test('refuses a mistyped command before anything starts', async () => {
  expect(await runCli(['tpo'])).toEqual({
    code: 2,
    stdout: '',
    stderr: "flamebench: 'tpo' is neither a command nor a file; see flamebench --help\n",
  });
});

test('common options may precede the command', async () => {
  const json = (await callCli(['formats', '--json'])).stdout;
  for (const before of [['-q'], ['--color', 'never', '--verbose'], ['--color=never']]) {
    expect(await callCli([...before, 'formats', '--json'])).toMatchObject({ code: 0, stdout: json });
  }
  expect((await callCli(['-q', '--help'])).stdout).toBe((await callCli(['--help'])).stdout);
  expect((await callCli(['-q', 'tpo'])).stderr).toContain("'tpo' is neither a command nor a file");
});

test('formats lists both registries', async () => {
  const text = await callCli(['formats']);
  const json = JSON.parse((await callCli(['formats', '--json'])).stdout) as Record<string, { id: string }[]>;
  expect(json['reads']!.map(({ id }) => id)).toEqual(importers.map(({ id }) => id));
  expect(json['writes']!.map(({ id }) => id)).toEqual(exporters.map(({ id }) => id));
  for (const { label } of [...importers, ...exporters]) expect(text.stdout).toContain(label);
});

test('formats --markdown prints docs/formats.md', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/formats.md'), 'utf8');
  expect((await callCli(['formats', '--markdown'])).stdout).toBe(page);
});

test.each(oldNodes())(
  '%s runs the bundle, or starts the packaged one, and returns the exit code',
  async (_name, node) => {
    const run = await runCli(['top', '-'], { node, stdin: 'main;a 1\n' });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(await runCli(['top', './missing'], { node })).toMatchObject({ code: 3 });
  },
);

/** Nodes that cannot run the sources: one that pretends to be too old for the bundle, and the system's if it is. */
function oldNodes(): (readonly [name: string, node: readonly string[]])[] {
  const system = '/usr/bin/node';
  const { stdout } = spawnSync(system, ['--version'], { encoding: 'utf8' });
  const pretend = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })";
  return [
    ['Node 20.0', [process.execPath, '--import', `data:text/javascript,${encodeURIComponent(pretend)}`]],
    ...(/^v(1\d|20|21)\./.test(stdout ?? '') ? [['the system’s Node', [system]] as const] : []),
  ];
}

/** Returns the sources that a command has loaded when it ends. */
function loadedBy(...args: readonly string[]): string[] {
  const report = `
    import { registerHooks } from 'node:module';
    const files = new Set();
    registerHooks({
      load(url, context, next) {
        if (url.startsWith('file:')) files.add(url);
        return next(url, context);
      },
    });
    process.on('exit', () => process.stderr.write([...files].join('\\n')));`;
  const main = JSON.stringify(new URL('../../../app/cli/main.ts', import.meta.url).href);
  const run = `import(${main}).then(({ main }) => main(process.argv.slice(1)));`;
  const options = ['--import', `data:text/javascript,${encodeURIComponent(report)}`, '--eval', run, '--'];
  return spawnSync(process.execPath, [...options, ...args], { encoding: 'utf8' }).stderr.split('\n');
}

test('a command loads only what it needs', () => {
  const help = loadedBy('--help');
  expect(help.length).toBeGreaterThan(5);
  expect(help.length).toBeLessThan(40);
  const formats = loadedBy('formats');
  expect(formats.some((file) => file.includes('/core/import/'))).toBe(true);
  expect(
    formats.filter((file) => /\/(?:core\/(?:analyze|compare)|collectors\/perf|app\/engine\/server)\//.test(file)),
  ).toEqual([]);
});

const ROOT = new URL('../../../', import.meta.url).href;

test('--version and top load no other modules than these', () => {
  const files = loadedBy('--version').map((file) => file.replace(ROOT, ''));
  expect(files.filter((file) => /^(?:app|core|collectors|node_modules)\//.test(file)).toSorted()).toEqual([
    ...['command', 'commands', 'engine-errors', 'errors', 'main'].map((name) => `app/cli/${name}.ts`),
    ...['colour', 'report-error', 'terminal', 'write-all', 'write-failure'].map((name) => `app/cli/output/${name}.ts`),
    'app/engine/failure.ts',
    ...['classify-word', 'file-source', 'read-files'].map((name) => `app/engine/files/${name}.ts`),
    'app/engine/program-files.ts',
    'app/node-20.ts',
    'app/version.ts',
    ...['connection', 'target'].map((name) => `collectors/target/${name}.ts`),
    'core/contract/escape-controls.ts',
    'core/contract/failure-pages.ts',
    'core/model/failure.ts',
  ]);
  const folded = fileURLToPath(new URL('tests/fixtures/import/folded/diff.folded', ROOT));
  const pprof = fileURLToPath(new URL('tests/fixtures/import/callgrind/pprof.pb.gz', ROOT));
  for (const profile of [folded, pprof]) {
    const rooms = loadedBy('top', profile).flatMap((file) => {
      const place = file.replace(ROOT, '').split('/');
      return place.length > 2 ? place.slice(0, 2).join('/') : [];
    });
    // Neither zod nor the library, the recorders, comparisons or reports.
    expect([...new Set(rooms)].toSorted()).toEqual([
      'app/cli',
      'app/engine',
      ...['effects', 'fetch', 'symbols', 'target'].map((name) => `collectors/${name}`),
      ...['analyze', 'contract', 'export', 'import', 'model', 'redact', 'symbols', 'units', 'wire'].map(
        (name) => `core/${name}`,
      ),
      ...['commander', 'fflate', 'fzstd'].map((name) => `node_modules/${name}`),
    ]);
  }
});

test('ArrayBuffer.transfer, which Node 20 lacks, keeps what fits and fills the rest with zeros', () => {
  const script = `delete ArrayBuffer.prototype.transfer;
await import(${JSON.stringify(new URL('app/node-20.ts', ROOT).href)});
const { buffer } = Uint8Array.of(1, 2, 3);
console.log(String(new Uint8Array(buffer.transfer(5))), String(new Uint8Array(buffer.transfer(2))));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(stdout).toBe('1,2,3,0,0 1,2\n');
});
