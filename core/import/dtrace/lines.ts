/** The forms of lines by which DTrace's output is recognised and read. */
export const HEADING = /^CPU +ID +FUNCTION:NAME\s*$/;
export const COUNT = /^\s+-?\d+\s*$/;
/** `0x104d08831`: no symbol and no module. */
export const ADDRESS = /^0x([0-9a-f]{1,16})$/;
/** `genunix`open+0x25`; a module is a file's name. */
export const IN_MODULE = /^([^`]+)`(.+)$/;

export const isDtraceFrame = (line: string): boolean => ADDRESS.test(line) || IN_MODULE.test(line);
