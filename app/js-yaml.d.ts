/** The part of js-yaml that Flamebench uses; the package has no types. */
declare module 'js-yaml' {
  /** Throws a YAMLException. The core schema makes no objects with code. */
  export function load(text: string, options?: { readonly schema?: unknown; readonly filename?: string }): unknown;
  export const CORE_SCHEMA: unknown;
  export class YAMLException extends Error {
    readonly reason: string;
    readonly mark?: { readonly line: number; readonly column: number };
  }
}
