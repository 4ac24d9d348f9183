/** Uploads of files: progress, cancel, retry. */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { portal } from '../portal.ts';

interface Upload {
  readonly key: number;
  readonly name: string;
  readonly size: number;
  readonly type: string;
  readonly state: 'sending' | 'done' | 'failed' | 'large';
  /** Sent bytes. */
  readonly sent: number;
  /** Present once the upload is done. */
  readonly contentRef?: string;
  /** Address of a picture in this browser. */
  readonly preview?: string;
}

/** The members of an uploaded file that a draft stores. */
export type UploadedFile = Pick<Upload, 'name' | 'size' | 'type'> & { readonly contentRef: string };

let lastKey = 0;

/**
 * @param most maximum size of a file in bytes, from the community
 * @param initial files uploaded before
 * @param taken names in use
 */
export function useUploads(most?: number, initial: readonly UploadedFile[] = [], taken: readonly string[] = []) {
  const [uploads, setUploads] = useState<readonly Upload[]>(() =>
    initial.map((kept) => ({ ...kept, key: ++lastKey, state: 'done', sent: kept.size })),
  );
  const running = useRef(new Map<number, { file: File; controller: AbortController; preview: string | undefined }>());
  const failed = uploads.filter(({ state }) => state === 'failed');
  const again = useEffectEvent(() => {
    for (const { key } of failed) retry(key);
  });
  useEffect(() => {
    const online = () => again();
    window.addEventListener('online', online);
    return () => window.removeEventListener('online', online);
  }, []);
  useEffect(() => {
    const left = running.current;
    return () => {
      for (const { controller, preview } of left.values()) {
        controller.abort();
        if (preview !== undefined) URL.revokeObjectURL(preview);
      }
    };
  }, []);
  const change = (key: number, changes: Partial<Upload>) =>
    setUploads((before) => before.map((upload) => (upload.key === key ? { ...upload, ...changes } : upload)));
  const send = async (key: number, file: File, preview: string | undefined) => {
    const controller = new AbortController();
    running.current.set(key, { file, controller, preview });
    try {
      const { contentRef } = await portal.files.upload(file, {
        signal: controller.signal,
        onProgress: ({ sentBytes }) => change(key, { sent: sentBytes }),
      });
      change(key, { state: 'done', sent: file.size, contentRef });
    } catch {
      // A failed upload can be retried; a cancelled one is no longer listed.
      change(key, { state: 'failed' });
    }
  };
  const names = useRef(new Set(initial.map(({ name }) => name)));
  /** @returns the unique names of the files, and previews of pictures in this browser */
  const add = (files: readonly File[]): Pick<Upload, 'name' | 'preview'>[] =>
    files.map((file) => {
      const key = ++lastKey;
      const preview =
        file.type.startsWith('image/') && !file.type.includes('svg') ? URL.createObjectURL(file) : undefined;
      const tooLarge = most !== undefined && file.size > most;
      const { size, type } = file;
      const name = freeName(file.name, new Set([...names.current, ...taken]));
      names.current.add(name);
      const upload: Upload = {
        key,
        name,
        size,
        type,
        state: tooLarge ? 'large' : 'sending',
        sent: 0,
        ...(preview && { preview }),
      };
      setUploads((before) => [...before, upload]);
      if (!tooLarge) void send(key, file, preview);
      return upload;
    });
  const remove = (key: number) => {
    const known = running.current.get(key);
    known?.controller.abort();
    if (known?.preview !== undefined) URL.revokeObjectURL(known.preview);
    running.current.delete(key);
    setUploads((before) => before.filter((upload) => upload.key !== key));
  };
  const retry = (key: number) => {
    const known = running.current.get(key);
    if (!known) return;
    change(key, { state: 'sending', sent: 0 });
    void send(key, known.file, known.preview);
  };
  return {
    uploads,
    add,
    remove,
    retry,
    clear: () => setUploads([]),
    /** Whether all uploads are done. */
    ready: uploads.every(({ state }) => state === 'done'),
    /** References in the form of writes. */
    references: uploads.flatMap(({ name, contentRef }) => (contentRef === undefined ? [] : [{ name, contentRef }])),
    kept: uploads.flatMap(({ name, size, type, contentRef }): UploadedFile[] =>
      contentRef === undefined ? [] : [{ name, size, type, contentRef }],
    ),
  };
}

/**
 * @returns the name, with a number if another file has it: pasted files have the same name every
 *   time
 */
function freeName(name: string, taken: ReadonlySet<string>): string {
  const [, stem = name, ending = ''] = /^(.+?)(\.[^.]*)?$/.exec(name) ?? [];
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${stem}-${number}${ending}`;
  return free;
}

export type Uploads = ReturnType<typeof useUploads>;
