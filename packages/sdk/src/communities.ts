/** One list of communities for what the caller may do there. */
import { ConfigurationError } from './errors.ts';
import type { CommunitiesMethods } from './methods.generated.ts';
import type { CommunitiesListInput, CommunitiesManagedInput } from './requests.generated.ts';
import type { ListPromise, ResponsePromise } from './response-promise.ts';
import type { RequestOptions } from './transport.ts';
import type { Community, ListCommunitiesResponse, ListManagedCommunitiesResponse } from './types.generated.ts';

/** The methods of communities, with one list. */
export interface CommunityMethods extends CommunitiesMethods {
  /**
   * Lists the communities whose posts the caller may read; with `with: 'write'` those where they may create posts, with
   * `with: 'manage'` those that they manage, page by page.
   * @example
   * const { communities } = await client.communities.list({ with: 'write' });
   */
  list(
    input?: (CommunitiesListInput & { with?: 'read' | undefined }) | { with: 'write' },
    options?: RequestOptions,
  ): ResponsePromise<ListCommunitiesResponse>;
  /**
   * Lists the communities that the caller manages, page by page.
   * @example
   * for await (const { name } of client.communities.list({ with: 'manage' })) console.log(name);
   */
  list(
    input: CommunitiesManagedInput & { with: 'manage' },
    options?: RequestOptions,
  ): ListPromise<ListManagedCommunitiesResponse, Community>;
}

/** Returns the methods with the one list. */
export function withOneList(methods: CommunitiesMethods): CommunityMethods {
  const lists = { read: methods.list, write: methods.listWritable, manage: methods.managed };
  const list = ({ with: what = 'read', ...input }: { with?: string } = {}, options?: RequestOptions) => {
    if (!Object.hasOwn(lists, what)) throw new ConfigurationError('`with` is one of read, write and manage.');
    return lists[what as keyof typeof lists](input, options);
  };
  return { ...methods, list: list as CommunityMethods['list'] };
}
