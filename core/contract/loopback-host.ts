/** Returns whether a host, as written in a URL or an option, is this machine's loopback. */
export const isLoopbackHost = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
