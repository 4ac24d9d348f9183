/** The client: signing in, one method for each operation, names, files and the stream. */
import {
  apiPrefixes,
  type BulkPostOutcome,
  type BulkPostsResponse,
  type CreateCustomPostRequest,
  exportSuffix,
  type GetPostDefinitionResponse,
  livePath,
  type MethodTable,
  methodTable,
  type OperationId,
  operationById,
  ownExportPath,
  TextFormat,
  userExportPath,
} from '@portico/contract';
import { createAll } from './bulk.ts';
import { type ClientCredentials, CREDENTIALS_MISSING, defaultAudience, TokenSource } from './credentials.ts';
import { type NamedValues, resolveValues, valuesHaveNames } from './custom-data.ts';
import { ConfigurationError, UnknownNameError } from './errors.ts';
import { type FileSource, Files, type SendMultipart, sendMultipartForm } from './files.ts';
import { type Field, hasNames, resolveFilters } from './filters.ts';
import { type LiveEvent, type LiveOptions, listen } from './live.ts';
import {
  type DomainMethods,
  type ExportOptions,
  exportName,
  type Input,
  iteratorName,
  type MethodDomain,
  type NamedFilters,
  type Output,
  splitInput,
} from './methods.ts';
import { type FollowOptions, StreamFollower } from './stream.ts';
import { MemoryTokenCache, type TokenCache } from './token-cache.ts';
import {
  type Answer,
  abortable,
  accessTokenOf,
  type Fetch,
  type Hooks,
  normaliseBaseUrl,
  type RequestOptions,
  Transport,
} from './transport.ts';

export interface ClientOptions {
  /**
   * Base address of the tenant, for example `https://portal.example.org`; without a scheme,
   * `https://` is added.
   */
  baseUrl: string;
  credentials: ClientCredentials;
  /** `aud` of the service-account assertion. Default `portico/portal-authenticator`. */
  audience?: string;
  /** Path of the API root below the base address. Default `/portal/api/external/v` followed by {@link apiVersion}. */
  apiPath?: string;
  /** Version of the interface. Default 2. A contradicting `apiPath` is refused. */
  apiVersion?: number;
  /** Store of access tokens. Default: in memory. Node.js also has DiskTokenCache. */
  tokenCache?: TokenCache;
  /** Milliseconds until a request fails with a TimeoutError; 0 means no limit. Default 30 000. */
  timeoutMs?: number;
  /**
   * Number of retries of a read after a network failure, a 429 or a 5xx. Writes are never retried.
   * Default 2.
   */
  retries?: number;
  hooks?: Hooks;
  /** Sends the requests; default the global `fetch`. */
  fetch?: Fetch;
  /** `User-Agent`, if the platform allows it to be set. */
  userAgent?: string;
}

/** Functions that depend on the platform. */
export interface Platform {
  readonly readKeyFile?: (path: string) => Promise<string>;
  readonly openPath?: (path: string) => Promise<FileSource>;
  readonly sendMultipart: SendMultipart;
  readonly userAgent?: string;
}

/** Platform functions of browsers, and of other environments with fetch and Web Crypto. */
export const webPlatform: Platform = { sendMultipart: sendMultipartForm };

const TIMEOUT_MS = 30_000;
const RETRIES = 2;
const DEFINITION_AGE_MS = 60_000;

/** Default order of the list of posts. */
const POST_ORDER = { orderBy: 'postLastModifyAndCommentTimestamp', orderDesc: true };

/**
 * @throws ConfigurationError for an invalid version, or a version that differs from the end of the
 *   path
 */
function apiPathOf({ apiPath, apiVersion }: ClientOptions): string {
  if (apiVersion !== undefined && !(Number.isSafeInteger(apiVersion) && apiVersion > 0))
    throw new ConfigurationError('apiVersion is a whole number such as 2.');
  const known = apiPrefixes[1].replace(/\d+$/, String(apiVersion ?? 2));
  const path = `/${apiPath ?? known}`.replace(/\/+/g, '/').replace(/\/$/, '');
  const named = /\/v(\d+)$/.exec(path)?.[1];
  if (apiVersion !== undefined && named !== undefined && Number(named) !== apiVersion)
    throw new ConfigurationError(
      `apiPath ends in version ${named}, apiVersion is ${apiVersion}: leave one of them out.`,
    );
  return path;
}

type AnyInput = Readonly<Record<string, unknown>>;

const defined = (input: AnyInput): AnyInput =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));

type PathValues = Readonly<Record<string, unknown>>;

