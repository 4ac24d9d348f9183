/** Uploads and downloads of files. The access token is never sent to the storage. */
import type { OperationIo } from '@portico/contract';
import { ConfigurationError, errorForAnswer, UploadError } from './errors.ts';
import { type Deadline, deadline, type Fetch, failure, parseAnswer } from './transport.ts';

/** A file to upload: its size is known, its content can be read. */
export interface FileSource {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  stream(): ReadableStream<Uint8Array>;
  /** The content as a Blob, if it is one already. */
  readonly blob?: Blob | undefined;
}

export interface UploadProgress {
  /** Sent bytes of the file. */
  sentBytes: number;
  totalBytes: number;
}

export interface UploadOptions {
  /** Name of the uploaded file; default: the name of the path or File, else `file`. */
  name?: string;
  /** MIME type; default by the Blob, else by the name. */
  contentType?: string;
  onProgress?(progress: UploadProgress): void;
  signal?: AbortSignal;
  /**
   * Milliseconds without any progress until a TimeoutError; 0 means no limit. Default two minutes.
   */
  timeoutMs?: number;
}

/** Reference of an uploaded file in posts, comments and tasks. */
export interface UploadedFile {
  name: string;
  contentRef: string;
}

/** A multipart request, sent by the platform. */
interface MultipartRequest {
  url: string;
  params: Readonly<Record<string, string>>;
  file: FileSource;
  userAgent: string | undefined;
  limit: Deadline;
  onProgress(sentBytes: number): void;
}

/** Answer of the storage to a multipart request. */
export interface MultipartAnswer {
  readonly status: number;
  readonly text: string;
  /** `X-Request-Id`, if the answer has a readable one. */
  readonly requestId: string | undefined;
}

export type SendMultipart = (request: MultipartRequest) => Promise<MultipartAnswer>;

const IDLE_TIMEOUT_MS = 120_000;

type Begin = (options: { signal?: AbortSignal | undefined }) => Promise<OperationIo['uploadNewFile']['response']>;

/** Options of {@link Files}. */
interface FilesOptions {
  begin: Begin;
  /** Returns the download link of an attachment. */
  linkOf(attachmentId: number, version: number | undefined): Promise<string | undefined>;
  fetch: Fetch;
  send: SendMultipart;
  /** Opens a file by its path; absent on platforms without files. */
  openPath: ((path: string) => Promise<FileSource>) | undefined;
  userAgent: string | undefined;
}

/** `client.files` */
export class Files {
  readonly #options: FilesOptions;

  constructor(options: FilesOptions) {
    this.#options = options;
  }

