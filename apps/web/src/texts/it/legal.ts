/** Texts of the page `legal` in Italian. */
import type { en as english } from '../../shell/legal-texts.ts';

export const legal: typeof english = { imprint: 'Note legali', privacy: 'Privacy' };
