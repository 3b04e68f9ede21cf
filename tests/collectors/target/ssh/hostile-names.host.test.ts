import { spawn, spawnSync } from 'node:child_process';
import { chownSync, lchownSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readScript } from '#collectors/read-script.ts';
import { parseSurvey } from '#collectors/doctor/survey.ts';
import { BATCH_SCRIPT, encodeLine, REMOTE_SHELL, RUN_SCRIPT } from '#collectors/target/ssh/remote-script.ts';
import { needing } from '../../../support/needing.ts';
import { makeOwnTmp, ownNamespaces, SHELLS, type OwnTmp } from '../../../support/own-tmp.ts';

const OWN = 12_345;
const STRANGER = 12_346;
const CASES = 300;
const COPY = 'perf-vdso.so-';
const VICTIMS = ['victim', 'a', 'Z', '-rf', '--', '..victim'];

/** What shells and tools read as something else than a part of a name. */
const PARTS =
  String.raw` |*|?|[a-z]|\|\c|\n|\0057|\057|-|--|-rf|..|~|$(id)|'|"|;|#|&|é|%s|%b|a|Z|0|victim| victim|\0057tmp\0057victim| \0057tmp\0057victim`
    .split('|')
    .concat('\n', '\t', '\r', '|', '`id`');
const SIX = fc.string({ unit: fc.constantFrom(...'abcXYZ019'.split('')), minLength: 6, maxLength: 6 });
const MIXED = fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
const SHORT = fc.string({ unit: fc.constantFrom(...PARTS, 'b', 'c', 'd'), minLength: 6, maxLength: 6 });
const isName = (name: string): boolean => !['.', '..', ...VICTIMS].includes(name);

/** Returns that many different names, the same each time. */
const sample = (names: fc.Arbitrary<string>): string[] => [
  ...new Set(fc.sample(names.filter(isName), { numRuns: CASES, seed: 44 })),
];

