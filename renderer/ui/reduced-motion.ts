const SYSTEM = '(prefers-reduced-motion: reduce)';

/** Disables all animations and transitions, including ones added later. */
const STILL = `
  *, *::before, *::after {
    transition-duration: 0s !important;
    animation-duration: 0s !important;
    animation-iteration-count: 1 !important;
    scroll-behavior: auto !important;
  }
`;

let adopted: CSSStyleSheet | null = null;

/**
 * Reduces motion; `system` follows the system's setting. The rule is in a stylesheet of its own that applies only then,
 * because a rule for all elements costs time in each frame of a graph even if it depends on an attribute that the
 * document does not have.
 */
export function reduceMotion(when: 'system' | 'reduced'): void {
  adopted ??= adopt();
  adopted.media.mediaText = when === 'reduced' ? 'all' : SYSTEM;
}

function adopt(): CSSStyleSheet {
  const sheet = new CSSStyleSheet({ media: SYSTEM });
  sheet.replaceSync(STILL);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return sheet;
}
