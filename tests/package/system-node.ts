import path from 'node:path';

/**
 * The PATH of a user, without the Node that npm scripts put first: packages run with the system's Node. Throws if there
 * is none.
 */
export const userPath = (process.env['PATH'] ?? '')
  .split(path.delimiter)
  .filter((folder) => !folder.includes('node_modules') && !folder.includes('node-gyp-bin'))
  .join(path.delimiter);
