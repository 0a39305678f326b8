/** Work that is worth seeing in a trace: names alone, no personal data. */
export interface SpanStart {
  name: string;
  kind: 'server' | 'client' | 'consumer';
  attributes?: Record<string, string | number>;
  /** The `traceparent` of the request that asked for a job. */
  parent?: string | undefined;
}

export interface Span {
  attribute(name: string, value: string | number): void;
  end(failed?: boolean): void;
  /** Runs something as part of it: spans that begin there are below it. */
  run<Result>(work: () => Result): Result;
}

export interface Tracer {
  /** Begins a span; returns none for a client call outside every other span, such as the database's watch. */
  start(span: SpanStart): Span | undefined;
  /** Returns the running span as W3C's `traceparent`, to be kept with a job. */
  parent(): string | undefined;
}

let tracer: Tracer | undefined;

/** Sets the tracer of this process; undefined ends tracing. */
export const traceWith = (chosen: Tracer | undefined): void => {
  tracer = chosen;
};

export const startSpan = (about: () => SpanStart): Span | undefined => tracer?.start(about());

export const currentParent = (): string | undefined => tracer?.parent();

/** Runs something as a span, which fails when it does; without a tracer it just runs. */
export function inSpan<Result>(about: () => SpanStart, work: () => Promise<Result>): Promise<Result> {
  const span = tracer?.start(about());
  if (!span) return work();
  return span.run(work).then(
    (result) => {
      span.end();
      return result;
    },
    (error: unknown) => {
      span.end(true);
      throw error;
    },
  );
}
