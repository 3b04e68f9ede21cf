import { useEffect, useEffectEvent, useRef, useState, type ReactElement } from 'react';
import { useKeymap } from '../../ui/keys/use-keymap.ts';
import { usePart } from '../../ui/parts.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { toProblem } from '../../state/problem.ts';
import type { Problem } from '../../ui/problem.ts';
import type { TerminalLog } from '../../state/terminal/terminal-log.ts';
import type { TerminalSize, TerminalView } from '../../ui/terminal/terminal-view.ts';
import { loadPart } from '../../ui/load-part.ts';

interface TerminalScreenProps {
  readonly label: string;
  readonly log: TerminalLog;
  /** True if a prompt is waiting; input is ignored otherwise. */
  readonly asks: boolean;
  readonly onInput: (text: string) => void;
  readonly onSize: (size: TerminalSize) => void;
}

/** The rows of a terminal. Its code is loaded when one is first shown. */
export function TerminalScreen({ label, log, asks, onInput, onSize }: TerminalScreenProps): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<TerminalView | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const keymap = useKeymap();
  usePart('terminal', box);
  const take = useEffectEvent(onInput);
  const isWindowKey = useEffectEvent((event: KeyboardEvent) => keymap.at('window', event) !== null);

  useEffect(() => {
    let opened: TerminalView | null = null;
    let ended = false;
    loadPart(() => import('../../ui/terminal/terminal-view.ts')).then(
      ({ openTerminalView }) => {
        if (ended || box.current === null) return;
        opened = openTerminalView(box.current, {
          label,
          onInput: (text) => take(text),
          isWindowKey: (event) => isWindowKey(event),
        });
        setView(opened);
      },
      (error: unknown) => {
        if (!ended) setProblem(toProblem(error));
      },
    );
    return () => {
      ended = true;
      opened?.dispose();
      setView(null);
    };
  }, [label]);

  useEffect(() => (view === null ? undefined : log.show((text) => view.write(text))), [view, log]);
  useSize(box, view, onSize);
  useEffect(() => {
    view?.setInput(asks);
    // Focuses the prompt, unless the user is typing elsewhere.
    if (asks && !isWriting()) view?.focus();
  }, [view, asks]);

  return (
    <>
      {problem !== null && <ProblemView problem={problem} />}
      <div ref={box} className={asks ? 'terminal-screen asks' : 'terminal-screen'} />
    </>
  );
}

/** Fits rows and columns to the available space, now and when it changes. */
function useSize(
  box: { readonly current: HTMLElement | null },
  view: TerminalView | null,
  onSize: (size: TerminalSize) => void,
): void {
  const tell = useEffectEvent(onSize);
  useEffect(() => {
    const element = box.current;
    if (view === null || element === null) return undefined;
    let last = '';
    const fit = (): void => {
      const size = view.fit();
      const text = `${size.columns} ${size.rows}`;
      if (text !== last) tell(size);
      last = text;
    };
    const observer = new ResizeObserver(fit);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, view]);
}

function isWriting(): boolean {
  return document.activeElement?.matches('input, textarea, select') === true;
}
