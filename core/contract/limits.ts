/** Bounds of what crosses the connection, separate from the schemas, which the window does not load at its start. */

/** Maximum that perf accepts (`perf record --call-graph dwarf,SIZE`). */
export const MAX_STACK_BYTES = 65_528;
/** UTF-16 units of one note; about ten pages. */
export const MAX_NOTE_TEXT = 20_000;
/** Maximum notes of one capture or experiment; more than anyone reads. */
export const MAX_NOTES = 2000;
/** Maximum functions of a call path. Deeper frames are noted by their function. */
export const MAX_NOTE_PATH = 4096;
/** UTF-16 units of an author's name. */
export const MAX_NOTE_AUTHOR = 200;
/** Maximum bytes of `notes.json`; a larger document accepts no additions. Exported experiments have the same limit. */
export const MAX_NOTES_BYTES = 4 << 20;

/** Tags of one capture. */
export const MAX_TAGS = 50;
/** UTF-16 units of one tag. */
export const MAX_TAG_LENGTH = 100;

/** Characters of a view on a command line. Linux passes no word above 128 KiB. */
export const MAX_VIEW_WORD = 100_000;

/** Seconds of warm-up before a run of a load test, and of the pause after it. */
export const MAX_LOAD_PAUSE_SECONDS = 600;

/** Form of an environment variable's assignment. */
export const ENV_WORD = /^[A-Za-z_][A-Za-z0-9_]*=/;
