import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  type Span as OpenTelemetrySpan,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { type Span, traceWith } from '#ports/spans.ts';
import { within } from './readings.ts';

export interface SpanExport {
  /** The collector, without /v1/traces. */
  endpoint: string;
  serviceName: string;
  /** The role of this process. */
  program: string;
  /** The share of traces kept, from 0 to 1. */
  ratio: number;
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };

/** Reads W3C's traceparent. */
function contextOf(parent: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(parent ?? '') ?? [];
  if (!traceId || !spanId) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags ?? '', 16), isRemote: true };
}

/** Sends the process's spans to an OTLP collector until it is closed, which sends the last of them. */
export function exportSpans({ endpoint, serviceName, program, ratio }: SpanExport): { close(): Promise<void> } {
  const running = new AsyncLocalStorage<Context>();
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.instance.id': program }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('sparechange');

  function spanOf(begun: OpenTelemetrySpan, context: Context): Span {
    return {
      attribute: (name, value) => void begun.setAttribute(name, value),
      end: (failed = false) => {
        if (failed) begun.setStatus({ code: SpanStatusCode.ERROR }); // without a message: it may hold data
        begun.end();
      },
      run: (work) => running.run(trace.setSpan(context, begun), work),
    };
  }

  traceWith({
    start: ({ name, kind, attributes = {}, parent }) => {
      const above = contextOf(parent);
      const context = running.getStore() ?? (above ? trace.setSpanContext(ROOT_CONTEXT, above) : ROOT_CONTEXT);
      if (kind === 'client' && context === ROOT_CONTEXT) return undefined;
      return spanOf(tracer.startSpan(name, { kind: kinds[kind], attributes }, context), context);
    },
    parent: () => {
      const context = trace.getSpanContext(running.getStore() ?? ROOT_CONTEXT);
      if (!context) return undefined;
      return `00-${context.traceId}-${context.spanId}-${context.traceFlags.toString(16).padStart(2, '0')}`;
    },
  });
  return {
    close: async () => {
      traceWith(undefined);
      await within(2_000, provider.shutdown()).catch(() => {}); // an unavailable collector does not prevent the end
    },
  };
}
