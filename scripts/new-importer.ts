import { addRows, readNames, write } from './scaffold.ts';

/**
 * `npm run new:importer NAME`: what docs/recipes/add-an-importer.md describes, for a text format whose first line is its
 * name and whose others are `count root > leaf`: folder, row, fixture and test. It is green; change it from there.
 */
const { id, name, Name } = readNames('importer', 'core/import');
const folder = `core/import/${id}`;

write(
  `${folder}/${id}.ts`,
  `import type { Importer } from '../importer.ts';
import { byLine } from '../text/line-session.ts';

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
  start: async () => byLine(new (await import('./session.ts')).${Name}Session()),
};
`,
);
write(
  `${folder}/session.ts`,
  `import { NO_STACK } from '../../model/brand.ts';
import { malformed } from '../../model/failure.ts';
import { ProfileBuilder } from '../../model/profile-builder.ts';
import { FunctionKind, type Profile } from '../../model/profile.ts';
import type { LineSession } from '../text/line-session.ts';
import type { TextLine } from '../text/text-lines.ts';

const ROW = /^(\\d{1,15}) (.+)$/;

export class ${Name}Session implements LineSession {
  readonly #builder = new ProfileBuilder(1);
  readonly #thread = this.#builder.thread(-1, -1, '');

  finish(lastLine: number): Profile {
    if (this.#builder.sampleCount === 0) throw malformed('no line is "count stack"', lastLine);
    return this.#builder.finish([{ type: 'samples', unit: 'count' }], { format: '${id}' });
  }

  line({ text, number }: TextLine): void {
    if (text === '' || text.startsWith('#')) return;
    const [, count, frames] = ROW.exec(text) ?? [];
    const builder = this.#builder;
    if (frames === undefined) {
      builder.diagnostics.atLine('skipped-line', 'Lines that are not "count stack" were skipped.', number);
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
addRows('core/import/registry.ts', [
  { before: 'import type { Importer }', row: `import { ${name}Importer } from './${id}/${id}.ts';\n` },
  { before: '  foldedImporter,\n', row: `  ${name}Importer,\n` },
]);
process.stdout.write(
  `Next: npm run bless -- tests/core/import/${id}, read the golden, then docs/recipes/add-an-importer.md from its second step on.\n`,
);
