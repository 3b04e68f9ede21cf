import type { ReactElement } from 'react';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import { CopyButton } from '../../ui/fields/copy-button.tsx';

/** The exact command that will run on this machine to connect. */
export function SshCommand({ argv }: { argv: readonly string[] }): ReactElement {
  const text = quoteArgv(argv);
  return (
    <div className="plan-commands ssh-command">
      <h3>Exactly this will run on this machine</h3>
      <CopyButton label="Copy the command" text={text} />
      <pre className="mono">{text}</pre>
      <p className="dim">
        Your own ssh client, with your ~/.ssh/config, agent and known hosts. Its prompts appear in the terminal;
        passwords are never stored.
      </p>
    </div>
  );
}
