/** TypeScript interfaces of everything that travels; generated from the declarations in `src/schemas`. */
export type * from './attachments.generated.ts';
export type * from './catalogs.generated.ts';
export type * from './comments-tasks.generated.ts';
export type * from './common.generated.ts';
export type * from './communities.generated.ts';
export type * from './extensions.generated.ts';
export type * from './groups.generated.ts';
export type { JsonValue } from './json.ts';
export type * from './post-lists.generated.ts';
export type * from './post-writes.generated.ts';
export type * from './posts.generated.ts';
export type { TypeMap, TypeName } from './type-map.generated.ts';
export type * from './users.generated.ts';
export type * from './workspaces.generated.ts';
