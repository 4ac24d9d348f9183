/** The contract, served: OpenAPI 3.1, Swagger 2.0 for old tools (ruling 7), and a page to try it that loads nothing from outside. */
import swaggerUi from '@fastify/swagger-ui';
import { buildOpenApi, buildSwagger2 } from '@portico/contract/openapi';
import type { FastifyInstance } from 'fastify';
import { MOUNT_PREFIX } from './mount.ts';
import { baseUrlOf } from './tenancy.ts';

export async function registerDocs(app: FastifyInstance): Promise<void> {
  let swagger2: string | undefined;
  app.get(`${MOUNT_PREFIX}/openapi.json`, async (request, reply) =>
    reply
      .header('Content-Type', 'application/json; charset=utf-8')
      .send(JSON.stringify(buildOpenApi({ serverUrl: `${baseUrlOf(request)}${MOUNT_PREFIX}` }))),
  );
  app.get(`${MOUNT_PREFIX}/swagger.json`, async (_request, reply) => {
    swagger2 ??= JSON.stringify(buildSwagger2());
    return reply.header('Content-Type', 'application/json; charset=utf-8').send(swagger2);
  });
  // The page's plugin expects the document of @fastify/swagger; ours is made from the contract.
  app.decorate('swagger', () => buildOpenApi({}));
  await app.register(swaggerUi, {
    routePrefix: `${MOUNT_PREFIX}/docs`,
    uiConfig: { url: `${MOUNT_PREFIX}/openapi.json`, docExpansion: 'none', deepLinking: true, validatorUrl: null },
    staticCSP: true,
  });
}
