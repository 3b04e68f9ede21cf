/** Sets an attribute only if it changes, because setting the same value costs as much style work as any other. */
export function changeAttribute(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
