import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'vitest';
import { LAUNCHER } from './run-cli.ts';

export interface McpClient {
  readonly client: Client;
  call(name: string, given: Record<string, unknown>): Promise<{ text: string; isError: boolean }>;
  /** Opens a profile and returns its handle. */
  open(input: string): Promise<string>;
}

const newClient = (): Client => new Client({ name: 'test', version: '1' });

/** Starts `flamebench mcp` with these options in a process of its own, and connects the protocol's own client to it. */
export async function startMcp(args: readonly string[], client = newClient()): Promise<McpClient> {
  // Without `env`, the transport passes on only HOME, PATH and the like, not the configuration folder of the tests.
  const env = process.env as Record<string, string>;
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [LAUNCHER, 'mcp', ...args], env, stderr: 'ignore' }),
  );
  const call: McpClient['call'] = async (name, given) => {
    const { content, isError } = await client.callTool({ name, arguments: given });
    const [first] = content as { text: string }[];
    return { text: first!.text, isError: isError === true };
  };
  return {
    client,
    call,
    async open(input) {
      const { text, isError } = await call('open', { input });
      expect({ text, isError }).toMatchObject({ isError: false });
      return /^(h\d+) /m.exec(text)![1]!;
    },
  };
}

/** Returns the cells of an answer's table. */
export function rowsOf(text: string): string[][] {
  const lines = text.split('\n');
  const titles = lines.findIndex((line) => line.includes('\t'));
  return lines.slice(titles + 1, -1).map((line) => line.split('\t'));
}
