import { Command } from 'commander';
import { libraryWords } from '../library/library-option.ts';

interface Writing {
  readonly force?: boolean;
  readonly library?: string | undefined;
}

/** Writes the report of an experiment as `flamebench report --template finding` does. */
export async function writeFinding(experimentId: string, path: string, { force, library }: Writing): Promise<void> {
  const { reportCommand } = await import('../report/report.ts');
  const command = new Command();
  reportCommand.configure(command);
  const words = [experimentId, '--template', 'finding', '--to', 'html', '-o', path, ...libraryWords(library)];
  command.parse([...words, ...(force === true ? ['--force'] : [])], { from: 'user' });
  await reportCommand.run(command);
}
