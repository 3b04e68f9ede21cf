import { launchedCommand } from '../contract/launched-command.ts';
import { redactArgv } from '../redact/redact-argv.ts';

type Recorded = Parameters<typeof launchedCommand>[0];

/** Returns the recorded commands without secrets, each once: what ran, else the tool's command. */
export function recordedCommands(documents: readonly (Recorded | null)[]): string[][] {
  const found = new Map<string, string[]>();
  for (const document of documents) {
    if (document === null) continue;
    const launched = launchedCommand(document);
    const argv = redactArgv(launched.length > 0 ? launched : (document.collector?.commands[0] ?? []));
    if (argv.length > 0) found.set(JSON.stringify(argv), argv);
  }
  return [...found.values()];
}
