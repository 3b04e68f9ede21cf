/** Returns the name of a path without its folders. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/', path.length - 2) + 1);
}
