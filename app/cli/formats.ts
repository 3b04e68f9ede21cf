import type { Command } from 'commander';
import { exporters } from '#core/export/registry.ts';
import { importers } from '#core/import/registry.ts';
import { ExitCode, type CliCommand } from './command.ts';

export const formatsCommand: CliCommand = {
  configure(command: Command): void {
    command.option('--json', 'print JSON');
  },

  run(command: Command): Promise<ExitCode> {
    const { json } = command.opts<{ json?: true }>();
    process.stdout.write(json === true ? formatsAsJson() : formatsAsText());
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
  return `${JSON.stringify({ reads, writes }, null, 2)}\n`;
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
