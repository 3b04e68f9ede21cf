import { loadForm, ownLoadForm } from '#core/load/recognise.ts';

/** Number of bytes read of a file to recognise it. */
const HEAD_BYTES = 65_536;

/** Separates results of load-testing tools, and load tests saved as JSON, from other files. */
export async function splitLoadResults(
  files: readonly File[],
): Promise<{ readonly loads: readonly File[]; readonly others: readonly File[] }> {
  const heads = await Promise.all(files.map((file) => file.slice(0, HEAD_BYTES).text()));
  const isLoad = heads.map((head) => (loadForm(head) ?? ownLoadForm(head)) !== null);
  return {
    loads: files.filter((_file, place) => isLoad[place]),
    others: files.filter((_file, place) => isLoad[place] !== true),
  };
}
