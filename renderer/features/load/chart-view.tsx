import { createElement, type ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { Markup, MarkupChild } from '#core/export/markup.ts';

/** Attributes that React names differently. */
const REACT_NAMES: Readonly<Record<string, string>> = {
  class: 'className',
  'text-anchor': 'textAnchor',
  'font-size': 'fontSize',
  'stroke-dasharray': 'strokeDasharray',
};

/**
 * Renders a chart from core as elements: no markup is parsed, and no inline styles are used, which the page's policy
 * forbids.
 */
const ChartView = ({ svg }: { readonly svg: Markup }): ReactElement => toElement(svg, 0) as ReactElement;

interface ChartFiguresProps {
  readonly charts: readonly { readonly id: string; readonly title: string; readonly svg: Markup }[];
  readonly className?: string;
}

/** Renders each chart below its title. */
export const ChartFigures = ({ charts, className }: ChartFiguresProps): ReactElement => (
  <>
    {charts.map(({ id, title, svg }) => (
      <figure key={id} className={className}>
        <figcaption>{visibleText(title)}</figcaption>
        <ChartView svg={svg} />
      </figure>
    ))}
  </>
);

function toElement(child: MarkupChild, key: number): ReactElement | string {
  if (typeof child === 'string') return visibleText(child);
  const attributes = Object.entries(child.attributes).map(([name, value]) => [
    REACT_NAMES[name] ?? name,
    visibleText(value),
  ]);
  return createElement(child.tag, { key, ...Object.fromEntries(attributes) }, ...child.children.map(toElement));
}
