import { Option, type Command } from 'commander';
import { exporters, type Exporter } from '#core/export/registry.ts';
import { chooseValueType } from './choose-value-type.ts';
import { ExitCode, type CliCommand } from './command.ts';
import { usageError } from './errors.ts';
import { openOutput } from './output-file.ts';
import { readInput } from './read-input.ts';

interface ConvertOptions {
  readonly to: string;
  readonly output: string;
  readonly type?: string;
  readonly from?: string;
}

export const convertCommand: CliCommand = {
  configure(command: Command): void {
    command
      .argument('<in>', 'profile to read; - is stdin')
      .addOption(
        new Option('--to <format>', 'format to write').choices(exporters.map(({ id }) => id)).makeOptionMandatory(),
      )
      .option('-o, --output <out>', 'file to write; - is stdout', '-')
      .option('--type <type>', 'value type to write, as type or type/unit (folded); default: the profile’s own')
      .option('--from <format>', 'format of the input, whatever its content says');
  },

  async run(command: Command): Promise<ExitCode> {
    const options = command.opts<ConvertOptions>();
    const exporter = exporters.find(({ id }) => id === options.to)!;
    refuseUnfit(exporter, options);
    const profile = await readInput(command.args[0]!, options.from);
    const valueType = chooseValueType(profile, options.type);
    const output = openOutput(options.output);
    try {
      exporter.write(profile, { valueType }, (chunk) => output.write(chunk));
      output.commit();
    } catch (error) {
      output.discard();
      throw error;
    }
    return ExitCode.ok;
  },
};

function refuseUnfit({ id, isText, oneValueType, extension }: Exporter, { output, type }: ConvertOptions): void {
  if (!isText && output === '-' && process.stdout.isTTY) {
    throw usageError(`${id} is no text and stdout is a terminal`, `name a file: -o profile.${extension}`);
  }
  if (!oneValueType && type !== undefined) {
    throw usageError(`--type makes no difference to ${id}, which holds all value types`, 'leave it out');
  }
}
