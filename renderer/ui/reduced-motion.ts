const SYSTEM = '(prefers-reduced-motion: reduce)';

/** Nothing moves by itself: this holds it so for whatever is added. */
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
 * `system`: where the system wishes it. In a sheet of its own, which takes part only then: a rule for all elements takes time of each frame
 * that a graph draws, also where it asks for an attribute that the document does not have.
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
