import { useRef, type ReactElement, type ReactNode } from 'react';
import { Segments } from '../../ui/fields/segments.tsx';
import { Splitter } from '../../ui/fields/splitter.tsx';
import { usePart } from '../../ui/parts.tsx';

interface DetailsPaneProps<Page extends string> {
  readonly width: number;
  /** The least and the greatest width. */
  readonly widths: readonly [number, number];
  readonly widthLabel?: string;
  readonly onWidth: (width: number) => void;
  readonly page: Page;
  /** The names of the pages that are offered. */
  readonly pages: Parameters<typeof Segments<Page>>[0]['options'];
  readonly onPage: (page: Page) => void;
  /** Describes the page for screen readers. */
  readonly title: string;
  readonly children: ReactNode;
}

/** The pane next to the tables, of which one page is shown. */
export function DetailsPane<Page extends string>(props: DetailsPaneProps<Page>): ReactElement {
  const { width, widths, widthLabel = 'Width of the details pane' } = props;
  const pane = useRef<HTMLElement>(null);
  usePart('details', pane);
  return (
    <>
      <Splitter
        label={widthLabel}
        orientation="vertical"
        value={width}
        min={widths[0]}
        max={widths[1]}
        perPixel={() => -1}
        onChange={props.onWidth}
      />
      <aside ref={pane} className="side-panel" style={{ width }} aria-label="Details">
        <div className="side-panel-head">
          <Segments label="Page of the details pane" value={props.page} options={props.pages} onChange={props.onPage} />
        </div>
        <div className="side-panel-body" tabIndex={0} role="tabpanel" aria-label={props.title}>
          {props.children}
        </div>
      </aside>
    </>
  );
}
