/** The posts of one community, with labels of fields and values as types. */
import type { PorticoCoreClient } from './client.ts';
import type { Condition, NamedFilters, Operand } from './inputs.ts';
import type {
  PostsCreateInput,
  PostsIterateInput,
  PostsListInput,
  WorkflowExecuteInput,
} from './requests.generated.ts';
import type { ListPromise, ResponsePromise, Written } from './response-promise.ts';
import type { RequestOptions } from './transport.ts';
import type {
  BaseListPostsElement,
  BulkPostOutcome,
  CreateCustomPostRequest,
  CreatePostResponse,
  EditPostResponse,
  ExecutePostWorkflowOperationResponse,
  GetPostDefinitionResponse,
  GetPostDetailResponse,
  PagedListPostsResponse,
} from './types.generated.ts';
import type { PostChanges } from './update-post.ts';

/** Types of a community, as `portico api communities types` prints them. */
export interface CommunityTypes {
  /** Values of custom fields in responses, by label. */
  values: object;
  /** Values of custom fields in requests, by label. */
  input: object;
  /** Values of fields of screens in requests, by label. */
  screenInput: object;
  /** Names of the states. */
  state: string;
  /** Names of the transitions. */
  transition: string;
}

/** A post of a response, with the fields of its community. */
export type PostOf<Post, Types extends CommunityTypes> = Omit<Post, 'customData'> & { customData: Types['values'] };

/** A post in a request, with the fields of its community. */
type InputOf<Input, Types extends CommunityTypes> = Omit<Input, 'communityId' | 'customData'> & {
  customData?: Types['input'] | undefined;
};

/** A single value of a field, of a list of values its element. */
type ValueOf<Field> = Field extends readonly (infer Item)[] ? Item : Field;

/** A condition on a field: its values only. */
type ConditionOn<Value extends Operand> =
  | Value
  | null
  | readonly Value[]
  | { readonly from?: Value | null | undefined; readonly to?: Value | null | undefined }
  | { readonly equals: Value }
  | { readonly contains: Value }
  | { readonly in: readonly Value[] }
  | { readonly inOrEmpty: readonly Value[] }
  | { readonly empty: true };

/** Conditions on the fields of a community. */
type WhereOf<Types extends CommunityTypes> = {
  readonly [Name in keyof Types['values']]?: Name extends keyof Types['input']
    ? ConditionOn<Extract<ValueOf<NonNullable<Types['input'][Name]>>, Operand>>
    : Condition;
};

/** Filters of a list, with the names of a community. */
type FiltersOf<List, Types extends CommunityTypes> = Omit<List, 'communityId' | 'fields' | keyof NamedFilters> &
  Pick<NamedFilters, 'hashtags' | 'orderBy'> & {
    /** Conditions on custom fields, by label. */
    where?: WhereOf<Types> | undefined;
    /** States, by name. */
    state?: Types['state'] | readonly Types['state'][] | undefined;
  };

/**
 * The posts of one community. Fields, values, states and transitions have their names, in both
 * directions, and the types of the community check them.
 * @example
 * // The type is printed by `portico api communities types Orders`.
 * const orders = new CommunityClient<Community>(client, 'Orders');
 * await orders.create({ title: 'Toner', customData: { Kind: 'Small' } });
 */
export class CommunityClient<Types extends CommunityTypes> {
  readonly #client: PorticoCoreClient;
  readonly #communityId: number | string;

  /** @param community id or name */
  constructor(client: PorticoCoreClient, community: number | string) {
    this.#client = client;
    this.#communityId = community;
  }

  /** The first page of posts; iterated, all posts. */
  list(
    input: FiltersOf<PostsListInput, Types> = {},
    options: RequestOptions = {},
  ): ListPromise<
    Omit<PagedListPostsResponse, 'items'> & { items: PostOf<BaseListPostsElement, Types>[] },
    PostOf<BaseListPostsElement, Types>
  > {
    return this.#client.posts.list(this.#filters(input) as PostsListInput, labelled(options)) as never;
  }

  /** All posts one by one, at most `limit`. */
  iterate(
    input: FiltersOf<PostsIterateInput, Types> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<PostOf<BaseListPostsElement, Types>, void, undefined> {
    return this.#client.posts.iterate(this.#filters(input) as PostsIterateInput, labelled(options)) as never;
  }

  /** Returns a post. */
  get(postId: number, options: RequestOptions = {}): ResponsePromise<PostOf<GetPostDetailResponse, Types>> {
    return this.#client.posts.get({ postId }, labelled(options)) as never;
  }

  /** Creates a post. */
  create(
    input: InputOf<PostsCreateInput, Types>,
    options?: RequestOptions,
  ): ResponsePromise<Written<CreatePostResponse>> {
    return this.#client.posts.create({ ...input, communityId: this.#communityId } as PostsCreateInput, options);
  }

  /** Creates any number of posts, as `client.posts.createAll`. */
  createAll(
    posts: Iterable<InputOf<CreateCustomPostRequest, Types>> | AsyncIterable<InputOf<CreateCustomPostRequest, Types>>,
    options?: RequestOptions & { dryRun?: boolean | undefined },
  ): AsyncGenerator<BulkPostOutcome, void, undefined> {
    return this.#client.posts.createAll(this.#communityId, posts as Iterable<CreateCustomPostRequest>, options);
  }

  /** Changes a post, as `client.posts.update`. */
  update(
    postId: number,
    changes: InputOf<PostChanges, Types>,
    options?: RequestOptions,
  ): ResponsePromise<Written<EditPostResponse>> {
    return this.#client.posts.update(postId, changes as PostChanges, options);
  }

  /** Moves a post by a transition, with values of the fields of its screen. */
  execute(
    postId: number,
    transition: Types['transition'],
    screenData?: Types['screenInput'],
    options?: RequestOptions,
  ): ResponsePromise<Written<ExecutePostWorkflowOperationResponse>> {
    const input = { postId, workflowOperationId: transition, screenData } as WorkflowExecuteInput;
    return this.#client.workflow.execute(input, options);
  }

  /** Fields, values, states and transitions, cached for a minute. */
  definition(options?: RequestOptions): Promise<GetPostDefinitionResponse> {
    return this.#client.definition(this.#communityId, options);
  }

  #filters(input: object): object {
    return { ...input, communityId: this.#communityId };
  }
}

const labelled = (options: RequestOptions): RequestOptions => ({ ...options, labels: true });
