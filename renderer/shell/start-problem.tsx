import { useState, type FormEvent, type ReactElement } from 'react';
import { Mark } from '../ui/icons.tsx';
import { useTheme } from '../ui/theme.ts';
import { Button } from '../ui/buttons.tsx';

/** Shown if the page was opened without a session. */
export function StartProblem(): ReactElement {
  useTheme('system');
  return (
    <main className="start-problem">
      <Mark />
      <h1>This page has no session</h1>
      <p>
        The link that Flamebench prints opens the workbench once, within 15 minutes. For a new link, press Enter in its
        terminal, run <code>flamebench serve --link</code>, or choose <i>Open another window</i> in the command palette
        of an open window. If Flamebench is not running, start it: <code>flamebench</code>.
      </p>
    </main>
  );
}

interface CodeFormProps {
  /** Sends the code; resolves with a session token, or with the problem. */
  readonly enter: (code: string) => Promise<{ readonly token: string } | { readonly problem: string }>;
  readonly onToken: (token: string) => void;
}

/** Asks for the code, under an address without a token. */
export function CodeForm({ enter, onToken }: CodeFormProps): ReactElement {
  useTheme('system');
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState('');
  const [isSending, setSending] = useState(false);

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    setSending(true);
    const answer = await enter(code).catch(() => ({ problem: 'The engine does not answer. Restart Flamebench.' }));
    setSending(false);
    if ('token' in answer) {
      onToken(answer.token);
      return;
    }
    setProblem(answer.problem);
    setCode('');
  }

  return (
    <main className="start-problem">
      <Mark />
      <h1>Enter the code</h1>
      <p>Flamebench’s terminal shows six digits, valid for 60 seconds. Press Enter there for new ones.</p>
      <form className="code-form" onSubmit={(event) => void send(event)}>
        <input
          aria-label="Code"
          inputMode="numeric"
          autoComplete="off"
          maxLength={12}
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
        <Button type="submit" className="primary" disabled={isSending || code.trim() === ''}>
          Open
        </Button>
      </form>
      <p role="alert">{problem}</p>
    </main>
  );
}
