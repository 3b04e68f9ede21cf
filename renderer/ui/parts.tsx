import { createContext, useContext, useEffectEvent, useLayoutEffect, useMemo } from 'react';
import type { ReactElement, ReactNode, RefObject } from 'react';

/** Regions of the window, in the order in which F6 visits them. */
const REGIONS = [
  'library',
  'tabs',
  'toolbar',
  'page',
  'time',
  'graph',
  'table',
  'details',
  'terminal',
  'status',
] as const;

type Region = (typeof REGIONS)[number];
/** Controls that commands reach by name. */
type Control =
  | 'search'
  | 'format'
  | 'threads'
  | 'add-transform'
  | 'time.range'
  | 'time.marks'
  | 'table.filter'
  | 'table.columns'
  | 'table.copy-rows'
  | 'table.export';
export type PartName = Region | Control;

type PartElement = RefObject<HTMLElement | null>;

interface Part {
  readonly name: PartName;
  readonly element: PartElement | null;
  /** Returns whether the pane and the view that contain the part have the focus. */
  readonly inFront: () => boolean;
  readonly run: ((detail: string) => void) | null;
}

/** The regions and controls on screen. They register themselves, so that commands find them without selectors. */
export interface Parts {
  /** Registers a part and returns the function that removes it. */
  add(part: Part): () => void;
  /** Moves the focus to a part, or to the next or previous region on screen. Returns false if none accepts it. */
  focus(to: PartName | 1 | -1): boolean;
  /** Triggers a control; for the graph, `detail` is the ID of its shortcut. */
  run(name: PartName, detail?: string): void;
  /** Returns whether an element is inside a part of this name. */
  holds(name: PartName, element: Element): boolean;
  /** Moves the focus to a region, by default the active tab, after the focused element was removed. */
  rescueFocus(to?: Region): void;
}

export function createParts(): Parts {
  const parts = new Set<Part>();

  /** Returns the part; if several match, as in a comparison, the focused one, else the first in the document. */
  function find(name: PartName): Part | null {
    const found = [...parts].filter((part) => part.name === name && part.inFront());
    const first = found.sort(inDocumentOrder)[0] ?? null;
    return found.find(({ element }) => element?.current?.contains(document.activeElement)) ?? first;
  }

  function step(by: 1 | -1): boolean {
    const present = REGIONS.flatMap((name) => find(name)?.element?.current ?? []);
    const at = present.findLastIndex((element) => element.contains(document.activeElement));
    const start = at < 0 && by < 0 ? 0 : at;
    return present.some((_, count) => focusIn(present.at((start + by * (count + 1)) % present.length) ?? null));
  }

  const focus: Parts['focus'] = (to) =>
    typeof to === 'string' ? focusIn(find(to)?.element?.current ?? null) : step(to);

  return {
    add(part) {
      parts.add(part);
      return () => parts.delete(part);
    },
    focus,
    run(name, detail = '') {
      find(name)?.run?.(detail);
    },
    holds: (name, element) => [...parts].some((part) => part.name === name && part.element?.current?.contains(element)),
    rescueFocus(to = 'tabs') {
      requestAnimationFrame(() => {
        if (document.activeElement === null || document.activeElement === document.body) focus(to);
      });
    },
  };
}

function inDocumentOrder({ element: a }: Part, { element: b }: Part): number {
  if (!a?.current || !b?.current) return 0;
  return a.current.compareDocumentPosition(b.current) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}

const FOCUSABLE =
  '[tabindex="0"], button:not([tabindex="-1"]):not(:disabled), input:not([tabindex="-1"], [type=radio]:not(:checked)):not(:disabled), select:not(:disabled)';

/** Focuses an element, or the first focusable one inside it. */
function focusIn(element: HTMLElement | null): boolean {
  const target = element?.matches(FOCUSABLE) === true ? element : visibleIn(element);
  target?.focus();
  return target !== undefined && document.activeElement === target;
}

function visibleIn(element: HTMLElement | null): HTMLElement | undefined {
  return [...(element?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])].find((one) => one.getClientRects().length > 0);
}

interface PartsContextValue {
  readonly parts: Parts;
  readonly inFront: () => boolean;
}

const ScopeContext = createContext<PartsContextValue | null>(null);

interface PartsScopeProps {
  /** If absent, the parts of the enclosing scope are used. */
  readonly parts?: Parts;
  /** Returns whether the content is focused among its siblings (panes, or the views of a pane). Keep its identity. */
  readonly inFront?: () => boolean;
  readonly children: ReactNode;
}

/** Provides the parts for registration and says when its content is in front. */
export function PartsScope({ parts, inFront, children }: PartsScopeProps): ReactElement {
  const outer = useContext(ScopeContext);
  const own = parts ?? outer?.parts ?? null;
  const scope = useMemo(
    () =>
      own === null
        ? null
        : { parts: own, inFront: () => outer?.inFront() !== false && (inFront === undefined || inFront()) },
    [own, outer, inFront],
  );
  return <ScopeContext value={scope}>{children}</ScopeContext>;
}

/** Returns the enclosing parts; null outside of a window, as in a page that shows only a graph. */
export const useParts = (): Parts | null => useContext(ScopeContext)?.parts ?? null;

/**
 * Registers a part while it is mounted; null registers nothing. `run` is what a command does to it; without it, the
 * part is only focused.
 */
export function usePart(name: PartName | null, element: PartElement | null, run?: (detail: string) => void): void {
  const scope = useContext(ScopeContext);
  const latest = useEffectEvent((detail: string) => run?.(detail));
  // Registers in the commit that shows the part, because a graph that replaces another gets the focus immediately.
  useLayoutEffect(() => {
    if (scope === null || name === null) return undefined;
    return scope.parts.add({ name, element, inFront: scope.inFront, run: (detail) => latest(detail) });
  }, [scope, name, element]);
}
