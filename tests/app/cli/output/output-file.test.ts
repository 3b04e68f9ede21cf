import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openOutput } from '#app/cli/output/output-file.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { callCli } from '../../../support/call-cli.ts';
import { chunksOf } from '../../engine/support/bytes.ts';
import { LAUNCHER } from '../../../support/run-cli.ts';

const PROFILE = 'main;parse 30\nmain;write 20\n';
const OUTPUT_MODULE = JSON.stringify(join(import.meta.dirname, '../../../../app/cli/output/output-file.ts'));
const isRoot = process.getuid?.() === 0;

let folder: string;
const at = (name: string): string => join(folder, name);
const text = (name: string): string => readFileSync(at(name), 'utf8');
const parts = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.part'));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flamebench-output-'));
  writeFileSync(at('in.folded'), PROFILE);
  writeFileSync(at('after.folded'), PROFILE);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const convert = (...args: readonly string[]) => callCli(['convert', at('in.folded'), '--to', 'folded', ...args]);

describe('an input', () => {
  const COMMANDS: readonly (readonly [name: string, args: readonly string[]])[] = [
    ['report', ['report', 'IN', '--to', 'html']],
    ['one side of a report', ['report', 'after.folded', 'IN', '--compare', '--to', 'svg']],
    ['the notes of a report', ['report', 'after.folded', '--to', 'html', '--notes', 'IN']],
    ['the template of a report', ['report', 'after.folded', '--to', 'html', '--template', 'IN']],
    ['diff', ['diff', 'IN', 'after.folded']],
    ['the second side of diff', ['diff', 'after.folded', 'IN', '--csv']],
    ['transforms', ['convert', 'after.folded', '--to', 'folded', '--transforms', 'IN']],
    ['kernel symbols', ['convert', 'after.folded', '--to', 'folded', '--kallsyms', 'IN']],
    ['load', ['load', 'read', 'IN']],
  ];
  const CONTENT: Readonly<Record<string, string>> = {
    'the template of a report': '{"sections": [{"kind": "text", "title": "Why", "text": "x"}]}',
    transforms: '[]',
    'kernel symbols': 'ffffffff81000000 T _text\n',
    load: readFileSync(join(import.meta.dirname, '../../../fixtures/load/wrk.txt'), 'utf8'),
  };

  it.each(COMMANDS)('is never replaced: %s', async (name, args) => {
    const content = CONTENT[name] ?? PROFILE;
    writeFileSync(at('input'), content);
    linkSync(at('input'), at('hard'));
    symlinkSync('input', at('link'));
    for (const output of ['input', 'hard', 'link', './input']) {
      const words = args.map((word) => (word === 'IN' ? 'input' : word));
      const { code, stderr } = await callCli([...words, '-o', output, '--force'], { cwd: folder });
      expect([output, code, stderr]).toEqual([
        output,
        2,
        expect.stringContaining(`${output} is an input of this command`),
      ]);
    }
    expect(text('input')).toBe(content);
    expect(parts()).toEqual([]);
  });

  it('is not replaced through stdout either, and convert works in place', async () => {
    const append = spawnSync(
      'sh',
      ['-c', '"$0" "$1" diff in.folded after.folded >>in.folded', process.execPath, LAUNCHER],
      { cwd: folder, encoding: 'utf8' },
    );
    expect(append.status).toBe(2);
    expect(append.stderr).toContain('is an input of this command');
    expect(text('in.folded')).toBe(PROFILE);
    expect(await convert('--hide', 'write', '-o', at('in.folded'))).toMatchObject({ code: 0 });
    expect(text('in.folded')).toContain('main;parse 30');
  });

  it('is a capture’s file too, also if its cache was read', async () => {
    const library = ['--library', at('library')];
    const opened = await openLibrary(at('library'));
    const { id, primaryFile } = await opened.importFile('a.folded', chunksOf(PROFILE));
    opened.close();
    const file = join(at('library'), id, primaryFile);
    const { code } = await callCli(['report', id, ...library, '--to', 'html', '-o', file]);
    expect(code).toBe(2);
    expect(readFileSync(file, 'utf8')).toBe(PROFILE);
  });
});

