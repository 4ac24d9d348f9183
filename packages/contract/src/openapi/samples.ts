/** Samples of an operation, for documents: a request by curl, a call of the client library, a command. */
import { nounOf, type Operation, operationList, verbOf } from '../operations/index.ts';
import { exampleLines, sampleOf } from '../typegen/method-samples.ts';

/** The address of the demo. */
const ADDRESS = 'http://localhost:8080';

/** Samples that run on the demo; their ids are made up. */
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

/** Returns the samples of an operation. */
export function samplesOf(operation: Operation): Samples {
  const { domain, clientMethod, command, responseExamples } = operation;
  const [response] = Object.values(responseExamples ?? {});
  return {
    curl: curlOf(operation),
    library: exampleLines(operation).join('\n'),
    command: `npx portico api ${nounOf(domain)} ${verbOf(clientMethod)} ${command.examples[0]}`.trim(),
    response: response && json(response.value),
  };
}

/** Returns the samples of all operations by method and path, such as `GET /core/users`. */
export function buildSamples(): Readonly<Record<string, Omit<Samples, 'response'>>> {
  return Object.fromEntries(
    operationList.map((operation) => {
      const { curl, library, command } = samplesOf(operation);
      return [`${operation.method} ${operation.path}`, { curl, library, command }];
    }),
  );
}
