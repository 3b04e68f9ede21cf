import { useId, useRef, type JSX, type KeyboardEvent, type ReactNode } from 'react';
import type { Settings } from '#core/contract/settings-schema.ts';

type TablePage = Settings['table'];

const PAGES: readonly { readonly page: TablePage; readonly label: string; readonly title: string }[] = [
  { page: 'functions', label: 'Functions', title: 'Each function once, with self and total weight' },
  { page: 'tree', label: 'Call tree', title: 'The graph as rows' },
  { page: 'edges', label: 'Callers & callees', title: 'Callers and callees of the selected function' },
];

interface TableTabsProps {
  readonly page: TablePage;
  readonly onPage: (page: TablePage) => void;
  readonly children: ReactNode;
}

/** The tabs of the tables; arrows, Home and End move between them. */
export function TableTabs({ page, onPage, children }: TableTabsProps): JSX.Element {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  function onKeyDown(event: KeyboardEvent): void {
    const at = PAGES.findIndex((one) => one.page === page);
    const to = {
      ArrowRight: (at + 1) % PAGES.length,
      ArrowLeft: (at + PAGES.length - 1) % PAGES.length,
      Home: 0,
      End: PAGES.length - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onPage(PAGES[to]!.page);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[to]?.focus();
  }
  return (
    <>
      <div ref={list} className="table-tabs" role="tablist" aria-label="Tables" tabIndex={-1} onKeyDown={onKeyDown}>
        {PAGES.map((one) => (
          <button
            key={one.page}
            type="button"
            role="tab"
            id={`${id}-${one.page}`}
            aria-selected={one.page === page}
            aria-controls={`${id}-panel`}
            tabIndex={one.page === page ? 0 : -1}
            title={one.title}
            onClick={() => onPage(one.page)}
          >
            {one.label}
          </button>
        ))}
      </div>
      <div className="table-page fill" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${page}`}>
        {children}
      </div>
    </>
  );
}
