const MANAGERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    debian: 'apt install',
    ubuntu: 'apt install',
    fedora: 'dnf install',
    rhel: 'dnf install',
    arch: 'pacman -S',
    suse: 'zypper install',
    alpine: 'apk add',
  }),
);

/** Returns the command that installs a package. `distributions` are from /etc/os-release, most specific first. */
export function installPackage(distributions: readonly string[], name: string): string {
  const manager = distributions.map((one) => MANAGERS.get(one)).find((one) => one !== undefined);
  return manager === undefined ? `install the package ${name} of your distribution` : `run: sudo ${manager} ${name}`;
}
