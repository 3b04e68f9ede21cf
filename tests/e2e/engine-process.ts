import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { root, toolEnvironment } from '../../scripts/run-command.ts';

/** `flamebench serve` with its own library, started as a user does. */
export interface EngineProcess {
  /** The printed link, which works once. */
  readonly url: string;
  /** Returns the code printed for pages under another address. */
  code(): Promise<string>;
  readonly process: ChildProcess;
  close(): Promise<void>;
}

export interface EngineStart {
  readonly library: string;
  /** Folder of the settings; next to the library by default. */
  readonly config?: string;
  /** The port; 0 selects a free one. */
  readonly port?: number;
  /** Files to open first. */
  readonly files?: readonly string[];
  /** Additional words of its command line. */
  readonly words?: readonly string[];
  /** The program and the words that start its command line, instead of the product's. */
  readonly program?: readonly string[];
  /** Added to its environment. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function startEngineProcess({
  library,
  config = path.join(library, '..', 'config'),
  port = 0,
  files = [],
  words = [],
  program = ['node', 'app/cli/flamebench.mjs'],
  env: added = {},
}: EngineStart): Promise<EngineProcess> {
  const [command = '', ...first] = program;
  const argv = [...first, 'serve', '--library', library, '--port', String(port), ...words, ...files];
  const env = { ...toolEnvironment(), FLAMEBENCH_CONFIG: config, ...added };
  const child = spawn(command, argv, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  let complaints = '';
  child.stderr.on('data', (text: Buffer) => {
    complaints += text.toString();
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => {
      printed += text.toString();
      const link = /^http:\S+$/m.exec(printed);
      if (link !== null) resolve(link[0]);
    });
    child.once('error', reject);
    child.once('exit', (code) => {
      reject(new Error(`the engine ended with ${String(code)}: ${complaints}`));
    });
  });
  return {
    url,
    code: async () => {
      let code: string | undefined;
      while (code === undefined) {
        code = /^Code for .*: (\d{6}) /m.exec(complaints)?.[1];
        if (code === undefined) await once(child.stderr, 'data');
      }
      return code;
    },
    process: child,
    close: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
