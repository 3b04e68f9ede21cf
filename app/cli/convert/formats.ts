import { Option, type Command } from 'commander';
import { exporters } from '#core/export/registry.ts';
import { importers } from '#core/import/registry.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { jsonText } from '../output/json-text.ts';
import { print } from '../output/terminal.ts';

export const formatsCommand: CliCommand = {
  configure(command: Command): void {
    command
      .addOption(new Option('--json', 'print JSON').conflicts('markdown'))
      .option('--markdown', 'print the page docs/formats.md');
  },

  run(command: Command): Promise<ExitCode> {
    const { json, markdown } = command.opts<{ json?: true; markdown?: true }>();
    const format = json === true ? formatsAsJson : markdown === true ? formatsAsMarkdown : formatsAsText;
    print(format());
    return Promise.resolve(ExitCode.ok);
  },
};

function formatsAsJson(): string {
  const reads = importers.map(({ id, label, extensions, recognizedBy, keeps, loses, specification }) => ({
    id,
    label,
    extensions,
    recognizedBy,
    keeps,
    loses,
    specification,
  }));
  const writes = exporters.map(({ id, label, extension, keeps, loses }) => ({ id, label, extension, keeps, loses }));
  return jsonText({ reads, writes });
}

function formatsAsText(): string {
  const width = Math.max(...[...importers, ...exporters].map(({ id }) => id.length));
  const row = (id: string, first: string, rest: readonly (readonly [string, string])[]): string[] => [
    `  ${id.padEnd(width)}  ${first}`,
    ...rest.map(([title, text]) => `  ${' '.repeat(width)}  ${title} ${text}`),
  ];
  return [
    'Reads (gzip and zstd are unwrapped, the content decides):',
    ...importers.flatMap(({ id, label, extensions, recognizedBy, keeps, loses }) =>
      row(id, `${label} (${extensions.map((extension) => `.${extension}`).join(' ')})`, [
        ['known by:', recognizedBy],
        ['keeps:', keeps],
        ['loses:', loses],
      ]),
    ),
    '',
    'Writes (convert --to):',
    ...exporters.flatMap(({ id, label, extension, keeps, loses }) =>
      row(id, `${label} (.${extension})`, [
        ['keeps:', keeps],
        ['loses:', loses],
      ]),
    ),
    '',
  ].join('\n');
}

/** The page docs/formats.md. */
function formatsAsMarkdown(): string {
  const endings = (extensions: readonly string[]): string =>
    extensions.map((extension) => `\`.${extension}\``).join(' ');
  const reads = importers.flatMap(({ id, label, extensions, recognizedBy, keeps, loses, specification }) => [
    `### ${label} (\`${id}\`)`,
    '',
    `- Usual endings: ${endings(extensions)}`,
    `- Known by: ${recognizedBy}.`,
    `- Keeps: ${keeps}.`,
    `- Loses: ${loses}.`,
    `- Specification: ${specification.startsWith('http') ? `<${specification}>` : `[${specification}](${specification.replace(/^docs\//, '')})`}`,
    '',
  ]);
  const writes = exporters.flatMap(({ id, label, extension, keeps, loses }) => [
    `### ${label} (\`--to ${id}\`, \`.${extension}\`)`,
    '',
    `- Keeps: ${keeps}.`,
    `- Loses: ${loses}.`,
    '',
  ]);
  return [
    '# Formats',
    '',
    'Made by `npx flamebench formats --markdown > docs/formats.md` from the registries of [core/import](../core/import/registry.ts) and',
    '[core/export](../core/export/registry.ts). How numbers compare with other tools’: [parity.md](parity.md).',
    '',
    '## What is read',
    '',
    'The content decides, not the name; gzip, zstd and UTF-16 are unwrapped. `--from FORMAT` overrules it.',
    '',
    ...reads,
    '## What is written',
    '',
    ...writes,
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}
