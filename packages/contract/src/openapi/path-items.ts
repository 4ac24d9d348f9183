/**
 * Routes whose answers are files or endless: exports of lists, and live changes. They are no
 * operations, so that generated clients and tools that call every path skip them;
 * `components.pathItems` describes them.
 */
import { exportFormats, exportLimits, exportSuffix, exportTimes } from '../exports.ts';
import { liveLimits, livePath } from '../limits.ts';

const query = (name: string, description: string, schema: object) => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
});
const errors = (...names: string[]) => ({
  ...Object.fromEntries(names.map((name) => [ERROR_STATUS[name], { $ref: `#/components/responses/${name}` }])),
  default: { $ref: '#/components/responses/OtherError' },
});
const ERROR_STATUS: Readonly<Record<string, string>> = {
  BadRequest: '400',
  Unauthorized: '401',
  Forbidden: '403',
  NotFound: '404',
  TooManyRequests: '429',
};

/** Lists as files. Each operation with an export names the path as `x-export`. */
const exportOfList = {
  summary: `{path of a list}${exportSuffix}`,
  post: {
    summary: 'Export a list',
    description:
      'Exports any list with `x-export` as a file, by that path: takes the body of the list ' +
      `and returns all rows that the caller sees, at most ${exportLimits.rows}, written while ` +
      'they are read. A file that breaks off is incomplete.',
    parameters: [
      query('format', 'Format of the file.', { type: 'string', enum: Object.keys(exportFormats), default: 'csv' }),
      query(
        'columns',
        `Columns in their order, separated by commas, at most ${exportLimits.columns}: members ` +
          'of the items, `customData.{field id}` for values of fields. Default: the usual ' +
          'columns.',
        { type: 'string' },
      ),
      query('timezone', 'Time zone of the times in the file. Default: the zone of the caller.', { type: 'string' }),
      query(
        'times',
        'Format of times in CSV and workbooks: local time, or with the offset ' +
          '(`2026-12-31T18:00:00+01:00`), so that they can be imported without a zone. NDJSON ' +
          'always has the offset.',
        { type: 'string', enum: exportTimes, default: 'local' },
      ),
    ],
    responses: {
      200: {
        description: 'The file.',
        content: Object.fromEntries(
          Object.values(exportFormats).map(({ type, ending }) => [
            type.split(';')[0]!,
            { schema: ending === 'xlsx' ? { type: 'string', format: 'binary' } : { type: 'string' } },
          ]),
        ),
      },
      ...errors('BadRequest', 'Unauthorized', 'Forbidden', 'NotFound', 'TooManyRequests'),
    },
  },
};

const live = {
  summary: livePath,
  get: {
    summary: 'Changes as they happen',
    description: `Server-sent events of posts that the caller sees at that moment, and of their notifications; the answer has no end. An account may have ${liveLimits.ofAccount} connections on each node, a tenant ${liveLimits.ofTenant}, and all tenants together ${liveLimits.ofNode}.`,
    parameters: [
      query('communityIds', 'Ids of communities, separated by commas: only their changes.', { type: 'string' }),
      query('lastEventId', 'As the header `Last-Event-ID`, for clients that cannot set it.', { type: 'string' }),
      {
        name: 'Last-Event-ID',
        in: 'header',
        required: false,
        description: 'The `id` of the last received event: the stream continues after it.',
        schema: { type: 'string' },
      },
    ],
    responses: {
      200: { description: 'The events.', content: { 'text/event-stream': { schema: { type: 'string' } } } },
      ...errors('BadRequest', 'Unauthorized', 'TooManyRequests'),
    },
  },
};

/** Content of `components.pathItems`. */
export const pathItems = { export: exportOfList, live };
