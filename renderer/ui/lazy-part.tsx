import { lazy, Suspense } from 'react';
import type { ComponentType, ReactElement } from 'react';

/**
 * A part of the window whose script is loaded when the part is first shown. `failed` stands in its place where the script can't be
 * loaded: the engine that serves it is gone. Until it is there, a hidden `.part-loading` says that something comes.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  failed: (error: unknown) => ReactElement,
): ComponentType<P> {
  const Part = lazy(async (): Promise<{ default: ComponentType<P> }> => {
    try {
      return { default: await load() };
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
