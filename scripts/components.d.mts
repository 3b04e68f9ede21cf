export type ComponentId =
  | 'perf'
  | 'objdump'
  | 'chromium'
  | 'xvfb'
  | 'electron-libraries'
  | 'pip'
  | 'compiler'
  | 'go'
  | 'valgrind'
  | 'shellcheck'
  | 'ssh'
  | 'sshd'
  | 'namespaces'
  | 'sudo'
  | 'shells'
  | 'locales';

export interface Component {
  readonly id: ComponentId;
  /** Completes "it …". */
  readonly purpose: string;
  /** Each a list of names of which one is installed. */
  readonly packages: readonly (readonly string[])[];
  /** What these packages would start, and must not. */
  readonly services?: readonly string[];
  readonly present: () => boolean;
}

/** The path of the first of these commands that the system has, or null. */
export function findCommand(...names: string[]): string | null;
export const components: readonly Component[];
export function havePty(): boolean;
/** Of the components named, those that the system lacks. */
export function missingComponents(ids: readonly ComponentId[]): Component[];
