import { lazy, Suspense } from 'react';
import type { ComponentType, ReactElement } from 'react';
import { loadPart } from './load-part.ts';

/**
 * Returns a component whose script is loaded when it is first shown. `failed` is shown if the script cannot be loaded
 * because the engine that serves it is gone. A hidden `.part-loading` is in the page until the script is loaded.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  failed: (error: unknown) => ReactElement,
): ComponentType<P> {
  const Part = lazy(async (): Promise<{ default: ComponentType<P> }> => {
    try {
      return { default: await loadPart(load) };
    } catch (error) {
      return { default: () => failed(error) };
    }
  }) as ComponentType<P>;
  return function LazyPart(props: P): ReactElement {
    return (
      <Suspense fallback={<span className="part-loading" hidden />}>
        <Part {...props} />
      </Suspense>
    );
  };
}
