import type { ReactElement, ReactNode } from 'react';
import { SearchField } from '../ui/fields/search-field.tsx';
import type { Subject } from './subject.ts';

/** The search above a graph, shared by all sections of its subject. */
export function SearchLine({ subject, children }: { subject: Subject; children: ReactNode }): ReactElement {
  return (
    <div className="search-line">
      <SearchField text={subject.search} onText={subject.setSearch} refused={subject.refused}>
        {children}
      </SearchField>
    </div>
  );
}
