/** Names of the workers, which select what they serve. */
export const PROFILE_WORKER = 'profile';
export const COMPARE_WORKER = 'compare';
