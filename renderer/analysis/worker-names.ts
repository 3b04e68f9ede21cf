/** Names of workers, which say what they serve. */
export const PROFILE_WORKER = 'profile';
export const COMPARE_WORKER = 'compare';
