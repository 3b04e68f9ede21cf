/**
 * Runs what makes style elements, as xterm does where it opens. The page's policy refuses such elements (`style-src 'self'`), so they are made
 * inert, and what they hold, now and later, is adopted as a style sheet, which the policy lets scripts do. Returns the end of that.
 */
export function withAdoptedStyles(open: () => void): () => void {
  const made: HTMLStyleElement[] = [];
  const create = document.createElement.bind(document);
  Object.defineProperty(document, 'createElement', {
    configurable: true,
    value: (name: string, options?: ElementCreationOptions) => {
      const element = create(name, options);
      if (element instanceof HTMLStyleElement) {
        element.type = 'text/plain';
        made.push(element);
      }
      return element;
    },
  });
  try {
    open();
  } finally {
    Reflect.deleteProperty(document, 'createElement');
  }
  const sheet = new CSSStyleSheet();
  const adopt = (): void => {
    sheet.replaceSync(made.map(({ textContent }) => textContent).join('\n'));
  };
  const observer = new MutationObserver(adopt);
  for (const style of made) observer.observe(style, { childList: true, characterData: true, subtree: true });
  adopt();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return () => {
    observer.disconnect();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
  };
}
