import type { ReactElement, ReactNode } from 'react';
import { SearchField } from '../ui/fields/search-field.tsx';
import type { Subject } from './subject.ts';

/** Above a graph: the search that its section shares with the others of its subject. */
export function SearchLine({ subject, children }: { subject: Subject; children: ReactNode }): ReactElement {
  return (
    <div className="search-line">
      <SearchField text={subject.search} onText={subject.setSearch} refused={subject.refused}>
        {children}
      </SearchField>
    </div>
  );
}
