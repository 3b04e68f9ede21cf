import { isIPv6 } from 'node:net';
import { resolve } from 'node:path';
import { defaultLibraryPath } from '#app/engine/library/library-path.ts';
import { print } from '../output/terminal.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { LIBRARY_OPTION } from '../library/library-option.ts';
import { usageError } from '../errors.ts';
import { takesOnly } from '../option-values.ts';
import { ensureRenderer, serveUntilSignal, startWorkbench } from './run-workbench.ts';

interface ServeOptions {
  readonly port?: string;
  readonly library?: string;
  readonly host?: readonly string[];
  readonly link?: true;
}

export const serveCommand: CliCommand = {
  configure(command) {
    command
      .argument('[FILE...]', 'files, or ids of captures, to open first')
      .option('--port <N>', 'port on 127.0.0.1 and [::1] (default: a free one)')
      .option(
        '--host <NAME>',
        'also answer under this name or address, asking for a code there; repeatable',
        (name: string, names: readonly string[] | undefined) => [...(names ?? []), parseHost(name)],
      )
      .option('--link', 'print a new link of the running server of the library, and exit')
      .option(...LIBRARY_OPTION);
  },

  async run(command) {
    const { port, library, host, link } = command.opts<ServeOptions>();
    const { answerLinkRequests, askForLink } = await import('./link-socket.ts');
    const libraryPath = library === undefined ? defaultLibraryPath() : resolve(library);
    if (link === true) {
      takesOnly(command, 'serve --link', ['link', 'library']);
      if (command.args.length > 0) throw usageError('serve --link opens nothing', 'leave the files out');
      print(`${await askForLink(libraryPath)}\n`);
      return ExitCode.ok;
    }
    const portNumber = port === undefined ? 0 : parsePort(port);
    await ensureRenderer();
    const engine = await startWorkbench({
      port: portNumber,
      open: command.args,
      ...(host === undefined ? {} : { hosts: host }),
      libraryPath,
    });
    const stopAnswering = await answerLinkRequests(engine, libraryPath);
    await serveUntilSignal(engine, 'Open this link in a browser.');
    await stopAnswering();
    return ExitCode.ok;
  },
};

/** Parses a name or an address as in the Host header, without a port, since any port is accepted. */
function parseHost(text: string): string {
  // A Host header has no zone.
  if (isIPv6(text) && !text.includes('%')) return new URL(`http://[${text}]`).hostname;
  if (/^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i.test(text)) return text.toLowerCase();
  throw usageError(`Invalid --host ${text}`, 'give a host name or an IP address, without http:// and without a port');
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw usageError(`Invalid --port ${text}`, 'give a number from 1 to 65535, or leave it out');
}
