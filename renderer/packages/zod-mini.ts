import * as z from 'zod/v4/mini';

/** As in zod.ts. */
z.config({ jitless: true });
export * from 'zod/v4/mini';
