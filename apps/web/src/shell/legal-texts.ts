/** Texts of the links to the legal pages of the portal. */
import { usePageTexts } from '../texts/index.ts';

export const en = { imprint: 'Imprint', privacy: 'Privacy' };

export const useLegalTexts = () => usePageTexts('legal', en);
