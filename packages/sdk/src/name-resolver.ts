/** Resolves names of communities, people, fields and values in inputs to ids. */
import { type OperationId, TextFormat } from '@portico/contract';
import { factsOfOperation } from './api.ts';
import { type NamedValues, resolveValues } from './custom-data.ts';
import { ConfigurationError, UnknownNameError } from './errors.ts';
import { type Field, resolveFilters } from './filters.ts';
import type { NamedFilters } from './inputs.ts';
import { labelAnswer } from './labels.ts';
import { hasNames, valuesNeedDefinition, withTextFormats } from './name-check.ts';
import { requireNamed } from './names.ts';
import { type Call, ReferenceResolver } from './references.ts';
import { abortable, type RequestOptions } from './transport.ts';
import type { GetPostDefinitionResponse } from './types.generated.ts';

type AnyInput = Readonly<Record<string, unknown>>;

const DEFINITION_AGE_MS = 60_000;

const FILTER_LISTS = ['postFieldFilters', 'screenFieldFilters', 'currentWorkflowStatusIds', 'hashtagIds'] as const;

/** Resolves the names in inputs of one client. Definitions are kept for a minute. */
export class NameResolver {
  readonly #call: Call;
  readonly #references: ReferenceResolver;
  readonly #definitions = new Map<number, { at: number; definition: Promise<GetPostDefinitionResponse> }>();

  constructor(call: Call) {
    this.#call = call;
    this.#references = new ReferenceResolver(call);
  }

  /** Id of a community by its id or name. @throws UnknownNameError */
  community(given: number | string, options: RequestOptions = {}): Promise<number> {
    return this.#references.community(given, options);
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

  /** Names fields and choices in an answer. */
  labelled(answer: unknown, options: RequestOptions): Promise<unknown> {
    return labelAnswer(answer, (communityId) => this.definition(communityId, options));
  }

  /**
   * Resolves names in an input to ids. An input with ids only is passed on without reading
   * anything.
   * @throws UnknownNameError, ConfigurationError
   */
  async resolve(id: OperationId, given: AnyInput, options: RequestOptions): Promise<AnyInput> {
    const read = { signal: options.signal, timeoutMs: options.timeoutMs };
    const input = await this.#transition(await this.#references.resolve(given, read), read);
    if (id === 'listCommunityPostsFiltered' || id === 'listCommunityPosts') return this.#filters(id, input, read);
    if (id === 'createPosts') return this.#manyPosts(input, read);
    if (id === 'patchPosts') return this.#manyPatches(input, read);
    if (needsDefinition(input)) {
      const communityId = input['communityId'] ?? (await this.#communityOf(Number(input['postId']), read));
      return this.#post(Number(communityId), input, read);
    }
    const screenData = input['screenData'] as NamedValues | undefined;
    if (!screenData || !valuesNeedDefinition(screenData)) return input;
    const { postId, workflowOperationId } = input as { postId: number; workflowOperationId?: number };
    const { screen } = await this.#call('getPostWorkflowScreenDataForEdit', { postId, workflowOperationId }, read);
    const fields = (screen?.fieldMetadatas ?? []) as Field[];
    const values = await this.#references.people(fields, screenData, read);
    return { ...input, screenData: resolveValues(fields, values, isPlain(input)) };
  }

  /** Replaces the name of a transition by its id. */
  async #transition(input: AnyInput, read: RequestOptions): Promise<AnyInput> {
    const { workflowOperationId: given, postId } = input;
    if (typeof given !== 'string' || /^\d+$/.test(given)) return input;
    const communityId = Number(await this.#communityOf(Number(postId), read));
    return this.#withDefinition(communityId, read, ({ workflowDefinition }) => {
      const named = (workflowDefinition?.transitions ?? []).map(({ id, name }) => ({ id, label: name }));
      return { ...input, workflowOperationId: requireNamed('transition', named, given).id };
    });
  }

  /** Resolves the names in posts to create, one by one. */
  async *posts<T extends object>(
    communityId: number,
    posts: Iterable<T> | AsyncIterable<T>,
    options: RequestOptions,
  ): AsyncGenerator<T, void, undefined> {
    const read = { signal: options.signal, timeoutMs: options.timeoutMs };
    for await (const post of posts) {
      const input = await this.#references.resolve(
        withTextFormats(post as AnyInput, factsOfOperation('createCustomPost').members),
        read,
      );
      yield (await this.#newPost(communityId, input, read)) as T;
    }
  }

  async #newPost(communityId: number, post: AnyInput, read: RequestOptions): Promise<AnyInput> {
    return needsDefinition(post) ? this.#post(communityId, post, read) : post;
  }

  #post(communityId: number, post: AnyInput, read: RequestOptions): Promise<AnyInput> {
    return this.#withDefinition(communityId, read, async ({ fieldDefinitions = [] }) => {
      const values = await this.#references.people(fieldDefinitions, post['customData'] as NamedValues, read);
      return { ...post, customData: resolveValues(fieldDefinitions, values, isPlain(post)) };
    });
  }

  async #manyPosts(input: AnyInput, read: RequestOptions): Promise<AnyInput> {
    if (!Array.isArray(input['posts'])) return input;
    const posts: AnyInput[] = [];
    for (const post of input['posts'] as AnyInput[])
      posts.push(await this.#newPost(Number(input['communityId']), post, read));
    return { ...input, posts };
  }

  /** Names of many changes belong to the community of the first post. */
  async #manyPatches(input: AnyInput, read: RequestOptions): Promise<AnyInput> {
    const { patch, posts, postIds } = input as { patch?: AnyInput; posts?: AnyInput[]; postIds?: number[] };
    const patches = [patch, ...(posts ?? []).map((post) => post['patch'] as AnyInput | undefined)];
    const firstPost = Number(posts?.[0]?.['postId'] ?? postIds?.[0]);
    const named = patches.some((each) => each && needsDefinition(each));
    const communityId = named ? Number(await this.#communityOf(firstPost, read)) : 0;
    const resolved = async (each: AnyInput) => (needsDefinition(each) ? this.#post(communityId, each, read) : each);
    const changed: AnyInput[] = [];
    for (const post of posts ?? [])
      changed.push(post['patch'] ? { ...post, patch: await resolved(post['patch'] as AnyInput) } : post);
    return { ...input, ...(patch && { patch: await resolved(patch) }), ...(posts && { posts: changed }) };
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
    const found = await this.#withDefinition(Number(rest['communityId']), read, async (definition) => {
      const { fieldDefinitions = [], workflowDefinition } = definition;
      const fields = [...fieldDefinitions, ...(workflowDefinition?.screenFieldMetadatas ?? [])];
      const people = where && ((await this.#references.people(fields, where, read)) as NamedFilters['where']);
      return resolveFilters(definition, { ...named, ...(people && { where: people }) }, deprecated);
    });
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
    resolve: (definition: GetPostDefinitionResponse) => T | Promise<T>,
  ): Promise<T> {
    const kept = this.#definitions.get(communityId);
    try {
      return await resolve(await this.definition(communityId, options));
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
