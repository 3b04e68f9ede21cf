import { homedir } from 'node:os';

/** Returns `$HOME`, else the home folder of the account, else `/`, as a login does for an account without one. */
export function homeFolder(): string {
  try {
    return homedir() || '/';
  } catch {
    // the account is in no database, as in a container with any user ID
    return '/';
  }
}
