export type ComponentId =
  | 'perf'
  | 'objdump'
  | 'chromium'
  | 'firefox'
  | 'xvfb'
  | 'electron-libraries'
  | 'pip'
  | 'compiler'
  | 'go'
  | 'jdk'
  | 'maven'
  | 'nginx'
  | 'bpftrace'
  | 'podman'
  | 'gperftools'
  | 'minisign'
  | 'wrk'
  | 'emulator'
  | 'desktop-files'
  | 'debootstrap'
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
  /** Each entry is a list of alternative names, of which one is installed. */
  readonly packages: readonly (readonly string[])[];
  /** Services that these packages would start and that must stay off. */
  readonly services?: readonly string[];
  readonly present: () => boolean;
}

/** Returns the path of the first of these commands that is installed, or null. */
export function findCommand(...names: string[]): string | null;
/** Returns the path of the system's Chromium, or null. */
export function findChromium(): string | null;
export const components: readonly Component[];
export function havePty(): boolean;
/** Returns the given components that are not installed. */
export function missingComponents(ids: readonly ComponentId[]): Component[];
