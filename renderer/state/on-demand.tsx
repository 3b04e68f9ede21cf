import { lazy, Suspense, type ComponentType, type ReactElement } from 'react';
import { loadPart } from '../ui/load-part.ts';
import { ProblemView } from '../ui/problem-view.tsx';
import { toProblem } from './problem.ts';

/**
 * Returns a component whose script is loaded when it is first shown. If loading fails, because the engine that serves it
 * is gone, it shows why. A hidden `.part-loading` is in the page until the script is loaded.
 */
export function onDemand<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Part = lazy(async (): Promise<{ default: ComponentType<P> }> => {
    try {
      return { default: await loadPart(load) };
    } catch (error) {
      return { default: () => <ProblemView problem={toProblem(error)} /> };
    }
  }) as ComponentType<P>;
  return function OnDemand(props: P): ReactElement {
    return (
      <Suspense fallback={<span className="part-loading" hidden />}>
        <Part {...props} />
      </Suspense>
    );
  };
}
