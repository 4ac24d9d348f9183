import type { GetPostDefinitionResponse } from '@portico/sdk';
import type { Choice } from './input-values.ts';

/** Hashtags that can be written in a community. */
export function hashtagsOf({ hashTagEnabled, hashtags = [] }: GetPostDefinitionResponse): readonly Choice[] {
  if (!hashTagEnabled) return [];
  return hashtags.filter(({ deleted }) => !deleted).map(({ id, name }) => ({ id: id!, label: name ?? '' }));
}