  /**
   * Uploads a file. The result is used unchanged in `attachments` of posts, comments and tasks.
   * @param source the path of a file (Node.js), or a Blob or File
   * @throws UploadError if the storage refuses it
   */
  async upload(source: string | Blob, options: UploadOptions = {}): Promise<UploadedFile> {
    const { signal, onProgress } = options;
    const opened = await this.#open(source);
    const name = options.name ?? opened.name;
    const file: FileSource = {
      name,
      type: options.contentType ?? (opened.type || contentTypeOf(name)),
      size: opened.size,
      stream: () => opened.stream(),
      blob: opened.blob,
    };
    const {
      contentRef,
      uploadUrl,
      uploadMultipartRequestBodyParams: params = {},
    } = (await this.#options.begin({ signal })) ?? {};
    if (!contentRef || !uploadUrl) {
      throw new UploadError({
        status: 200,
        requestId: undefined,
        operation: 'uploadNewFile',
        body: { message: 'The server gave no address to upload to.' },
      });
    }
    const limit = deadline(options.timeoutMs ?? IDLE_TIMEOUT_MS, signal);
    let answer: MultipartAnswer;
    try {
      answer = await this.#options.send({
        url: uploadUrl,
        params,
        file,
        userAgent: this.#options.userAgent,
        limit,
        onProgress: (sentBytes) => {
          limit.renew();
          onProgress?.({ sentBytes: Math.min(sentBytes, file.size), totalBytes: file.size });
        },
      });
    } catch (error) {
      throw failure(error, limit, { operation: 'upload', signal, url: uploadUrl });
    } finally {
      limit.end();
    }
    if (answer.status < 200 || answer.status > 299) {
      const { status, requestId, text } = answer;
      throw new UploadError({ status, requestId, operation: 'upload', body: parseAnswer(text) });
    }
    return { name, contentRef };
  }

  /**
   * Downloads the content of an attachment, without the access token: the link itself is signed.
   * @param source id of the attachment, or a link from an answer
   */
  async download(source: number | string, options: { version?: number; signal?: AbortSignal } = {}): Promise<Response> {
    const link = typeof source === 'string' ? source : await this.#options.linkOf(source, options.version);
    if (!link)
      throw new ConfigurationError(
        'The attachment has no link to download: it may not be downloaded, or its content is in Google Drive.',
      );
    const limit = deadline(0, options.signal);
    let response: Response;
    try {
      response = await this.#options.fetch(link, { redirect: 'manual', credentials: 'omit', signal: limit.signal });
    } catch (error) {
      throw failure(error, limit, { operation: 'download', signal: options.signal, url: link });
    }
    if (response.ok) return response;
    throw errorForAnswer({
      status: response.status,
      requestId: response.headers.get('X-Request-Id') ?? undefined,
      operation: 'download',
      body: await response.text(),
    });
  }

  async #open(source: string | Blob): Promise<FileSource> {
    if (typeof source !== 'string') {
      const name = (source as { name?: unknown }).name;
      return {
        name: typeof name === 'string' && name !== '' ? name : 'file',
        type: source.type,
        size: source.size,
        stream: () => source.stream() as ReadableStream<Uint8Array>,
        blob: source,
      };
    }
    if (!this.#options.openPath) throw new ConfigurationError('There are no files here: pass a Blob or File.');
    return this.#options.openPath(source);
  }
}

const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  gif: 'image/gif',
  gz: 'application/gzip',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  md: 'text/markdown',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  odt: 'application/vnd.oasis.opendocument.text',
  pdf: 'application/pdf',
  png: 'image/png',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  wav: 'audio/wav',
  webp: 'image/webp',
  xml: 'application/xml',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
};

/** MIME type by the ending of a file's name. */
export function contentTypeOf(name: string): string {
  return TYPES[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream';
}

/**
 * Multipart in a browser: XMLHttpRequest, the only interface there that reports the progress of an
 * upload; else fetch.
 */
export const sendMultipartForm: SendMultipart = async ({ url, params, file, limit, onProgress }) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(params)) form.append(name, value);
  const blob = file.blob ?? (await new Response(file.stream()).blob());
  form.append('file', new Blob([blob], { type: file.type }), file.name);
  const Xhr = (globalThis as { XMLHttpRequest?: new () => Xhr }).XMLHttpRequest;
  if (!Xhr) {
    const response = await fetch(url, {
      method: 'POST',
      body: form,
      redirect: 'manual',
      credentials: 'omit',
      signal: limit.signal,
    });
    onProgress(file.size);
    const requestId = response.headers.get('X-Request-Id') ?? undefined;
    return { status: response.status, text: await response.text(), requestId };
  }
  return new Promise((resolve, reject) => {
    const request = new Xhr();
    request.open('POST', url);
    request.upload.onprogress = (event) => onProgress(event.loaded);
    request.onload = () =>
      resolve({
        status: request.status,
        text: request.responseText,
        requestId: request.getResponseHeader('X-Request-Id') ?? undefined,
      });
    request.onerror = () => reject(new TypeError('the connection failed'));
    request.onabort = () => reject(new TypeError('the upload was cancelled'));
    limit.signal.addEventListener('abort', () => request.abort(), { once: true });
    if (limit.signal.aborted) return reject(new TypeError('the upload was cancelled'));
    request.send(form);
  });
};

/** The used members of XMLHttpRequest; its full type needs the library of a browser. */
interface Xhr {
  readonly status: number;
  readonly responseText: string;
  getResponseHeader(name: string): string | null;
  readonly upload: { onprogress: ((event: { loaded: number }) => void) | null };
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  open(method: string, url: string): void;
  send(body: FormData): void;
  abort(): void;
}
