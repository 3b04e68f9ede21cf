import { useMemo, useState } from 'react';
import { frameColours, legendGroup, type ColourScheme } from '#core/colour/frame-colour.ts';
import type { FunctionFacts } from '#core/model/function-facts.ts';

/** The colours of a graph's frames, and the entry of the legend that alone keeps its colour. */
interface GraphColours {
  readonly scheme: ColourScheme;
  readonly colourOf: (facts: FunctionFacts) => string;
  /** Label of the entry; null: all frames keep their colours. */
  readonly lit: string | null;
  readonly isLit: ((facts: FunctionFacts) => boolean) | null;
  readonly setLit: (label: string | null) => void;
}

export function useGraphColours(
  mode: ColourScheme['mode'],
  theme: ColourScheme['theme'],
  slots: ColourScheme['slots'],
): GraphColours {
  const scheme = useMemo(() => ({ mode, theme, slots }), [mode, theme, slots]);
  const colourOf = useMemo(() => frameColours(scheme), [scheme]);
  // Another mode has other entries.
  const [chosen, setChosen] = useState<{ readonly mode: string; readonly label: string } | null>(null);
  const lit = chosen?.mode === mode ? chosen.label : null;
  const isLit = useMemo(
    () => (lit === null ? null : (facts: FunctionFacts) => legendGroup(facts, scheme).label === lit),
    [lit, scheme],
  );
  return { scheme, colourOf, lit, isLit, setLit: (label) => setChosen(label === null ? null : { mode, label }) };
}
