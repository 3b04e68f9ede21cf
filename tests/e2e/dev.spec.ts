import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { root, toolEnvironment } from '../../scripts/run-command.ts';
import { expect, test as base } from 'playwright/test';

/** A copy of the sources within the checkout, whose packages it finds above itself, so that tests can edit it. */
const test = base.extend<{ copy: string }>({
  copy: async ({ browserName: _none }, use) => {
    const artefacts = path.join(root, 'artefacts');
    mkdirSync(artefacts, { recursive: true });
    const copy = mkdtempSync(path.join(artefacts, 'dev-'));
    const parts = ['app', 'collectors', 'core', 'docs/failures', 'renderer', 'samples', 'scripts', ':(glob)*.*'];
    const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', ...parts];
    const files = execFileSync('git', words, { cwd: root, encoding: 'utf8' }).split('\0');
    for (const file of files.filter((name) => name !== '' && existsSync(path.join(root, name)))) {
      cpSync(path.join(root, file), path.join(copy, file));
    }
    await use(copy);
    rmSync(copy, { recursive: true, force: true });
  },
});

function replaceIn(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
}

test('npm run dev shows a changed column at once, and starts the engine again', async ({ copy, page }) => {
  const dev = spawn(
    process.execPath,
    ['scripts/dev.ts', 'samples/profiles/folded/lookup-service-after-1/raw.folded.txt'],
    {
      cwd: copy,
      env: { ...toolEnvironment(), FLAMEBENCH_CONFIG: path.join(copy, 'config') },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const lines = createInterface({ input: dev.stdout })[Symbol.asyncIterator]();
  const nextLink = async (): Promise<string> => {
    for (;;) {
      const { value = '', done } = await lines.next();
      if (done === true || /^http:\S+$/.test(value)) return value;
    }
  };
  try {
    await page.goto(await nextLink());
    await expect(page.getByRole('columnheader', { name: /^Self %/ }).first()).toBeVisible({ timeout: 60_000 });
    replaceIn(path.join(copy, 'renderer/ui/table/functions/columns.ts'), "'Self %'", "'Own share'");
    await expect(page.getByRole('columnheader', { name: /^Own share/ }).first()).toBeVisible();
    const before = page.url();
    replaceIn(path.join(copy, 'app/cli/main.ts'), 'import', '// changed\nimport');
    expect(await nextLink()).not.toBe('');
    await expect(page).not.toHaveURL(before);
  } finally {
    dev.kill();
    await once(dev, 'exit');
  }
});
