import { useLayoutEffect, useRef, type ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { Markup, MarkupChild } from '../../../core/export/markup.ts';

/**
 * A report's page within the window. It is in a shadow root with the report's own style and is built from elements, so
 * no name in it is parsed as markup.
 */
export function MarkupView({ page, style }: { readonly page: Markup; readonly style: string }): ReactElement {
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    rootOf(host.current!).adoptedStyleSheets = [sheet];
  }, [style]);
  useLayoutEffect(() => {
    rootOf(host.current!).replaceChildren(toNode(page, false));
  }, [page]);
  return <div ref={host} />;
}

const rootOf = (host: HTMLElement): ShadowRoot => host.shadowRoot ?? host.attachShadow({ mode: 'open' });

const SVG = 'http://www.w3.org/2000/svg';

function toNode(child: MarkupChild, isInSvg: boolean): Node {
  if (typeof child === 'string') return document.createTextNode(child.split('\n').map(visibleText).join('\n'));
  const isSvg = isInSvg || child.tag === 'svg';
  const element = isSvg ? document.createElementNS(SVG, child.tag) : document.createElement(child.tag);
  for (const [name, value] of Object.entries(child.attributes)) {
    // Links are inactive in a preview, and IDs belong to the window's page.
    if (name !== 'id' && name !== 'href' && name !== 'xmlns') element.setAttribute(name, visibleText(value));
  }
  element.append(...child.children.map((one) => toNode(one, isSvg)));
  return element;
}
