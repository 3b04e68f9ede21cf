/**
 * Polyfills for Chromium 83, for the renderer and its libraries. Loaded before each script's entry in that build only.
 */

function define(owner: object, name: string, value: unknown): void {
  if (!(name in owner)) Object.defineProperty(owner, name, { value, writable: true, configurable: true });
}

function at<T>(this: ArrayLike<T>, index: number): T | undefined {
  const from = Math.trunc(index) || 0;
  return this[from < 0 ? this.length + from : from];
}

const typedArray = Object.getPrototypeOf(Int8Array.prototype) as object;
for (const owner of [Array.prototype, String.prototype, typedArray]) define(owner, 'at', at);

function findLastIndex<T>(this: ArrayLike<T>, test: (value: T | undefined, index: number) => boolean): number {
  for (let index = this.length - 1; index >= 0; index--) if (test(this[index], index)) return index;
  return -1;
}
for (const owner of [Array.prototype, typedArray]) {
  define(owner, 'findLastIndex', findLastIndex);
  define(owner, 'findLast', function findLast<T>(this: ArrayLike<T>, test: (value: T, index: number) => boolean) {
    return this[findLastIndex.call(this, test as (value: unknown, index: number) => boolean)];
  });
}

define(Array.prototype, 'toSorted', function toSorted<T>(this: readonly T[], compare?: (a: T, b: T) => number) {
  return [...this].sort(compare);
});
define(Array.prototype, 'toReversed', function toReversed<T>(this: readonly T[]) {
  return Array.from(this, (_, index) => this[this.length - 1 - index]);
});
define(Array.prototype, 'with', function withValue<T>(this: readonly T[], place: number, value: T) {
  const from = place < 0 ? this.length + place : place;
  if (from < 0 || from >= this.length) throw new RangeError(`invalid index ${place}`);
  return Array.from(this, (old, index) => (index === from ? value : old));
});

define(String.prototype, 'replaceAll', function replaceAll(this: string, sought: string | RegExp, by: string) {
  return typeof sought === 'string' ? this.split(sought).join(by) : this.replace(sought, by);
});

define(Map, 'groupBy', <K, V>(values: Iterable<V>, keyOf: (value: V, place: number) => K) => {
  const groups = new Map<K, V[]>();
  let place = 0;
  for (const value of values) {
    const key = keyOf(value, place++);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
});

define(ArrayBuffer.prototype, 'transfer', function transfer(this: ArrayBuffer, length = this.byteLength) {
  const moved = new Uint8Array(length);
  moved.set(new Uint8Array(this, 0, Math.min(length, this.byteLength)));
  return moved.buffer;
});

define(String.prototype, 'isWellFormed', function isWellFormed(this: string) {
  return !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(this);
});

define(URL, 'canParse', (text: string, base?: string) => {
  try {
    return Boolean(new URL(text, base));
  } catch {
    return false;
  }
});

define(Object, 'hasOwn', (owner: object, name: PropertyKey) => Object.prototype.hasOwnProperty.call(owner, name));

/** `negative` (no sign on a zero that results from rounding) is newer than Chromium 83; `auto` differs for −0 only. */
const OldNumberFormat = Intl.NumberFormat;
Intl.NumberFormat = new Proxy(OldNumberFormat, {
  construct: (_, [locale, options]: [string | undefined, Intl.NumberFormatOptions | undefined]) =>
    new OldNumberFormat(locale, options?.signDisplay === 'negative' ? { ...options, signDisplay: 'auto' } : options),
});

if (typeof Element !== 'undefined') {
  function replaceChildren(this: Element | DocumentFragment, ...children: (Node | string)[]): void {
    this.textContent = '';
    this.append(...children);
  }
  for (const owner of [Element.prototype, DocumentFragment.prototype])
    define(owner, 'replaceChildren', replaceChildren);
  define(Element.prototype, 'checkVisibility', function checkVisibility(this: Element) {
    return this.getClientRects().length > 0 && getComputedStyle(this).visibility !== 'hidden';
  });
}
