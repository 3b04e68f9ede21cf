import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { startArgv } from '#core/contract/launched-command.ts';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { launchProgram } from '#collectors/target/launched-program.ts';

const cwd = realpathSync(tmpdir());
const command = {
  kind: 'command' as const,
  argv: ['sh', '-c', 'pwd; printf "%s|" "$MODE" "$EMPTY" "$__proto__"'],
  cwd,
  env: ['MODE=a=b c', 'EMPTY=', '__proto__=own'],
};

test('a program starts in its folder with its environment, as its displayed command says', async () => {
  const target = createLocalTarget();
  let printed = '';
  const program = await launchProgram(target, command, undefined, async (output) => {
    for await (const chunk of output) printed += new TextDecoder().decode(chunk);
  });
  program.release();
  await program.exit;
  expect(printed).toBe(`${cwd}\na=b c||own|`);
  const shell = await target.run(['sh', '-c', quoteArgv(startArgv(command))], { input: false });
  let shown = '';
  for await (const chunk of shell.stdout) shown += new TextDecoder().decode(chunk);
  expect(shown).toBe(printed);
  await target.dispose();
});
