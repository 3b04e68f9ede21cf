/** Lives in core, since imported profiles name commands too. */
export { redactArgv, redactCommandLine, secretsOf, REDACTED } from '#core/redact/redact-argv.ts';
