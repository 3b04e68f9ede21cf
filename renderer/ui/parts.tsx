import { createContext, useContext, useEffect, useEffectEvent, useMemo } from 'react';
import type { ReactElement, ReactNode, RefObject } from 'react';

/** Regions of the window, in the order in which F6 walks them. */
const REGIONS = ['library', 'tabs', 'toolbar', 'time', 'graph', 'table', 'details', 'terminal', 'status'] as const;

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
  /** Whether the pane and the view that hold it are those with the focus. */
  readonly inFront: () => boolean;
  readonly run: ((detail: string) => void) | null;
}

/** The regions and controls that are on screen. They register themselves, so that commands find them without selectors. */
export interface Parts {
  /** Registers a part; the result removes it. */
  add(part: Part): () => void;
  /** Moves the focus to a part, or to the next or previous region on screen. False where there is none that takes it. */
  focus(to: PartName | 1 | -1): boolean;
  /** Does what a control does when it is used; of the graph, `detail` is the id of its shortcut. */
  run(name: PartName, detail?: string): void;
  /** Whether an element lies in a part of this name. */
  holds(name: PartName, element: Element): boolean;
  /** Returns the focus to a region, by default the tab in front, once what had it is gone. */
  rescueFocus(to?: Region): void;
}

export function createParts(): Parts {
  const parts = new Set<Part>();

  /** Of several in front (the graphs of a comparison): the one with the focus, else the first in the document. */
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

/** Focuses an element, or the first one in it that takes the focus. */
function focusIn(element: HTMLElement | null): boolean {
  const target = element?.matches(FOCUSABLE) === true ? element : visibleIn(element);
  target?.focus();
  return target !== undefined && document.activeElement === target;
}

function visibleIn(element: HTMLElement | null): HTMLElement | undefined {
  return [...(element?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])].find((one) => one.getClientRects().length > 0);
}

interface Scope {
  readonly parts: Parts;
  readonly inFront: () => boolean;
}

const ScopeContext = createContext<Scope | null>(null);

interface PartsScopeProps {
  /** Absent within another scope: its parts. */
  readonly parts?: Parts;
  /** Whether what is within has the focus of all that are alike: panes, and the views of a pane. Keeps its identity. */
  readonly inFront?: () => boolean;
  readonly children: ReactNode;
}

/** Where parts are registered, and when those within are in front. */
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

/** The parts around; null outside of a window, as in a page that shows a graph alone. */
export const useParts = (): Parts | null => useContext(ScopeContext)?.parts ?? null;

/** Registers a part while it is mounted. `name` null: none. `run` is what a command does to it; without it, it is only focused. */
export function usePart(name: PartName | null, element: PartElement | null, run?: (detail: string) => void): void {
  const scope = useContext(ScopeContext);
  const latest = useEffectEvent((detail: string) => run?.(detail));
  useEffect(() => {
    if (scope === null || name === null) return undefined;
    return scope.parts.add({ name, element, inFront: scope.inFront, run: (detail) => latest(detail) });
  }, [scope, name, element]);
}
