/** Sends hostile requests unchanged, without a client that would mend them. */
import type { FastifyInstance } from 'fastify';

export interface Sent {
  status: number;
  text: string;
}

/** Sends one request as somebody. `payload` is sent as JSON, whether it is or not. */
type Inject = (method: string, url: string, payload?: string, headers?: Record<string, string>) => Promise<Sent>;

/** @param to returns the app, the host and the token when a request is sent */
export function injecting(to: () => { app: FastifyInstance; host: string; token: string }): Inject {
  return async (method, url, payload, headers = {}) => {
    const { app, host, token } = to();
    const answer = await app.inject({
      method: method as 'GET',
      url,
      headers: {
        host,
        authorization: `Bearer ${token}`,
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload !== undefined && { payload }),
    });
    return { status: answer.statusCode, text: answer.body };
  };
}
