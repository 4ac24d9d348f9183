/** Texts of the page `legal` in German. */
import type { en as english } from '../../shell/legal-texts.ts';

export const legal: typeof english = { imprint: 'Impressum', privacy: 'Datenschutz' };
