import * as z from 'zod/v4';

/**
 * zod as the page and its workers import it, by an alias (scripts/page-aliases.ts): schemas are not compiled by `new
 * Function`, which the page's policy forbids and reports.
 */
z.config({ jitless: true });
export * from 'zod/v4';
