import { ExitCode, type CliCommand } from './command.ts';
import { usageError } from './errors.ts';
import { ensureRenderer, serveUntilSignal, startWorkbench } from './run-workbench.ts';

interface ServeOptions {
  readonly port?: string;
  readonly library?: string;
}

export const serveCommand: CliCommand = {
  configure(command) {
    command
      .argument('[FILE...]', 'files, or ids of captures, to open first')
      .option('--port <N>', 'port on 127.0.0.1 (default: one that is free)')
      .option('--library <FOLDER>', 'the library (default: $FLAMEBENCH_LIBRARY, else in the user’s data folder)');
  },

  async run(command) {
    const { port, library } = command.opts<ServeOptions>();
    const portNumber = port === undefined ? 0 : parsePort(port);
    await ensureRenderer();
    const engine = await startWorkbench({
      port: portNumber,
      open: command.args,
      ...(library === undefined ? {} : { libraryPath: library }),
    });
    await serveUntilSignal(engine, 'Open this link in a browser.');
    return ExitCode.ok;
  },
};

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw usageError(`--port ${text} is no port`, 'give a number from 1 to 65535, or leave it out');
}
