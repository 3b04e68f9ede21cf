import type { Page } from 'playwright/test';

/** Drops files as a file manager does, onto the element that the selector `place` finds. */
export async function dropFiles(
  page: Page,
  files: readonly (readonly [name: string, base64: string])[],
  place = 'main',
): Promise<void> {
  const transfer = await page.evaluateHandle((given) => {
    const made = new DataTransfer();
    for (const [name, content] of given) {
      const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
      made.items.add(new File([bytes], name, { lastModified: 1 }));
    }
    return made;
  }, files);
  await page.dispatchEvent(place, 'drop', { dataTransfer: transfer });
}
