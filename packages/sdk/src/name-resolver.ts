/** Resolves labels and external ids in inputs to ids, by the post definition of the community. */
import { type OperationId, TextFormat } from '@portico/contract';
import { isDelta, type NamedValues, resolveValues, valuesNeedDefinition } from './custom-data.ts';
import { ConfigurationError, UnknownNameError } from './errors.ts';
import { type Field, hasNames, resolveFilters } from './filters.ts';
import type { NamedFilters } from './inputs.ts';
import { bodyNames } from './method-facts.generated.ts';
import type { Input, Output } from './methods.ts';
import { abortable, type RequestOptions } from './transport.ts';
import type { GetPostDefinitionResponse } from './types.generated.ts';

type AnyInput = Readonly<Record<string, unknown>>;

type Call = <K extends OperationId>(id: K, input: Input<K>, options: RequestOptions) => Promise<Output<K>>;

const DEFINITION_AGE_MS = 60_000;

/** Texts that are plain unless they are deltas, and the members that hold their formats. */
const TEXT_FORMATS = [
  ['description', 'descriptionFormat'],
  ['comment', 'commentFormat'],
] as const;

const FILTER_LISTS = ['postFieldFilters', 'screenFieldFilters', 'currentWorkflowStatusIds', 'hashtagIds'] as const;

/** Resolves the names in inputs of one client. Definitions are kept for a minute. */
export class NameResolver {
  readonly #call: Call;
  readonly #definitions = new Map<number, { at: number; definition: Promise<GetPostDefinitionResponse> }>();

  constructor(call: Call) {
    this.#call = call;
  }

