/**
 * The page's policy refuses style elements that scripts make (`style-src 'self'`); the build has xterm make templates in their place
 * (scripts/xterm-without-styles.ts). What is written into those of an element, now and later, is adopted as a style sheet, which the policy
 * lets scripts do. Returns the end of that.
 */
export function adoptStyles(box: HTMLElement): () => void {
  const written = [...box.querySelectorAll('template')];
  const sheet = new CSSStyleSheet();
  const adopt = (): void => {
    sheet.replaceSync(written.map(({ textContent }) => textContent).join('\n'));
  };
  const observer = new MutationObserver(adopt);
  for (const one of written) observer.observe(one, { childList: true, characterData: true, subtree: true });
  adopt();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return () => {
    observer.disconnect();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
  };
}
