/** Follows requests that this process sends, by the channels on which Node.js publishes them. */
import diagnostics from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Span } from '@opentelemetry/api';

interface OutgoingWatcher {
  /** @param host name without a port @returns undefined: the request is not followed */
  begin(method: string, host: string): Span | undefined;
  /** @param status undefined: there was no answer */
  end(span: Span, status: number | undefined): void;
}

interface FetchRequest {
  readonly method: string;
  readonly origin: string | URL;
}

/** @returns a function that ends the following */
export function watchOutgoing({ begin, end }: OutgoingWatcher): () => void {
  const spans = new WeakMap<object, Span>();
  const begun = (request: object, method: string, host: string) => {
    const span = begin(method, host);
    if (span) spans.set(request, span);
  };
  const ended = (request: object, status: number | undefined) => {
    const span = spans.get(request);
    spans.delete(request);
    if (span) end(span, status);
  };
  const listeners: Readonly<Record<string, (message: unknown) => void>> = {
    'http.client.request.start': (message) => {
      const { request } = message as { request: ClientRequest };
      begun(request, request.method, request.host);
    },
    'http.client.response.finish': (message) => {
      const { request, response } = message as { request: ClientRequest; response: IncomingMessage };
      ended(request, response.statusCode);
    },
    'http.client.request.error': (message) => ended((message as { request: ClientRequest }).request, undefined),
    'undici:request:create': (message) => {
      const { request } = message as { request: FetchRequest };
      begun(request, request.method, new URL(request.origin).hostname);
    },
    'undici:request:headers': (message) => {
      const { request, response } = message as { request: FetchRequest; response: { statusCode: number } };
      ended(request, response.statusCode);
    },
    'undici:request:error': (message) => ended((message as { request: FetchRequest }).request, undefined),
  };
  for (const [name, listener] of Object.entries(listeners)) diagnostics.subscribe(name, listener);
  return () => {
    for (const [name, listener] of Object.entries(listeners)) diagnostics.unsubscribe(name, listener);
  };
}
