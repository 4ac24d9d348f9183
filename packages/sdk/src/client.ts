/** The client: signing in, one method for each operation, names, files and the stream. */
import {
  communityArchivePath,
  exportSuffix,
  livePath,
  type OperationId,
  ownExportPath,
  userExportPath,
} from '@portico/contract';
import { factsOfOperation, methodsByPart } from './api.ts';
import { createAll } from './bulk.ts';
import { apiPathOf, type ClientOptions, type Platform } from './client-options.ts';
import { type CommunityMethods, withOneList } from './communities.ts';
import { CREDENTIALS_MISSING, defaultAudience, TokenSource } from './credentials.ts';
import { ConfigurationError } from './errors.ts';
import { Files } from './files.ts';
import { addFormerNames } from './former-names.ts';
import { idempotencyKey } from './idempotency-key.ts';
import type { ExportOptions } from './inputs.ts';
import { type LiveEvent, type LiveOptions, listen } from './live.ts';
import type { MethodGroups } from './methods.generated.ts';
import { exportName, type Input, iteratorName, type MethodDomain, type Output, splitInput } from './methods.ts';
import { mayHoldNames, withTextFormatsOf } from './name-check.ts';
import type { NameResolver } from './name-resolver.ts';
import { rateLimitsOf } from './rate-limit.ts';
import { BodyPromise, PagePromise, type ResponsePromise, type ResponseWith } from './response-promise.ts';
import { type FollowOptions, StreamFollower } from './stream.ts';
import { MemoryTokenCache } from './token-cache.ts';
import {
  accessTokenOf,
  type Fetch,
  normaliseBaseUrl,
  type RawResponse,
  type RequestOptions,
  Transport,
} from './transport.ts';
import type {
  BulkPostOutcome,
  BulkPostsResponse,
  CreateCustomPostRequest,
  GetPostDefinitionResponse,
} from './types.generated.ts';
import { type PostChanges, updatePost } from './update-post.ts';

const TIMEOUT_MS = 30_000;
const RETRIES = 2;

/** Default order of the list of posts. */
const POST_ORDER = { orderBy: 'postLastModifyAndCommentTimestamp', orderDesc: true };

type AnyInput = Readonly<Record<string, unknown>>;

const defined = (input: AnyInput): AnyInput =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));

interface Page {
  items?: unknown[];
  nextPageToken?: string;
}

type PathValues = Readonly<Record<string, unknown>>;

/**
 * A class that declares the groups: TypeScript accepts the members of a mapped type only from a
 * base class.
 */
const ClientWithGroups = class {} as new () => MethodGroups;

/** A client of one tenant. It keeps no connection; there is nothing to close. */
export class PorticoCoreClient extends ClientWithGroups {
  /** Base address in the form used. */
  readonly baseUrl: string;
  /** Address below which the operations are. */
  readonly apiRoot: string;
  declare readonly communities: CommunityMethods & {
    /**
     * Exports a community, by id or name, whole as a ZIP archive, as far as the caller sees it: definition, posts,
     * comments, files and history. The archive is created while it is read; another portal imports
     * it.
     */
    exportArchive(
      input: { communityId: number | string },
      options?: RequestOptions,
    ): Promise<ReadableStream<Uint8Array>>;
  };
  declare readonly changes: MethodGroups['changes'] & {
    /** Follows all posts the caller sees, from `syncToken` on (else from the beginning), until `signal` is aborted. */
    follow(options?: FollowOptions): StreamFollower;
    /** Yields changes as they happen, until `signal` is aborted. */
    listen(options?: LiveOptions): AsyncGenerator<LiveEvent, void, undefined>;
  };
  /** @deprecated Use `changes`. */
  declare readonly stream: MethodGroups['stream'] & {
    /** @deprecated Use `changes.follow`. */
    follow(options?: FollowOptions): StreamFollower;
    /** @deprecated Use `changes.listen`. */
    live(options?: LiveOptions): AsyncGenerator<LiveEvent, void, undefined>;
  };
  declare readonly posts: MethodGroups['posts'] & {
    /**
     * Creates any number of posts in a community, by id or name, from an iterable, in requests of up to {@link LINES_AT_ONCE};
     * posts that a request did not start are sent again. With a `clientUid` for each post the whole
     * call can be repeated.
     * @returns the outcome of each, in order; `line` counts from 1 over all
     */
    createAll(
      communityId: number | string,
      posts: Iterable<CreateCustomPostRequest> | AsyncIterable<CreateCustomPostRequest>,
      options?: RequestOptions & { dryRun?: boolean | undefined },
    ): AsyncGenerator<BulkPostOutcome, void, undefined>;
    /**
     * Changes a post or event. Without a `version`, reads the present one, and repeats the change
     * when another write came between that changed neither the state nor a member or field of these
     * changes.
     * @example
     * await client.posts.update(4711, { title: 'Budget 2028', customData: { Status: 'Open' } });
     * @throws UpdateConflictError if the other write changed the same, with both values;
     *   ConflictError if a given `version` is not the present one
     */
    update(postId: number, changes: PostChanges, options?: RequestOptions): ResponsePromise<Output<'patchPost'>>;
  };
  declare readonly users: MethodGroups['users'] & {
    /**
     * Exports all data about a user as a ZIP archive, for administrators. The archive is created
     * while it is read.
     */
    exportPerson(input: { userId: number }, options?: RequestOptions): Promise<ReadableStream<Uint8Array>>;
  };
  declare readonly auth: MethodGroups['auth'] & {
    /**
     * Exports all data about the caller as a ZIP archive. The archive is created while it is read.
     */
    exportMyData(options?: RequestOptions): Promise<ReadableStream<Uint8Array>>;
  };
  readonly files: Files;
  readonly #transport: Transport;
  /** Absent if the cookie of a session signs in. */
  readonly #tokens: TokenSource | undefined;
  /** Resolves names; loaded with the first of them, so that pages without names stay small. */
  #resolver: Promise<NameResolver> | undefined;

