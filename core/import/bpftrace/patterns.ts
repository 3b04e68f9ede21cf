export const MAP_START = /^@(\w*)\[(.*)$/;
export const MAP_END = /^(?:,\s?)*(.*)\]: (.+)$/;
export const COUNT = /^\s+(\d+)\s*$/;
export const PROCESS = /^\s+-\s+(\S.*) \((\d+)\)$/;
/** stackcount -P */
export const COUNTED_PROCESS = /^ {4,}(\S.*) \[(\d+)\]$/;
export const STACKCOUNT = /^Tracing \d+ functions for "/;