describe('the picture of a Markdown report', () => {
  const report = (...args: readonly string[]) => callCli(['report', at('in.folded'), ...args]);

  it('replaces no file without --force, and then nothing is written', async () => {
    writeFileSync(at('finding.svg'), 'mine');
    const refused = await report('-o', at('finding.md'));
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toMatch(/finding\.svg: it exists, and goes with .*finding\.md; add --force/);
    expect([text('finding.svg'), existsSync(at('finding.md'))]).toEqual(['mine', false]);
    expect(await report('-o', at('finding.md'), '--force')).toMatchObject({ code: 0 });
    expect(text('finding.svg')).toContain('<svg');
    expect(text('finding.md')).toContain('](finding.svg)');
  });

  it('has another name than the report, whatever that is called', async () => {
    expect(await report('-o', at('x.svg'), '--to', 'md')).toMatchObject({ code: 0 });
    expect(text('x.svg')).toContain('](x.svg.svg)');
    expect(text('x.svg.svg')).toContain('<svg');
    expect(parts()).toEqual([]);
  });

  it('is left out if the report goes to no file', async () => {
    const { code, stdout } = await report('-o', '/dev/stdout', '--to', 'md');
    expect(code).toBe(0);
    expect(stdout).not.toContain('.svg');
  });
});

describe('a file that is replaced', () => {
  it('is refused if it is read-only, and replaced with --force', async () => {
    writeFileSync(at('out'), 'mine', { mode: 0o444 });
    const refused = await convert('-o', at('out'));
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/read-only; add --force to replace it\n$/),
    ]);
    expect(text('out')).toBe('mine');
    expect(await convert('-o', at('out'), '--force')).toMatchObject({ code: 0 });
    expect([text('out'), statSync(at('out')).mode & 0o777]).toEqual([PROFILE, 0o444]);
  });

  it('is refused if it has hard links, and keeps them with --force', async () => {
    writeFileSync(at('out'), 'a longer text than the profile that replaces it, which must not remain');
    linkSync(at('out'), at('other'));
    const refused = await convert('-o', at('out'));
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/has 2 hard links; add --force/)]);
    expect(await convert('-o', at('out'), '--force')).toMatchObject({ code: 0 });
    expect([text('other'), statSync(at('out')).nlink, parts()]).toEqual([PROFILE, 2, []]);
  });

  it('is refused if it is a link to a missing file', async () => {
    symlinkSync('missing', at('out'));
    expect((await convert('-o', at('out'))).stderr).toMatch(/it is a link to a missing file; name that file/);
  });

  it.runIf(isRoot)('keeps its owner, group and permissions when root writes it', async () => {
    writeFileSync(at('out'), 'mine');
    chownSync(at('out'), 4711, 4712);
    chmodSync(at('out'), 0o640);
    expect(await convert('-o', at('out'))).toMatchObject({ code: 0 });
    const { uid, gid, mode } = statSync(at('out'));
    expect([text('out'), uid, gid, mode & 0o777]).toEqual([PROFILE, 4711, 4712, 0o640]);
  });

  it.runIf(isRoot)('keeps an owner that a user can’t set: it gets the content', () => {
    chmodSync(folder, 0o777);
    writeFileSync(at('out'), 'theirs');
    chmodSync(at('out'), 0o666);
    const script = `process.setgid(4712); process.setuid(4711);
      const { openOutput } = await import(${OUTPUT_MODULE});
      const output = openOutput(${JSON.stringify(at('out'))});
      output.write(new TextEncoder().encode('new'));
      output.commit();`;
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect([stderr, text('out'), statSync(at('out')).uid, parts()]).toEqual(['', 'new', 0, []]);
  });
});

describe('a device', () => {
  it.runIf(isRoot)('that holds data is refused by its kind, without being opened', async () => {
    // Major 7 is that of loop devices; this minor has none, so that opening it would fail with ENXIO.
    const made = spawnSync('mknod', [at('disk'), 'b', '7', '1048575']);
    if (made.status !== 0) return;
    const refused = await convert('-o', at('disk'));
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/it is a device; add --force/)]);
    expect((await convert('-o', at('disk'), '--force')).stderr).not.toContain('it is a device; add');
    expect(statSync(at('disk')).isBlockDevice()).toBe(true);
  });

  it('that holds none is written to, as FIFOs are', async () => {
    expect(await convert('-o', '/dev/null')).toMatchObject({ code: 0, stderr: '' });
    spawnSync('mkfifo', [at('fifo')]);
    const reader = spawn('cat', [at('fifo')], { stdio: ['ignore', 'pipe', 'inherit'] });
    const chunks: Buffer[] = [];
    reader.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    const ended = new Promise((resolve) => reader.once('close', resolve));
    expect(await convert('-o', at('fifo'))).toMatchObject({ code: 0 });
    await ended;
    expect(Buffer.concat(chunks).toString()).toBe(PROFILE);
  });
});