  constructor(options: ClientOptions, platform: Platform) {
    super();
    if (!options?.credentials) throw new ConfigurationError(CREDENTIALS_MISSING);
    this.baseUrl = normaliseBaseUrl(options.baseUrl);
    this.apiRoot = this.baseUrl + apiPathOf(options);
    const send: Fetch = options.fetch ?? ((url, init) => fetch(url, init));
    const userAgent = options.userAgent ?? platform.userAgent;
    const { credentials } = options;
    this.#tokens =
      credentials === 'session'
        ? undefined
        : new TokenSource({
            credentials,
            audience: options.audience ?? defaultAudience,
            apiRoot: this.apiRoot,
            cache: options.tokenCache ?? new MemoryTokenCache(),
            readKeyFile: platform.readKeyFile,
            now: () => Date.now(),
            exchanges: {
              serviceAccount: (jwtAssertion) => this.#exchange('createAccessTokenByServiceAccount', { jwtAssertion }),
              provider: (googleOAuth2Token) => this.#exchange('createAccessTokenByGoogleOAuth2', { googleOAuth2Token }),
              password: (username, password) =>
                this.#exchange('createAccessTokenByCredentials', { username, password }),
            },
          });
    this.#transport = new Transport({
      fetch: send,
      timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
      retries: options.retries ?? RETRIES,
      hooks: options.hooks ?? {},
      userAgent,
      tokens: this.#tokens,
    });
    for (const domain of Object.keys(methodsByPart()) as MethodDomain[])
      Object.assign(this, { [domain]: this.#methods(domain) });
    this.changes = {
      ...this.#methods('changes'),
      follow: (followOptions = {}) =>
        new StreamFollower((input, rest) => this.call('globalPostsStream', input, rest), followOptions),
      listen: (liveOptions = {}) => listen(this.#transport, this.apiRoot + livePath, liveOptions),
    };
    const { page, follow, listen: live } = this.changes;
    this.stream = { read: page, follow, live };
    this.posts = {
      ...this.#methods('posts'),
      createAll: (community, posts, createOptions = {}) => this.#createAll(community, posts, createOptions),
      update: (postId, changes, updateOptions = {}) =>
        new BodyPromise(
          updatePost(
            {
              read: (loadAttachments, { labels: _, ...rest }) =>
                this.call('getCustomPostDataForEdit', { postId, loadAttachments }, rest),
              resolve: (input, rest) => this.#resolve('patchPost', input, rest),
              patch: (input, rest) => this.#send('patchPost', input, rest, factsOfOperation('patchPost').members),
            },
            { ...changes, postId },
            updateOptions,
          ),
        ),
    };
    const archive = (path: string, rest: RequestOptions = {}) =>
      this.#transport.open(
        { ...rest, method: 'GET', url: this.apiRoot + path, operation: 'export', repeatable: true, signedIn: true },
        { Accept: 'application/zip' },
      );
    this.users = {
      ...this.#methods('users'),
      exportPerson: ({ userId }, rest) => archive(userExportPath.replace('{userId}', String(userId)), rest),
    };
    this.auth = { ...this.#methods('auth'), exportMyData: (rest) => archive(ownExportPath, rest) };
    this.communities = {
      ...withOneList(this.#methods('communities')),
      exportArchive: async ({ communityId }, rest) => {
        const id = typeof communityId === 'number' ? communityId : await (await this.#names()).community(communityId);
        return archive(communityArchivePath.replace('{communityId}', String(id)), rest);
      },
    };
    addFormerNames(this as unknown as Parameters<typeof addFormerNames>[0]);
    this.files = new Files({
      begin: (rest) => this.call('uploadNewFile', {}, rest),
      linkOf: async (attachmentId, version) => {
        const { attachmentData } = await this.call('getAttachmentDetailById', { attachmentId, version });
        // Files in Google Drive cannot be downloaded from the portal.
        return attachmentData?.drive ? undefined : attachmentData?.temporaryContentDownloadLink;
      },
      fetch: send,
      send: platform.sendMultipart,
      openPath: platform.openPath,
      userAgent,
    });
  }

  /**
   * Calls any operation by its id; the methods of the domains use it.
   * @throws one of the classes in errors.ts
   */
  call<K extends OperationId>(id: K, input: Input<K>, options: RequestOptions = {}): ResponsePromise<Output<K>> {
    return new BodyPromise<Output<K>>(this.#send(id, input as AnyInput, options));
  }

  #names(): Promise<NameResolver> {
    this.#resolver ??= import('./name-resolver.ts').then(
      ({ NameResolver }) => new NameResolver((id, input, rest) => this.call(id, input, rest)),
    );
    return this.#resolver;
  }

  /** Replaces names in an input by ids, and gives texts their format. */
  async #resolve(id: OperationId, input: AnyInput, options: RequestOptions): Promise<AnyInput> {
    const formatted = withTextFormatsOf(id, input);
    return mayHoldNames(id, formatted) ? (await this.#names()).resolve(id, formatted, options) : formatted;
  }

  /** Names fields and choices in an answer. */
  async #labelled(body: unknown, options: RequestOptions): Promise<unknown> {
    return (await this.#names()).labelled(body, withoutLabels(options));
  }

  /** @param bodyNames members of the body, if other names are refused here instead of by the server */
  async #send<K extends OperationId>(
    id: K,
    input: AnyInput,
    options: RequestOptions,
    bodyNames?: readonly string[],
  ): Promise<ResponseWith<Output<K>>> {
    const operation = factsOfOperation(id);
    const named = await this.#resolve(id, input, options);
    const ordered = id === 'listCommunityPostsFiltered' ? { ...POST_ORDER, ...defined(named) } : named;
    const { params, query, body } = splitInput(operation, ordered, bodyNames);
    const signedIn = !operation.isPublic;
    // A key makes the repetition of a write harmless. The kept response lacks secrets that are shown
    // once, so their operations are not repeated.
    const keyed = operation.write && signedIn && !operation.secret;
    const answer = await this.#transport.send({
      ...options,
      ...(keyed && { idempotencyKey: options.idempotencyKey ?? idempotencyKey() }),
      method: operation.method,
      url: this.#rootOf(id) + fillPath(operation.path, params),
      query,
      body,
      operation: id,
      repeatable: signedIn && (!operation.write || keyed),
      signedIn,
    });
    const { status, requestId, headers } = answer;
    const data = options.labels ? await this.#labelled(answer.body, options) : answer.body;
    return { data: data as Output<K>, status, requestId, headers, rateLimits: rateLimitsOf(headers) };
  }

  async *#createAll(
    community: number | string,
    posts: Iterable<CreateCustomPostRequest> | AsyncIterable<CreateCustomPostRequest>,
    options: RequestOptions & { dryRun?: boolean | undefined },
  ): AsyncGenerator<BulkPostOutcome, void, undefined> {
    const { signal, timeoutMs } = options;
    const names = await this.#names();
    const communityId = await names.community(community, { signal, timeoutMs });
    yield* createAll(
      (lines, query, rest) => this.#sendLines(communityId, lines, query, rest),
      names.posts(communityId, posts, options),
      options,
    );
  }

  async #sendLines(communityId: number, lines: string, query: AnyInput, options: RequestOptions) {
    const { method, path } = factsOfOperation('createPosts');
    const answer = await this.#transport.send({
      ...options,
      idempotencyKey: options.idempotencyKey ?? idempotencyKey(),
      method,
      url: this.apiRoot + fillPath(path, { communityId }),
      query,
      lines,
      operation: 'createPosts',
      repeatable: true,
      signedIn: true,
    });
    return answer.body as BulkPostsResponse;
  }

  /**
   * Sends a request outside of the operation table.
   * @param path below the API root, including its query; or a whole path that begins with
   *   `/portal/`
   */
  async request(method: string, path: string, options: RequestOptions & { body?: unknown } = {}): Promise<RawResponse> {
    const { body, ...rest } = options;
    // Paths are copied from the OpenAPI document and from logs, where they are whole.
    const root = path.startsWith('/portal/') ? this.baseUrl : this.apiRoot;
    const url = `${root}/${path.replace(/^\/+/, '')}`;
    if (!new URL(url).href.startsWith(`${this.baseUrl}/`))
      throw new ConfigurationError(`"${path}" leaves the base address.`);
    const verb = method.toUpperCase();
    const repeatable = verb === 'GET' || rest.idempotencyKey !== undefined;
    return this.#transport.send({ ...rest, method: verb, url, body, repeatable, signedIn: true });
  }

  /**
   * Signs in, or uses the cached token.
   * @returns the access token, for other programs
   * @throws ConfigurationError for a session, which has no token
   */
  async accessToken(): Promise<string> {
    if (!this.#tokens) throw new ConfigurationError('A session has no access token.');
    return this.#tokens.token();
  }

  /** Removes the access token, in the cache too; ends the session if a session signs in. */
  async signOut(): Promise<void> {
    if (this.#tokens) await this.#tokens.forget();
    else await this.call('endSession', {});
  }

  /** The post definition of a community, cached for a minute. Names are resolved with it. */
  async definition(communityId: number | string, options: RequestOptions = {}): Promise<GetPostDefinitionResponse> {
    const names = await this.#names();
    return names.definition(await names.community(communityId, options), options);
  }

  /** The exchange with the identity provider's token works only below the plain prefix. */
  #rootOf(id: OperationId): string {
    return id === 'createAccessTokenByGoogleOAuth2' ? this.apiRoot.replace(/\/external\/v\d+$/, '') : this.apiRoot;
  }

  async #exchange(
    id: 'createAccessTokenByServiceAccount' | 'createAccessTokenByGoogleOAuth2' | 'createAccessTokenByCredentials',
    body: AnyInput,
  ): Promise<string> {
    const { method, path } = factsOfOperation(id);
    const url = this.#rootOf(id) + path;
    return accessTokenOf(
      await this.#transport.send({ method, url, body, operation: id, repeatable: false, signedIn: false }),
      id,
    );
  }

  #methods<D extends MethodDomain>(domain: D): MethodGroups[D] {
    const methods: Record<string, unknown> = {};
    for (const [name, id] of Object.entries<OperationId>(methodsByPart()[domain])) {
      const { members, paged } = factsOfOperation(id);
      const send = (input: AnyInput = {}, options: RequestOptions = {}) => this.#send(id, input, options, members);
      if (!paged) {
        methods[name] = (input?: AnyInput, options?: RequestOptions) => new BodyPromise(send(input, options));
        continue;
      }
      methods[name] = (input?: AnyInput, options?: RequestOptions) =>
        new PagePromise(send(input, options), (first) => this.#items(id, input ?? {}, options, first as Promise<Page>));
      methods[iteratorName(name)] = (input: AnyInput = {}, options?: RequestOptions) => this.#items(id, input, options);
      methods[exportName(name)] = (input: AnyInput = {}, options?: ExportOptions) => this.#export(id, input, options);
    }
    return methods as unknown as MethodGroups[D];
  }

  /**
   * Every item of a list, page by page with the same filters; an empty page with a token is
   * followed by another.
   * @param first the first page, if it was requested already
   */
  async *#items(
    id: OperationId,
    { limit, ...given }: AnyInput,
    options: RequestOptions = {},
    first?: Promise<Page>,
  ): AsyncGenerator<unknown, void, undefined> {
    let left = typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY;
    if (left <= 0) return;
    const { members } = factsOfOperation(id);
    const input = await this.#resolve(id, given, options);
    let page = first ? await first : undefined;
    let pageToken = given['pageToken'];
    while (true) {
      page ??= (await this.#send(id, { ...input, pageToken }, options, members)).data as Page;
      for (const item of page.items ?? []) {
        if (left-- <= 0) return;
        yield item;
      }
      if (!page.nextPageToken || left <= 0) return;
      pageToken = page.nextPageToken;
      page = undefined;
    }
  }

  async #export(
    id: OperationId,
    input: AnyInput,
    { format, columns, timezone, times, ...options }: ExportOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    const operation = factsOfOperation(id);
    const named = await this.#resolve(id, input, options);
    const ordered = id === 'listCommunityPostsFiltered' ? { ...POST_ORDER, ...defined(named) } : named;
    const { params, body } = splitInput(operation, ordered);
    const url = this.apiRoot + fillPath(operation.path + exportSuffix, params);
    const query = { format, columns, timezone, times };
    const asked = { ...options, method: 'POST', url, query, body, operation: id, repeatable: false, signedIn: true };
    return this.#transport.open(asked, {});
  }
}

const withoutLabels = ({ signal, timeoutMs }: RequestOptions): RequestOptions => ({ signal, timeoutMs });

function fillPath(path: string, params: PathValues): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === null || value === '') throw new ConfigurationError(`"${name}" is missing.`);
    return encodeURIComponent(String(value));
  });
}
