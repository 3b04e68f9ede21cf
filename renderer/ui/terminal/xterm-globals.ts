/**
 * The globals that xterm sees (scripts/xterm-globals.ts, and its option `documentOverride`), by which it keeps to the page's policy: `style-src 'self'` refuses
 * style elements and attributes that scripts write. Style elements become templates, which have no effect and whose
 * content the terminal adopts as a style sheet; style attributes are set through the CSSOM. The policy allows both.
 */
const globalDocument = globalThis.document;
const globalWindow = globalThis.window;

function createElement(name: string): HTMLElement {
  const element = globalDocument.createElement(name === 'style' ? 'template' : name);
  element.setAttribute = setAttribute;
  return element;
}

function setAttribute(this: HTMLElement, name: string, value: string): void {
  if (name === 'style') this.style.cssText = value;
  else Element.prototype.setAttribute.call(this, name, value);
}

export const document: Document = withOwn(globalDocument, { createElement });
export const window: Window = withOwn(globalWindow, { document });

/** Returns an object that has some properties of its own and all others of `target`. */
function withOwn<T extends object>(target: T, own: Readonly<Record<string, unknown>>): T {
  return new Proxy(target, {
    get(_, key) {
      if (typeof key === 'string' && Object.hasOwn(own, key)) return own[key];
      const value: unknown = Reflect.get(target, key);
      // Methods accept only the target itself; classes stay what they are.
      return typeof value === 'function' && !Object.hasOwn(value, 'prototype') ? bound(value, target) : value;
    },
    set: (_, key, value) => Reflect.set(target, key, value),
  });
}

const bound = (method: object, target: object): unknown => Function.prototype.bind.call(method as () => void, target);
