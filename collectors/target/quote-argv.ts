/** Lives in core, since the window shows commands too. */
export { quoteArgv } from '#core/contract/quote-argv.ts';
