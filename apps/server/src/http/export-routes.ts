/**
 * Lists as files. Each list of the contract has a route beside it, `POST {path}/export`, which takes the same body. It is no operation of
 * the contract: its answer is a file, which is written while the list is read.
 */
import {
  type ExportTimes,
  exportFormats,
  exportPath,
  exportTimes,
  isExported,
  type Operation,
  type OperationId,
  operationList,
} from '@portico/contract';
import { type DeclaredName, leaveOutRepeats, normaliseBody, operationSchemas } from '@portico/contract/schemas';
import { contentDisposition } from '@portico/platform/files';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FieldErrors, PorticoError } from '../kernel/errors.ts';
import type { AllHandlers } from '../kernel/operations.ts';
import type { Actor, Scope, TenantScope } from '../kernel/scope.ts';
import { exportList, type ListPage } from '../modules/imports/index.ts';
import { exactBody } from './body.ts';
import { MOUNT_PREFIX } from './mount.ts';
import type { RateLimits } from './rate-limits.ts';
import { SchemaChecks } from './validation.ts';

/** Dependencies of the routes. */
interface ExportRoutesOptions {
  readonly handlers: AllHandlers;
  /** The scope of a request before anyone has signed in. */
  tenantScope(request: FastifyRequest): Promise<TenantScope>;
  /** Signs the caller in. */
  signedInScope(request: FastifyRequest, reply: FastifyReply, scope: TenantScope): Promise<Scope>;
  /** The actor of a sign-in that was accepted, as they are now; undefined when it has ended. */
  check(request: FastifyRequest, reply: FastifyReply, scope: Scope): Promise<Actor | undefined>;
  readonly rateLimits: RateLimits;
  /** How long an export may take. Milliseconds; default that of the contract. */
  readonly longestMs?: number | undefined;
}

/** Lists of the posts of a community. */
const OF_POSTS: readonly OperationId[] = ['listCommunityPostsFiltered', 'listCommunityPosts'];

type Format = keyof typeof exportFormats;

/** Registers the routes. */
export function registerExportRoutes(app: FastifyInstance, options: ExportRoutesOptions): void {
  const checks = new SchemaChecks();
  for (const operation of operationList.filter(isExported)) registerExport(app, operation, options, checks);
}

function registerExport(
  app: FastifyInstance,
  operation: Operation,
  { handlers, tenantScope, signedInScope, check, rateLimits, longestMs }: ExportRoutesOptions,
  checks: SchemaChecks,
): void {
  const id = operation.id as OperationId;
  const { params: paramsSchema, body: bodySchema } = operationSchemas[id];
  const checkParams = paramsSchema && checks.input('params', paramsSchema);
  const checkBody = checks.input('body', bodySchema ?? {});
  const list = handlers[id] as unknown as (request: object) => Promise<ListPage>;
  app.route({
    method: 'POST',
    url: `${MOUNT_PREFIX}${exportPath(operation).replaceAll(/\{(\w+)\}/g, ':$1')}`,
    onRequest: async (request, reply) => {
      const tenant = await tenantScope(request);
      request.signedInScope = await signedInScope(request, reply, tenant);
      await rateLimits.signedIn(request, reply, request.signedInScope);
    },
    handler: async (request, reply) => {
      const scope = request.signedInScope as Scope;
      const params = { ...(request.params as object) };
      checkParams?.(params);
      const { format, columns, timezone, times } = readQuery(request.query as Record<string, unknown>);
      const given = request.body ?? {};
      leaveOutRepeats(operation.body as DeclaredName, given);
      checkBody(given);
      // The file has all rows: the place of a page means nothing here.
      const { pageToken: _place, ...body } = normaliseBody(operation.body as DeclaredName, exactBody(given)) as {
        pageToken?: unknown;
      };
      let pages = 0;
      const communityId = OF_POSTS.includes(id) ? (params as { communityId: number }).communityId : undefined;
      const file = await exportList(scope, {
        operation,
        ...(communityId !== undefined && { communityId }),
        format,
        columns,
        timezone,
        times,
        longestMs,
        page: async (paging, fields) => {
          pages += 1;
          // The caller's rights are checked again for each page, at the time of its read.
          const actor = pages === 1 ? scope.actor : await check(request, reply, scope);
          if (!actor) throw new PorticoError('INVALID_AUTH_TOKEN');
          return list({
            scope: { ...scope, actor },
            params,
            query: fields ? { fields } : {},
            body: { ...body, ...paging },
            afterAnswer: () => undefined,
            untimed: <T>(work: () => Promise<T>) => work(),
          });
        },
      });
      const { type, ending } = exportFormats[format];
      const day = new Date(scope.clock.now()).toISOString().slice(0, 10);
      return reply
        .header('Content-Type', type)
        .header('Content-Disposition', contentDisposition('attachment', `${operation.domain}-${day}.${ending}`))
        .header('Cache-Control', 'no-store')
        .send(file);
    },
  });
}

/** @throws ValidationError with every error */
function readQuery(query: Readonly<Record<string, unknown>>): {
  format: Format;
  columns: string[] | undefined;
  timezone: string | undefined;
  times: ExportTimes;
} {
  const errors = new FieldErrors();
  const oneOf = (field: string, allowed: readonly string[], unset: string): string => {
    const value = query[field] ?? unset;
    if (typeof value === 'string' && allowed.includes(value)) return value;
    const defaultMessage = `${field} must be one of: ${allowed.join(', ')}.`;
    errors.add(field, 'INVALID_VALUE', defaultMessage, allowed);
    return unset;
  };
  const format = oneOf('format', Object.keys(exportFormats), 'csv');
  const times = oneOf('times', exportTimes, 'local');
  const text = (name: string): string | undefined => {
    const value = query[name];
    if (value === undefined || value === '') return undefined;
    if (typeof value === 'string') return value;
    errors.add(name, 'INVALID_VALUE', `Send ${name} once.`);
    return undefined;
  };
  const columns = text('columns')
    ?.split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  const timezone = text('timezone');
  errors.throwIfAny();
  return {
    format: format as Format,
    columns: columns?.length ? columns : undefined,
    timezone,
    times: times as ExportTimes,
  };
}