describe('an open descriptor', () => {
  const shell = (line: string) =>
    spawnSync('bash', ['-c', line, process.execPath, LAUNCHER], { cwd: folder, encoding: 'utf8' });

  it.each([
    ['a pipe', '"$0" "$1" report in.folded --to json -o /dev/stdout | cat >out; exit "${PIPESTATUS[0]}"'],
    ['a file', '"$0" "$1" report in.folded --to json -o /dev/stdout >out'],
    ['another descriptor', '"$0" "$1" report in.folded --to json -o /dev/fd/7 7>out'],
    [
      'a terminal',
      `script -qec '"${process.execPath}" "${LAUNCHER}" report in.folded --to json -q -o /dev/stdout' /dev/null >out`,
    ],
  ])('is written to: %s', (_what, line) => {
    const { status, stderr } = shell(line);
    expect([status, stderr]).toEqual([0, '']);
    expect(JSON.parse(text('out'))).toHaveProperty('captures');
  });

  it('is appended to where the shell appends', () => {
    writeFileSync(at('out'), 'before\n');
    shell('"$0" "$1" convert in.folded --to folded -o /dev/stdout >>out');
    expect(text('out')).toBe(`before\n${PROFILE}`);
  });

  it('is a socket, as the stdout of a program that Node starts', () => {
    const { stdout } = spawnSync(
      process.execPath,
      [LAUNCHER, 'convert', 'in.folded', '--to', 'folded', '-o', '/dev/fd/1'],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    );
    expect(stdout).toBe(PROFILE);
  });
});

describe('what a killed run left', () => {
  const DEAD = '.flamebench-0123456789abcdef.part';

  it('is deleted by the next run, unlike what a running one writes and what only looks alike', async () => {
    const script = `const { openOutput } = await import(${OUTPUT_MODULE});
      openOutput('x').write(new TextEncoder().encode('half'));
      console.log('written');
      setInterval(() => undefined, 1000);`;
    const writer = spawn(process.execPath, ['--input-type=module', '-e', script], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => writer.stdout.once('data', resolve));
    const [half = ''] = parts();
    expect(half).toMatch(/^\.flamebench-[0-9a-f]{16}\.part$/);
    writeFileSync(at('.flamebench-4711.part'), '');
    writeFileSync(at('target'), 'mine');
    symlinkSync('target', at('.flamebench-00000000000000aa.part'));
    mkdirSync(at('.flamebench-00000000000000bb.part'));
    expect(await convert('-o', at('out'))).toMatchObject({ code: 0 });
    const others = ['.flamebench-00000000000000aa.part', '.flamebench-00000000000000bb.part', '.flamebench-4711.part'];
    expect(parts().toSorted()).toEqual([...others, half].toSorted());
    writer.kill('SIGKILL');
    await new Promise((resolve) => writer.once('close', resolve));
    expect(parts()).toContain(half);
    expect(await convert('-o', at('out'))).toMatchObject({ code: 0 });
    expect(parts().toSorted()).toEqual(others);
    expect(text('target')).toBe('mine');
  });

  it.runIf(isRoot)('is left if it is another user’s', async () => {
    writeFileSync(at(DEAD), '');
    chownSync(at(DEAD), 4711, 4711);
    await convert('-o', at('out'));
    expect(parts()).toEqual([DEAD]);
  });

  it('never stops a later run, whatever its PID', () => {
    writeFileSync(at(`.flamebench-${process.pid}.part`), '');
    const [one, two] = [openOutput(at('a')), openOutput(at('b'))];
    for (const output of [one, two]) output.commit();
    expect([existsSync(at('a')), existsSync(at('b'))]).toEqual([true, true]);
  });
});
