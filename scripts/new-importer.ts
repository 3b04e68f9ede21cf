import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * `npm run new:importer NAME`: what docs/recipes/add-an-importer.md describes, for a text format whose first line is its
 * name and whose others are `count root > leaf`: folder, row, fixture and test. It is green; change it from there. It
 * works on the checkout that it is started in.
 */
const root = process.cwd();
const [id = ''] = process.argv.slice(2);
const name = id.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
const Name = name.charAt(0).toUpperCase() + name.slice(1);
const folder = `core/import/${id}`;
if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id))
  fail('usage: npm run new:importer NAME, in lower case, such as my-format');
if (existsSync(path.join(root, folder))) fail(`${folder} exists; choose another name`);

write(
  `${folder}/${id}.ts`,
  `import type { Importer } from '../importer.ts';

/** TODO: what writes this format. */
export const ${name}Importer: Importer = {
  id: '${id}',
  label: '${id}',
  extensions: ['${id}'],
  keeps: 'stacks and counts',
  loses: 'nothing',
  recognizedBy: 'its first line, \`# ${id}\`',
  specification: 'https://example.org/${id}',
  sniff: ({ text }) => (/^# ${id}\\r?\\n/.test(text) ? 'yes' : 'no'),
  start: async () => new (await import('./session.ts')).${Name}Session(),
};
`,
);
write(
  `${folder}/session.ts`,
  `import { NO_STACK, type ValueTypeIndex } from '../../model/brand.ts';
import { ImportFailure } from '../../model/failure.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import { FunctionKind, type Profile } from '../../model/profile.ts';
import type { ImportSession } from '../importer.ts';
import { TextLines, type TextLine } from '../text/text-lines.ts';

const ROW = /^(\\d{1,15}) (.+)$/;

export class ${Name}Session implements ImportSession {
  readonly #builder = new ProfileBuilder(1);
  readonly #thread = this.#builder.thread(-1, -1, '');
  readonly #lines = new TextLines((line) => this.#line(line));

  push(chunk: Uint8Array): void {
    this.#lines.push(chunk);
  }

  finish(): Profile {
    this.#lines.finish();
    if (this.#builder.sampleCount === 0) throw new ImportFailure('malformed', 'no line is "count stack"', { line: 1 });
    return this.#builder.finish([{ type: 'samples', unit: 'count', event: -1, column: 0 }], {
      format: '${id}',
      defaultValueType: 0 as ValueTypeIndex,
    });
  }

  #line({ text, number }: TextLine): void {
    if (text === '' || text.startsWith('#')) return;
    const [, count, frames] = ROW.exec(text) ?? [];
    const builder = this.#builder;
    if (frames === undefined) {
      builder.diagnostics.add('skipped-line', 'Lines that are not "count stack" were skipped.', {
        severity: 'warning',
        first: { line: number },
      });
      return;
    }
    let stack = NO_STACK;
    for (const frame of frames.split(' > ')) {
      stack = builder.stack(stack, builder.frame({ func: builder.function({ name: frame, kind: FunctionKind.unknown }) }));
    }
    builder.sample({ stack, thread: this.#thread }, Number(count));
  }
}
`,
);
write(`tests/fixtures/import/${id}/small.${id}`, `# ${id}\n3 main > parse\n2 main > write\n`);
write(
  `tests/core/import/${id}/${id}.test.ts`,
  `import { checkImport } from '../../../support/check-import.ts';

checkImport({ path: '${id}/small.${id}', format: '${id}', isText: true });
`,
);
const registry = path.join(root, 'core/import/registry.ts');
const rows = readFileSync(registry, 'utf8');
writeFileSync(
  registry,
  rows
    .replace(/^import type \{ Importer \}/m, `import { ${name}Importer } from './${id}/${id}.ts';\n$&`)
    .replace('  foldedImporter,\n', `  ${name}Importer,\n$&`),
);
process.stdout.write(
  `Next: npm run bless -- tests/core/import/${id}, read the golden, then docs/recipes/add-an-importer.md from its second step on.\n`,
);

function write(file: string, text: string): void {
  const full = path.join(root, file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, text, { flag: 'wx' });
  process.stdout.write(`${file}\n`);
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
