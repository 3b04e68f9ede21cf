/** Returns a regular expression that matches exactly this name. */
export function escapePattern(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
