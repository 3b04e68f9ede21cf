import { useState, type JSX } from 'react';
import { createTerminalLog } from '../../../renderer/state/terminal/terminal-log.ts';
import { TerminalScreen } from '../../../renderer/features/terminal/terminal-screen.tsx';
import '../../../renderer/features/terminal/terminal.css';

/** `?terminal=<the host's output>` shows a terminal alone; text typed into it is in the document's `data-typed`. */
export function TerminalHarness({ text }: { text: string }): JSX.Element {
  const [log] = useState(() => createTerminalLog(() => Promise.resolve({ text, end: text.length })));
  const [asks, setAsks] = useState(false);
  const { dataset } = document.documentElement;
  return (
    <main className="terminal-harness">
      <div className="terminal-frame fill">
        <label>
          <input
            type="checkbox"
            checked={asks}
            onChange={(event) => {
              setAsks(event.target.checked);
            }}
          />
          asks
        </label>
        <button
          type="button"
          onClick={() => {
            log.receive(text, text.length * 2);
          }}
        >
          say it again
        </button>
        <TerminalScreen
          label="Terminal of web-1"
          log={log}
          asks={asks}
          onInput={(typed) => {
            dataset['typed'] = (dataset['typed'] ?? '') + typed;
          }}
          onSize={({ columns, rows }) => {
            dataset['size'] = `${columns} ${rows}`;
          }}
        />
        <button type="button">after</button>
      </div>
    </main>
  );
}