  /** The post definition of a community. */
  definition(communityId: number, options: RequestOptions = {}): Promise<GetPostDefinitionResponse> {
    const { signal, ...rest } = options;
    const kept = this.#definitions.get(communityId);
    if (kept && Date.now() - kept.at < DEFINITION_AGE_MS) return abortable(kept.definition, signal);
    // Several callers may wait for it: a caller who stops waiting does not abort it.
    const definition: Promise<GetPostDefinitionResponse> = this.#call('getPostDefinition', { communityId }, rest);
    this.#definitions.set(communityId, { at: Date.now(), definition });
    definition.catch(() => this.#definitions.delete(communityId));
    return abortable(definition, signal);
  }

  /**
   * Resolves labels and external ids in an input to ids. An input with ids only is passed on
   * without reading the definition.
   * @throws UnknownNameError, ConfigurationError
   */
  async resolve(id: OperationId, input: AnyInput, options: RequestOptions): Promise<AnyInput> {
    const read = { signal: options.signal, timeoutMs: options.timeoutMs };
    if (id === 'listCommunityPostsFiltered' || id === 'listCommunityPosts') return this.#filters(id, input, read);
    if (id === 'createPosts') return this.#manyPosts(input, read);
    if (id === 'patchPosts') return this.#manyPatches(input, read);
    const formatted = withTextFormats(input, bodyNames[id]);
    if (needsDefinition(formatted)) {
      const communityId = formatted['communityId'] ?? (await this.#communityOf(Number(formatted['postId']), read));
      return this.#post(Number(communityId), formatted, read);
    }
    const screenData = formatted['screenData'] as NamedValues | undefined;
    if (!screenData || !valuesNeedDefinition(screenData)) return formatted;
    const { postId, workflowOperationId } = formatted as { postId: number; workflowOperationId?: number };
    const { screen } = await this.#call('getPostWorkflowScreenDataForEdit', { postId, workflowOperationId }, read);
    const fields = (screen?.fieldMetadatas ?? []) as Field[];
    return { ...formatted, screenData: resolveValues(fields, screenData, isPlain(formatted)) };
  }

  /** Resolves the names in posts to create, one by one. */
  async *posts<T extends object>(
    communityId: number,
    posts: Iterable<T> | AsyncIterable<T>,
    options: RequestOptions,
  ): AsyncGenerator<T, void, undefined> {
    const read = { signal: options.signal, timeoutMs: options.timeoutMs };
    for await (const post of posts) yield (await this.#newPost(communityId, post as AnyInput, read)) as T;
  }

  async #newPost(communityId: number, post: AnyInput, read: RequestOptions): Promise<AnyInput> {
    const formatted = withTextFormats(post, bodyNames.createCustomPost);
    return needsDefinition(formatted) ? this.#post(communityId, formatted, read) : formatted;
  }

  #post(communityId: number, post: AnyInput, read: RequestOptions): Promise<AnyInput> {
    return this.#withDefinition(communityId, read, ({ fieldDefinitions }) => {
      const values = post['customData'] as NamedValues;
      return { ...post, customData: resolveValues(fieldDefinitions ?? [], values, isPlain(post)) };
    });
  }

  async #manyPosts(input: AnyInput, read: RequestOptions): Promise<AnyInput> {
    if (!Array.isArray(input['posts'])) return input;
    const posts: AnyInput[] = [];
    for (const post of input['posts'] as AnyInput[])
      posts.push(await this.#newPost(Number(input['communityId']), post, read));
    return { ...input, posts };
  }

  /** Names of many changes are those of the community of the first post. */
  async #manyPatches(input: AnyInput, read: RequestOptions): Promise<AnyInput> {
    const { patch, posts, postIds } = input as { patch?: AnyInput; posts?: AnyInput[]; postIds?: number[] };
    const withFormats = (each: AnyInput) => withTextFormats(each, bodyNames.patchPost);
    const common = patch && withFormats(patch);
    const single = posts?.map((post) =>
      post['patch'] ? { ...post, patch: withFormats(post['patch'] as AnyInput) } : post,
    );
    const patches = [common, ...(single ?? []).map((post) => post['patch'] as AnyInput | undefined)];
    const firstPost = Number(posts?.[0]?.['postId'] ?? postIds?.[0]);
    const named = patches.some((each) => each && needsDefinition(each));
    const communityId = named ? Number(await this.#communityOf(firstPost, read)) : 0;
    const resolved = async (each: AnyInput) => (needsDefinition(each) ? this.#post(communityId, each, read) : each);
    const changed: AnyInput[] = [];
    for (const post of single ?? [])
      changed.push(post['patch'] ? { ...post, patch: await resolved(post['patch'] as AnyInput) } : post);
    return { ...input, ...(common && { patch: await resolved(common) }), ...(single && { posts: changed }) };
  }

  async #filters(id: OperationId, input: AnyInput, read: RequestOptions): Promise<AnyInput> {
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
    for (const list of FILTER_LISTS) {
      const given = rest[list];
      if (Array.isArray(given) && found[list]) merged[list] = [...given, ...found[list]];
    }
    return merged;
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
    if (!Number.isSafeInteger(postId))
      throw new ConfigurationError('Labels of fields need a post or a community: give its id, a whole number.');
    const { communityId } = await this.#call('getCustomPostDataForEdit', { postId, loadAttachments: false }, options);
    return communityId;
  }
}

const needsDefinition = (post: AnyInput) => {
  const values = post['customData'] as NamedValues | null | undefined;
  return values !== null && values !== undefined && valuesNeedDefinition(values);
};

const isPlain = (post: AnyInput) => post['deltaAreaFormat'] === TextFormat.PLAIN_TEXT;

/** A text without a format is plain text unless it is a delta. */
function withTextFormats(input: AnyInput, names: string | undefined): AnyInput {
  const formats = TEXT_FORMATS.filter(([text, format]) => {
    const value = input[text];
    const takesFormat = names?.split(' ').includes(format) === true;
    return takesFormat && typeof value === 'string' && value !== '' && input[format] === undefined && !isDelta(value);
  });
  if (formats.length === 0) return input;
  return { ...input, ...Object.fromEntries(formats.map(([, format]) => [format, TextFormat.PLAIN_TEXT])) };
}
