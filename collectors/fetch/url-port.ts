/** Returns the port of an http or https URL; without one, the scheme's default. */
export const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80));
