import { usePageTexts } from '../texts/index.ts';
import { ENGLISH, ITALIAN, type Sentences } from './explanation-sentences.ts';

/** Sentences of explanations in the language of the page. */
export const useSentences = (): Sentences => usePageTexts({ en: ENGLISH, it: ITALIAN });
