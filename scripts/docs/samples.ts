/** Samples of an operation: a request by curl, a call of the client library, a command. */
import type { Operation } from '@portico/contract';
import { kebab } from '../../packages/cli/src/client/flags.ts';
import { nounOf } from '../../packages/cli/src/client/nouns.ts';
import { exampleLines, sampleOf } from '../../packages/contract/src/typegen/print-methods.ts';

/** The address of the demo. */
const ADDRESS = 'http://localhost:8080';

interface Samples {
  readonly curl: string;
  readonly library: string;
  readonly command: string;
  /** A response as JSON, where the contract has one. */
  readonly response: string | undefined;
}

const json = (value: unknown) => JSON.stringify(value, null, 2);
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function curlOf(operation: Operation): string {
  const input = sampleOf(operation);
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
  const body = Object.fromEntries(Object.entries(input).filter(([name]) => !(name in operation.pathParams)));
  const hasBody = operation.body !== null && Object.keys(body).length > 0;
  // A body makes it a POST.
  const method = operation.method === (hasBody ? 'POST' : 'GET') ? '' : `-X ${operation.method} `;
  return [
    `curl ${method}${ADDRESS}/portal/api${path}`,
    ...(operation.permission === 'public' ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(hasBody ? ['-H "Content-Type: application/json"', `-d ${quoted(json(body))}`] : []),
  ].join(' \\\n  ');
}

/** Samples that run on the demo; their ids are made up. */
export function samplesOf(operation: Operation): Samples {
  const { domain, clientMethod, command, responseExamples } = operation;
  const [response] = Object.values(responseExamples ?? {});
  return {
    curl: curlOf(operation),
    library: exampleLines(operation).join('\n'),
    command: `npx portico api ${nounOf(domain)} ${kebab(clientMethod)} ${command.examples[0]}`.trim(),
    response: response && json(response.value),
  };
}
