/** What the sandboxed preload script needs of a current Electron and Electron 9 lacks. */
export const webUtils = { getPathForFile: (): string => '' };
