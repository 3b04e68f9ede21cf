/** What people call the earlier of two, and the later one. */
const EARLIER = /(?:^|[^a-z])(?:before|old|base(?:line)?|prev(?:ious)?|orig(?:inal)?|control)(?![a-z])/i;
const LATER = /(?:^|[^a-z])(?:after|new|head|next|fix(?:ed)?|patched|candidate)(?![a-z])/i;

/** Two files as before and after: as their names say, else the older one first, else as they came. */
export function orderFiles<T extends Pick<File, 'name' | 'lastModified'>>(one: T, other: T): [before: T, after: T] {
  const rank = ({ name }: T): number => (EARLIER.test(name) ? 0 : LATER.test(name) ? 2 : 1);
  const isLater = rank(one) - rank(other) || one.lastModified - other.lastModified;
  return isLater > 0 ? [other, one] : [one, other];
}
