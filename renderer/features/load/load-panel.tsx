import { useEffect, useRef, type ReactElement } from 'react';
import type { LoadTab } from '../../state/load/tab.ts';
import type { Theme } from '../../ui/flame/graph.types.ts';
import { useStore } from '../../state/store.ts';
import { usePart } from '../../ui/parts.tsx';
import { RunPage } from './experiment/run-page.tsx';
import { TestsPage } from './tests-page.tsx';
import './load.css';

/** A tab of load tests or of an experiment: the form, the progress of what runs, and the result. */
export function LoadPanel({ tab }: { readonly tab: LoadTab; readonly theme: Theme }): ReactElement {
  const page = useStore(tab.store, ({ place }) => place.page);
  const panel = useRef<HTMLDivElement>(null);
  usePart('page', panel);
  const { isNew } = tab;
  useEffect(() => {
    const find = (selector: string): HTMLElement | null | undefined => panel.current?.querySelector(selector);
    if (isNew) (find('[data-first-focus]') ?? find('input'))?.focus();
  }, [isNew]);
  return (
    <div ref={panel} className="load-tab" role="tabpanel" id={`${tab.id}-panel`} aria-labelledby={`${tab.id}-tab`}>
      {page === 'tests' ? <TestsPage tab={tab} /> : <RunPage tab={tab} />}
    </div>
  );
}