/** The methods, in one group for each part of the product: `client.posts.list`. */
type MethodGroups = { readonly [D in MethodDomain]: DomainMethods<MethodTable[D]> };

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
  declare readonly stream: MethodGroups['stream'] & {
    /** Follows all posts the caller sees, from `syncToken` on (else from the beginning), until `signal` is aborted. */
    follow(options?: FollowOptions): StreamFollower;
    /** Changes as they happen, until `signal` is aborted. */
    live(options?: LiveOptions): AsyncGenerator<LiveEvent, void, undefined>;
  };
  declare readonly posts: MethodGroups['posts'] & {
    /**
     * Creates any number of posts from an iterable, in requests of up to {@link LINES_AT_ONCE};
     * posts that a request did not start are sent again. With a `clientUid` for each post the whole
     * call can be repeated.
     * @returns the outcome of each, in order; `line` counts from 1 over all
     */
    createAll(
      communityId: number,
      posts: Iterable<CreateCustomPostRequest> | AsyncIterable<CreateCustomPostRequest>,
      options?: RequestOptions & { dryRun?: boolean },
    ): AsyncGenerator<BulkPostOutcome, void, undefined>;
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
  readonly #definitions = new Map<number, { at: number; definition: Promise<GetPostDefinitionResponse> }>();

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
    for (const domain of Object.keys(methodTable) as MethodDomain[])
      Object.assign(this, { [domain]: this.#methods(domain) });
    this.stream = {
      ...this.#methods('stream'),
      follow: (followOptions = {}) =>
        new StreamFollower((input, rest) => this.call('globalPostsStream', input, rest), followOptions),
      live: (liveOptions = {}) => listen(this.#transport, this.apiRoot + livePath, liveOptions),
    };
    this.posts = {
      ...this.#methods('posts'),
      createAll: (communityId, posts, createOptions = {}) =>
        createAll((lines, query, rest) => this.#sendLines(communityId, lines, query, rest), posts, createOptions),
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
  async call<K extends OperationId>(id: K, input: Input<K>, options: RequestOptions = {}): Promise<Output<K>> {
    const operation = operationById(id);
    const named = await this.#resolveNames(id, input as AnyInput, options);
    const ordered = id === 'listCommunityPostsFiltered' ? { ...POST_ORDER, ...defined(named) } : named;
    const { params, query, body } = splitInput(operation, ordered);
    const answer = await this.#transport.send({
      ...options,
      method: operation.method,
      url: this.#rootOf(id) + fillPath(operation.path, params),
      query,
      body,
      operation: id,
      repeatable: operation.kind === 'read' && operation.permission !== 'public',
      signedIn: operation.permission !== 'public',
    });
    return answer.body as Output<K>;
  }

  async #sendLines(communityId: number, lines: string, query: AnyInput, options: RequestOptions) {
    const { method, path } = operationById('createPosts');
    const answer = await this.#transport.send({
      ...options,
      method,
      url: this.apiRoot + fillPath(path, { communityId }),
      query,
      lines,
      operation: 'createPosts',
      repeatable: false,
      signedIn: true,
    });
    return answer.body as BulkPostsResponse;
  }

  /**
   * Sends a request outside of the operation table.
   * @param path below the API root, including its query; or a whole path that begins with
   *   `/portal/`
   */
  async request(method: string, path: string, options: RequestOptions & { body?: unknown } = {}): Promise<Answer> {
    const { body, ...rest } = options;
    // Paths are copied from the OpenAPI document and from logs, where they are whole.
    const root = path.startsWith('/portal/') ? this.baseUrl : this.apiRoot;
    const url = `${root}/${path.replace(/^\/+/, '')}`;
    if (!new URL(url).href.startsWith(`${this.baseUrl}/`))
      throw new ConfigurationError(`"${path}" leaves the base address.`);
    const verb = method.toUpperCase();
    return this.#transport.send({ ...rest, method: verb, url, body, repeatable: verb === 'GET', signedIn: true });
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
  definition(communityId: number, options: RequestOptions = {}): Promise<GetPostDefinitionResponse> {
    const { signal, ...rest } = options;
    const kept = this.#definitions.get(communityId);
    if (kept && Date.now() - kept.at < DEFINITION_AGE_MS) return abortable(kept.definition, signal);
    // Several callers may wait for it: a caller who stops waiting does not abort it.
    const definition = this.call('getPostDefinition', { communityId }, rest);
    this.#definitions.set(communityId, { at: Date.now(), definition });
    definition.catch(() => this.#definitions.delete(communityId));
    return abortable(definition, signal);
  }

  /** The exchange with the identity provider's token works only below the plain prefix. */
  #rootOf(id: OperationId): string {
    return id === 'createAccessTokenByGoogleOAuth2' ? this.apiRoot.replace(/\/external\/v\d+$/, '') : this.apiRoot;
  }

  async #exchange(
    id: 'createAccessTokenByServiceAccount' | 'createAccessTokenByGoogleOAuth2' | 'createAccessTokenByCredentials',
    body: AnyInput,
  ): Promise<string> {
    const { method, path } = operationById(id);
    const url = this.#rootOf(id) + path;
    return accessTokenOf(
      await this.#transport.send({ method, url, body, operation: id, repeatable: false, signedIn: false }),
      id,
    );
  }

  #methods<D extends MethodDomain>(domain: D): DomainMethods<MethodTable[D]> {
    const methods: Record<string, unknown> = {};
    for (const [name, id] of Object.entries<OperationId>(methodTable[domain])) {
      methods[name] = (input: AnyInput = {}, options?: RequestOptions) =>
        this.call(id, input as Input<typeof id>, options);
      if (operationById(id).paging === 'page') {
        methods[iteratorName(name)] = (input: AnyInput = {}, options?: RequestOptions) =>
          this.#iterate(id, input, options);
        methods[exportName(name)] = (input: AnyInput = {}, options?: ExportOptions) => this.#export(id, input, options);
      }
    }
    return methods as DomainMethods<MethodTable[D]>;
  }

  /**
   * Every item of a list, page by page with the same filters; an empty page with a token is
   * followed by another.
   */
  async *#iterate(
    id: OperationId,
    { limit, ...given }: AnyInput,
    options?: RequestOptions,
  ): AsyncGenerator<unknown, void, undefined> {
    let left = typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY;
    const input = await this.#resolveNames(id, given, options ?? {});
    let pageToken = given['pageToken'];
    while (left > 0) {
      const page = (await this.call(id, { ...input, pageToken } as Input<typeof id>, options)) as {
        items?: unknown[];
        nextPageToken?: string;
      };
      for (const item of page.items ?? []) {
        if (left-- <= 0) return;
        yield item;
      }
      if (!page.nextPageToken) return;
      pageToken = page.nextPageToken;
    }
  }

  async #export(
    id: OperationId,
    input: AnyInput,
    { format, columns, timezone, times, ...options }: ExportOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    const operation = operationById(id);
    const named = await this.#resolveNames(id, input, options);
    const ordered = id === 'listCommunityPostsFiltered' ? { ...POST_ORDER, ...defined(named) } : named;
    const { params, body } = splitInput(operation, ordered);
    const url = this.apiRoot + fillPath(operation.path + exportSuffix, params);
    const query = { format, columns, timezone, times };
    const asked = { ...options, method: 'POST', url, query, body, operation: id, repeatable: false, signedIn: true };
    return this.#transport.open(asked, {});
  }

  /**
   * Resolves labels and external ids in an input to ids. An input with ids only is passed on
   * without reading the definition.
   */
  async #resolveNames(id: OperationId, input: AnyInput, options: RequestOptions): Promise<AnyInput> {
    const read = { signal: options.signal, timeoutMs: options.timeoutMs };
    if (id === 'listCommunityPostsFiltered' || id === 'listCommunityPosts') {
      const deprecated = id === 'listCommunityPosts';
      const { where, state, hashtags, orderBy, ...rest } = input as NamedFilters & AnyInput;
      const named: NamedFilters = {
        ...(where && { where }),
        ...(state !== undefined && { state }),
        ...(hashtags !== undefined && { hashtags }),
        ...(orderBy !== undefined && { orderBy }),
      };
      if (!hasNames(named, deprecated)) return input;
      const found = await this.#withDefinition(Number(rest['communityId']), read, (definition) =>
        resolveFilters(definition, named, deprecated),
      );
      const merged: Record<string, unknown> = { ...rest, ...found };
      for (const list of [
        'postFieldFilters',
        'screenFieldFilters',
        'currentWorkflowStatusIds',
        'hashtagIds',
      ] as const) {
        const given = rest[list];
        if (Array.isArray(given) && found[list]) merged[list] = [...given, ...found[list]];
      }
      return merged;
    }
    const values = input['customData'] as NamedValues | undefined;
    if (values && valuesHaveNames(values)) {
      const communityId = input['communityId'] ?? (await this.#communityOf(Number(input['postId']), read));
      const customData = await this.#withDefinition(Number(communityId), read, ({ fieldDefinitions }) =>
        resolveValues(fieldDefinitions ?? [], values, input['deltaAreaFormat'] === TextFormat.PLAIN_TEXT),
      );
      return { ...input, customData };
    }
    const screenData = input['screenData'] as NamedValues | undefined;
    if (screenData && valuesHaveNames(screenData)) {
      const { postId, workflowOperationId } = input as { postId: number; workflowOperationId?: number };
      const { screen } = await this.call('getPostWorkflowScreenDataForEdit', { postId, workflowOperationId }, read);
      return {
        ...input,
        screenData: resolveValues(
          (screen?.fieldMetadatas ?? []) as Field[],
          screenData,
          input['deltaAreaFormat'] === TextFormat.PLAIN_TEXT,
        ),
      };
    }
    return input;
  }

  /**
   * An unknown name may be newer than the cached definition: the definition is then read again,
   * once.
   */
  async #withDefinition<T>(
    communityId: number,
    options: RequestOptions,
    resolve: (definition: GetPostDefinitionResponse) => T,
  ): Promise<T> {
    const kept = this.#definitions.get(communityId);
    try {
      return resolve(await this.definition(communityId, options));
    } catch (error) {
      if (!(error instanceof UnknownNameError) || kept === undefined) throw error;
      this.#definitions.delete(communityId);
      return resolve(await this.definition(communityId, options));
    }
  }

  async #communityOf(postId: number, options: RequestOptions): Promise<number | undefined> {
    return (await this.call('getCustomPostDataForEdit', { postId, loadAttachments: false }, options)).communityId;
  }
}

function fillPath(path: string, params: PathValues): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === null || value === '') throw new ConfigurationError(`"${name}" is missing.`);
    return encodeURIComponent(String(value));
  });
}