needing(ownNamespaces, () => {
  describe.each(SHELLS)('hostile names under $name', ({ shell }) => {
    let tmp: OwnTmp;
    beforeEach(async () => {
      tmp = await makeOwnTmp();
    });
    afterEach(() => tmp.dispose());

    function make(name: string, owner: number): void {
      writeFileSync(`${tmp.path}/${name}`, 'kept\n', { flag: 'wx' });
      chownSync(`${tmp.path}/${name}`, owner, owner);
    }

    /** Runs a script as a channel does; resolves with what it prints. */
    function runScript(
      lines: readonly string[],
      after: (said: string) => string,
    ): Promise<{ out: string; said: string }> {
      const [program, ...args] = [...tmp.enter(OWN), ...shell, '-c', REMOTE_SHELL];
      const child = spawn(program, args, { env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' }, cwd: '/' });
      let [out, said, isDone] = ['', '', false];
      child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString('utf8')));
      child.stderr.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        const next = isDone ? '' : after(said);
        isDone ||= next !== '';
        if (next !== '') child.stdin.end(next);
      });
      child.stdin.write(lines.map(encodeLine).join(''));
      return new Promise((resolve) => child.once('close', () => resolve({ out, said })));
    }

    test('the keeper removes this user’s new copies of the vdso, and nothing else', async () => {
      const names = sample(fc.oneof(SIX, MIXED, SHORT)).map((name) => COPY + name);
      const expected: string[] = [...VICTIMS];
      const create = (said: string): string => {
        if (!said.includes('mark pid ')) return '';
        for (const [at, name] of names.entries()) {
          const kind = at % 6;
          const path = `${tmp.path}/${name}`;
          if (kind === 0) mkdirSync(path);
          else if (kind === 1) symlinkSync('victim', path);
          else make(name, kind === 2 ? STRANGER : OWN);
          if (kind < 2) lchownSync(path, OWN, OWN);
          if (kind <= 2 || !/^.{13}[a-zA-Z0-9]{6}$/.test(name)) expected.push(name);
        }
        return 'e\n';
      };
      for (const victim of VICTIMS) make(victim, OWN);
      make(`${COPY}before`, OWN);
      expected.push(`${COPY}before`);
      const words = ['--', 'sh', '-c', 'cat; : perf'].map((word) => `+${word}`);
      await runScript([RUN_SCRIPT, 'ma', 'rk', '/tmp', '', '1', ...words, '.'], create);
      expect(names.length - expected.length).toBeGreaterThan(20);
      expect(readdirSync(tmp.path).toSorted()).toEqual(expected.toSorted());
    });

    test('the keeper removes the folder that it made, and none that has its path since', async () => {
      const swap = (said: string): string => {
        if (!said.includes('mark pid ')) return '';
        const folder = /^mark dir \/tmp(.*)$/m.exec(said)?.[1] ?? '';
        const [program, ...args] = [
          ...tmp.enter(OWN),
          'sh',
          '-c',
          'cd /tmp && mv "$1" away && mkdir "$1" && : >"$1/kept"',
          'sh',
          `/tmp${folder}`,
        ];
        expect(spawnSync(program, args).status).toBe(0);
        return 'e\n';
      };
      const words = ['--', 'cat'].map((word) => `+${word}`);
      await runScript([RUN_SCRIPT, 'ma', 'rk', '', 'made', '1', ...words, '.'], swap);
      expect(readdirSync(`${tmp.path}/made`)).toEqual(['kept']);
      const fill = (said: string): string => {
        if (!said.includes('mark pid ')) return '';
        for (const name of ['-rf', '.hidden', '..twice', ' * ']) make(`again/${name}`, OWN);
        return 'e\n';
      };
      await runScript([RUN_SCRIPT, 'ma', 'rk', '', 'again', '1', ...words, '.'], fill);
      expect(readdirSync(tmp.path).toSorted()).toEqual(['away', 'made']);
    });

    test('files are listed, read, stated and found by their names', async () => {
      const names = sample(MIXED).slice(0, 100);
      mkdirSync(`${tmp.path}/names`, { mode: 0o755 });
      for (const [at, name] of names.entries()) writeFileSync(`${tmp.path}/names/${name}`, `${at}`, { mode: 0o755 });
      const queries = names.flatMap((name) => {
        const path = `/tmp/names/${name}`;
        return ['r 0 9', path, 's', path, 'x', path, 'l', path];
      });
      const { out } = await runScript([BATCH_SCRIPT, 'ma', 'rk', 'd', '/tmp/names', ...queries], () => '.\n');
      const [listed = '', ...answers] = out.replace(/^mark\n/, '').split(/mark ([01])\n/);
      const found = listed.split('\0').filter((name) => !['', '.', '..'].includes(name));
      expect(found.toSorted()).toEqual(names.toSorted());
      const texts = answers.filter((_, at) => at % 2 === 1);
      expect(texts.length).toBe(4 * names.length + 1);
      for (const [at, name] of names.entries()) {
        expect(texts[4 * at]).toBe(`${at}`);
        expect(texts[4 * at + 1]).toMatch(new RegExp(`^${`${at}`.length} 0 \\d+\n$`));
        expect(texts[4 * at + 2]).toBe(`/tmp/names/${name}`);
      }
    });

    test('a survey and the vitals of a process print names as they are', async () => {
      const run = (script: string, env: Record<string, string>, ...args: string[]) => {
        const [program = '', ...words] = [...tmp.enter(OWN), ...shell, '-c', script, 'sh', ...args];
        return spawnSync(program, words, {
          env: { PATH: process.env['PATH'], ...env },
          timeout: 20_000,
        }).stdout.toString();
      };
      const survey = readScript(new URL('../../../../collectors/doctor/survey.sh', import.meta.url));
      for (const name of ['/tmp/a b * \\0057 \\c', '/tmp/-rf\nuid=0']) {
        const facts = parseSurvey(run(survey, { TMPDIR: name }, ''), { before: 0, after: 0 });
        expect([facts.one('temp'), facts.all('uid')]).toEqual([name.replace('\n', ' '), [`${OWN}`]]);
      }
      const vitals = readScript(new URL('../../../../collectors/target/vitals.sh', import.meta.url));
      const start = String.raw`printf '%s' 'a\cb\nN 1 x' >/proc/$$/comm; echo $$; read -r _`;
      const named = spawn('sh', ['-c', start]);
      const pid = await new Promise<string>((resolve) =>
        named.stdout.once('data', (text: Buffer) => resolve(text.toString())),
      );
      const printer = spawn(shell[0], [...shell.slice(1), '-c', vitals, 'vitals', pid.trim()]);
      let text = '';
      printer.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
      await expect.poll(() => text).toMatch(/^F /m);
      named.stdin.end('\n');
      await new Promise((resolve) => printer.once('close', resolve));
      expect(text).toContain(String.raw`(a\cb\nN 1 x) `);
      expect(text).not.toMatch(/^N 1 x/m);
    });

    test('leftovers are ended by their PIDs, whatever their names say', () => {
      const leftovers = readScript(new URL('../../../../collectors/target/leftovers.sh', import.meta.url));
      const scene = String.raw`
        sleep 100 & victim=$!
        FLAMEBENCH_RECORDING=ours sh -c 'printf "%s" "$1" >/proc/$$/comm; while :; do sleep 0.1; done' sh "\\n$victim x" &
        sleep 0.3
        "$@" "$LEFTOVERS" flamebench FLAMEBENCH_RECORDING=ours
        kill -0 "$victim" && echo survived`;
      const args = ['--pid', '--fork', '--mount-proc', '--kill-child', 'sh', '-c', scene, 'sh', ...shell, '-c'];
      const { stdout } = spawnSync('unshare', args, {
        env: { ...process.env, LEFTOVERS: leftovers },
        encoding: 'utf8',
      });
      expect(stdout).toMatch(/^(found .*\n)*found \d+ \\n\d+ x\n(found .*\n)*survived\n$/);
    });
  });
});
