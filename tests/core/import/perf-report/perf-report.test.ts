import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeFolded } from '#core/export/folded.ts';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../../support/byte-source.ts';
import { checkImport } from '../../../support/check-import.ts';

// One recording of perf 6.1, printed with each order of call graphs.
const REPORTS = ['children', 'no-children', 'callees-first', 'folded'];
for (const name of REPORTS) checkImport({ path: `perf-report/${name}.txt`, format: 'perf-report', isText: true });

const read = (text: string | Uint8Array) => importProfile(byteSource(text, 'report.txt'));
function folded(profile: Profile): Record<string, number> {
  let text = '';
  writeFolded(profile, {}, (chunk) => (text += new TextDecoder().decode(chunk)));
  const lines = text.trimEnd().split('\n');
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  );
}

const FIBS = 'burn;__libc_start_call_main;main' + ';fib'.repeat(13);
/** `perf script` has 99 samples: 83, 11, 2, 1, 1 and 1 with these stacks. */
const STACKS = {
  'burn;__libc_start_call_main;main;hot': 83.84,
  'burn;__libc_start_call_main;main;cold': 11.11,
  [FIBS]: 2.02,
  [`${FIBS};fib`]: 1.01,
  'burn;__libc_start_call_main;main;mid': 1.01,
  'burn;__libc_start_call_main;main;hot;asm_sysvec_apic_timer_interrupt;irqentry_exit_to_user_mode;schedule;__schedule;finish_task_switch.isra.0': 1.01,
};

it.each(REPORTS)('reads the same stacks from call graphs: %s', async (name) => {
  const profile = await read(
    readFileSync(join(import.meta.dirname, `../../../fixtures/import/perf-report/${name}.txt`)),
  );
  expect(folded(profile)).toEqual(STACKS);
  expect(profile.valueTypes).toEqual([{ type: 'cpu-clock', unit: 'percent', event: 0, column: 0 }]);
  expect(profile.diagnostics.map(({ code }) => code)).toEqual(['percentages']);
});

const HEAD = `# Samples: 4K of event 'cycles:P'
# Event count (approx.): 2500000000
#
# Children      Self  Command  Shared Object      Symbol
# ........  ........  .......  .................  ......................
#
`;

it('reads a report of which only some rows are left', async () => {
  const profile = await read(`${HEAD}    99.10%     0.00%  app      libc.so.6          [.] __libc_start_main
            |
            ---__libc_start_main
               main
               |          
               |--70.00%--hot
               |          
                --29.10%--cold

    70.00%    70.00%  app      app                [.] hot
`);
  expect(folded(profile)).toEqual({ 'app;__libc_start_main;main;hot': 70, 'app;__libc_start_main;main;cold': 29.1 });
  expect(profile.metadata.comments).toContain('4K samples of cycles:P');
});

it('counts what the call graphs leave out in its function, without callers', async () => {
  const profile = await read(`${HEAD}    90.00%     0.00%  app      app                [.] main
            |
            ---main
               |          
                --80.00%--hot

    85.00%    85.00%  app      app                [.] hot
            |          
             --80.00%--main
                       hot

     5.00%     5.00%  app      app                [.] rare
`);
  expect(folded(profile)).toEqual({ 'app;main;hot': 80, 'app;hot': 5, 'app;rare': 5 });
  expect(profile.diagnostics.find(({ code }) => code === 'unlisted-callers')?.count).toBe(2);
});

it('gives code without a symbol one name in its row and in call graphs', async () => {
  const profile = await read(`# Overhead  Command  Shared Object  Symbol
# ........  .......  .............  ......................
#
    60.00%  tsc      tsc            [.] 0x00000000000126b7
            |
            ---0x4126b7
               main

    40.00%  tsc      tsc            [.] main
            |
            ---main
`);
  expect(folded(profile)).toEqual({ 'tsc;main;[tsc]': 60, 'tsc;main': 40 });
});

it.each([
  ["# Samples: 4 of events 'cycles, instructions'\n", /--no-group/],
  ['# Overhead  Command\n# ........  .......\n    10.00%  app\n', /without symbols/],
  // perf 6.1: `perf report --stdio -t ,`.
  ['# Children,    Self,Command,Symbol\n 23.23% , 22.22% ,sh     ,[.] main\n', /field separator; .* without -t/],
  [
    `${HEAD}    99.10%     0.00%  app      libc.so.6          [.] main\n            |\n               |--84--hot\n`,
    /with counts/,
  ],
])('refuses %j', async (text, message) => {
  const source = byteSource(text, 'report.txt');
  await expect(importProfile(source, { format: 'perf-report' })).rejects.toMatchObject({
    failure: 'unsupported',
    message: expect.stringMatching(message),
  });
});
