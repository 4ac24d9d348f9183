/** Requests of the dataset's people. */
import type { Dataset, PersonKind, SmallTenant } from '../dataset/dataset.ts';
import { assertionBody, type KeyFile, TOKEN_PATH } from '../sign-in.ts';
import { bodyOf, type ListShape, PAGE_SIZE } from './list-shapes.ts';
import { askOnce, type HttpRequest } from './load.ts';

const API = '/portal/api';

/** Creates requests, signed in as every person. */
export class Client {
  readonly dataset: Dataset;
  readonly #tokens: ReadonlyMap<string, string>;
  readonly #port: () => number;

  private constructor(dataset: Dataset, tokens: ReadonlyMap<string, string>, port: () => number) {
    this.dataset = dataset;
    this.#tokens = tokens;
    this.#port = port;
  }

  /**
   * Signs every person in, small tenants too.
   * @param port returns the present port of Portico
   */
  static async signIn(dataset: Dataset, port: () => number): Promise<Client> {
    const tokens = new Map<string, string>();
    const everyone: [string, string, KeyFile][] = [
      ...Object.entries(dataset.people).map(([kind, { key }]): [string, string, KeyFile] => [
        kind,
        dataset.tenant.host,
        key,
      ]),
      ...dataset.smallTenants.map(({ host, key }): [string, string, KeyFile] => [host, host, key]),
    ];
    for (const [name, host, key] of everyone) {
      const answer = await askOnce(port(), tokenRequest(host, key));
      tokens.set(name, (JSON.parse(answer) as { accessToken: string }).accessToken);
    }
    return new Client(dataset, tokens, port);
  }

  /**
   * A request of a person of the tenant.
   * @param path below the interface's prefix
   */
  request(person: PersonKind, method: string, path: string, body?: object): HttpRequest {
    return this.#with(this.#tokens.get(person)!, this.dataset.tenant.host, method, path, body);
  }

  /** The first page of the community of a small tenant. */
  smallList({ host, communityId }: SmallTenant): HttpRequest {
    const path = `/communication/posts/data/list/community/${communityId}?loadPostDetails=true`;
    return this.smallRequest(host, 'POST', path, { pageSize: PAGE_SIZE });
  }

  smallRequest(host: string, method: string, path: string, body?: object): HttpRequest {
    return this.#with(this.#tokens.get(host)!, host, method, path, body);
  }

  #with(token: string, host: string, method: string, path: string, body?: object): HttpRequest {
    return {
      method,
      path: `${API}${path}`,
      headers: { host, authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    };
  }

  /** A page of a list. @param more paging members */
  list(shape: ListShape, more: object = {}): HttpRequest {
    const path = `/communication/posts/data/list/community/${this.dataset.community.id}?loadPostDetails=true`;
    return this.request(shape.person, 'POST', path, { pageSize: PAGE_SIZE, ...bodyOf(shape), ...more });
  }

  /** The same without the details: ids, titles and times. */
  heads(shape: ListShape, more: object = {}): HttpRequest {
    const request = this.list(shape, more);
    return { ...request, path: request.path.replace('loadPostDetails=true', 'loadPostDetails=false') };
  }

  detail(person: PersonKind, postId: number): HttpRequest {
    return this.request(person, 'GET', `/communication/posts/data/post-detail-by-id/${postId}`);
  }

  /**
   * Sends a request to Portico.
   * @throws Error for an answer that is not 2xx
   */
  async ask<T>(request: HttpRequest): Promise<T> {
    return JSON.parse(await askOnce(this.#port(), request)) as T;
  }

  /**
   * The token of the page after `posts` posts, reached by paging: tokens do not depend on the size
   * of pages.
   * @returns undefined if the list is shorter
   */
  async tokenAfter(shape: ListShape, posts: number): Promise<string | undefined> {
    let token: string | undefined;
    for (let done = 0; done < posts; ) {
      const pageSize = Math.min(500, posts - done);
      const page = await this.ask<ListAnswer>(this.heads(shape, { pageSize, ...(token && { pageToken: token }) }));
      if (!page.nextPageToken) return undefined;
      token = page.nextPageToken;
      done += pageSize;
    }
    return token;
  }
}

/** Answer of lists. */
export interface ListAnswer {
  readonly items: readonly { readonly id: number }[];
  readonly nextPageToken?: string;
  readonly totalItemsCount?: number;
}

/** A token exchange with an assertion of its own. */
export function tokenRequest(host: string, key: KeyFile): HttpRequest {
  return {
    method: 'POST',
    path: TOKEN_PATH,
    headers: { host, 'content-type': 'application/json' },
    body: assertionBody(key),
  };
}
