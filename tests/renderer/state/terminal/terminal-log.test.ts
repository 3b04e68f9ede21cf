import { describe, expect, it, vi } from 'vitest';
import { createTerminalLog } from '../../../../renderer/state/terminal/terminal-log.ts';
import { createTypedText } from '../../../../renderer/state/terminal/typed-text.ts';

/** Returns an engine with a terminal that has shown `text`. */
function engineWith(text: string): { text: string; read: () => Promise<{ text: string; end: number }>; reads: number } {
  const engine = {
    text,
    reads: 0,
    read: () => {
      engine.reads += 1;
      return Promise.resolve({ text: engine.text, end: engine.text.length });
    },
  };
  return engine;
}

function shownBy(log: ReturnType<typeof createTerminalLog>): { text: string } {
  const shown = { text: '' };
  log.show((piece) => {
    shown.text = piece === null ? '' : shown.text + piece;
  });
  return shown;
}

describe('the terminal of a target', () => {
  it('shows existing output, then new output, each piece once', async () => {
    const engine = engineWith('one ');
    const log = createTerminalLog(engine.read);
    const shown = shownBy(log);
    log.receive('one ', 4);
    log.receive('two ', 8);
    await vi.waitFor(() => {
      expect(shown.text).toBe('one two ');
    });
    log.receive('two three', 13);
    expect(shown.text).toBe('one two three');
    expect(engine.reads).toBe(1);
  });

  it('rereads everything if a piece is missing', async () => {
    const engine = engineWith('one ');
    const log = createTerminalLog(engine.read);
    const shown = shownBy(log);
    await vi.waitFor(() => {
      expect(shown.text).toBe('one ');
    });
    engine.text = 'one two three ';
    log.receive('three ', 14);
    await vi.waitFor(() => {
      expect(shown.text).toBe('one two three ');
    });
  });

  it('shows a later pane everything, and counts what was dropped', async () => {
    const log = createTerminalLog(engineWith('a\u001b]52;c;x\u0007b').read);
    const first = shownBy(log);
    await vi.waitFor(() => {
      expect(first.text).toBe('ab');
    });
    expect(shownBy(log).text).toBe('ab');
    expect(log.facts.get()).toEqual({ isEmpty: false, dropped: 1 });
  });
});

describe('typed text', () => {
  it('is sent in order, one request at a time', async () => {
    const sent: string[] = [];
    let release = (): void => {};
    const typed = createTypedText(
      (text) => {
        sent.push(text);
        return new Promise((resolve) => {
          release = () => {
            resolve(true);
          };
        });
      },
      () => {
        throw new Error('refused');
      },
    );
    for (const key of 'secret\r') typed.type(key);
    expect(sent).toEqual(['s']);
    release();
    await vi.waitFor(() => {
      expect(sent).toEqual(['s', 'ecret\r']);
    });
    release();
  });

  it('is discarded if no prompt accepts it', async () => {
    const refused = vi.fn();
    const send = vi.fn(() => Promise.resolve(false));
    const typed = createTypedText(send, refused);
    for (const key of 'secret\r') typed.type(key);
    await vi.waitFor(() => {
      expect(refused).toHaveBeenCalledTimes(1);
    });
    expect(send).toHaveBeenCalledTimes(1);
  });
});
