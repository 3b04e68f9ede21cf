import { resolve } from 'node:path';
import type { Command } from 'commander';
import { CompareRefusal } from '#core/model/failure.ts';
import { VERSION } from '../../version.ts';
import { ExitCode, type CliCommand, type CommandRow } from '../command.ts';
import { usageError } from '../errors.ts';
import { readOnlyRecorded } from '../input/read-input.ts';
import { LIBRARY_OPTION } from '../library/library-option.ts';
import { collect } from '../option-values.ts';
import { explainError } from '../output/report-error.ts';
import { warn } from '../output/terminal.ts';
import { readRoots } from './captures.ts';

interface McpFlags {
  readonly root?: readonly string[];
  readonly library?: string;
  readonly trust?: true;
  readonly allowRecord?: true;
}

export const mcpCommand = (commands: readonly CommandRow[]): CliCommand => ({
  configure(command: Command): void {
    command
      .option('--root <folder>', 'folder whose files the agent may open (repeatable)', collect)
      .option(LIBRARY_OPTION[0], 'library whose captures the agent may open by id; default: none')
      .option(
        '--trust',
        'take names of files that are not captures from this machine’s binaries, as the other commands do',
      )
      .option(
        '--allow-record',
        'also record processes into the library, each after the user has confirmed the commands in the agent’s program',
      )
      .addHelpText('after', '\nIt speaks the Model Context Protocol on stdin and stdout until stdin ends.');
  },

  async run(command: Command): Promise<ExitCode> {
    const { root = [], library, trust, allowRecord } = command.opts<McpFlags>();
    if (root.length === 0 && library === undefined)
      throw usageError('nothing may be opened', 'name folders with --root, or a library with --library');
    if (allowRecord === true && library === undefined)
      throw usageError('--allow-record has no library for what it records', 'name one: --library FOLDER');
    const allowed = { roots: readRoots(root), library: library === undefined ? undefined : resolve(library) };
    if (trust !== true) readOnlyRecorded();
    const [
      { McpServer },
      { StdioServerTransport, serveStdio },
      { createSession },
      { profileTools },
      { comparisonTools },
      { DATA_NOTICE, errorLine },
      { registerRecord },
    ] = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('@modelcontextprotocol/server/stdio'),
      import('./session.ts'),
      import('./profile-tools.ts'),
      import('./comparison-tools.ts'),
      import('./answer.ts'),
      import('./record.ts'),
    ]);
    const session = createSession(commands, allowed);
    /** One answer at a time: commands share the process's output. */
    let previous: Promise<unknown> = Promise.resolve();
    const answer = async (lines: () => Promise<readonly string[]>) => {
      const mine = previous.then(lines);
      previous = mine.catch(() => undefined);
      try {
        return textResult([DATA_NOTICE, ...(await mine)].join('\n'));
      } catch (error) {
        const line = error instanceof CompareRefusal ? error.message : explainError(error).line;
        return { ...textResult(errorLine(line)), isError: true };
      }
    };
    const createServer = () => {
      const server = new McpServer(
        { name: 'flamebench', version: VERSION },
        {
          instructions: `Profiles of programs${allowRecord === true ? '' : ', read-only'}. Begin with open. ${DATA_NOTICE}`,
        },
      );
      for (const { name, description, input, answer: linesOf } of [...profileTools, ...comparisonTools]) {
        const annotations = { readOnlyHint: true, openWorldHint: false };
        server.registerTool(name, { description, inputSchema: input, annotations }, (given) =>
          answer(() => linesOf(session, given)),
        );
      }
      if (allowRecord === true && allowed.library !== undefined)
        registerRecord(server, session, allowed.library, answer);
      return server;
    };
    const transport = new StdioServerTransport();
    serveStdio(createServer, { transport, onerror: ({ message }) => warn(message) });
    await new Promise<void>((ended) => {
      const onclose = transport.onclose;
      transport.onclose = () => {
        onclose?.();
        ended();
      };
    });
    return ExitCode.ok;
  },
});

const textResult = (text: string) => ({ content: [{ type: 'text' as const, text }] });
