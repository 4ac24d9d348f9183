import { pluralsOf } from '../../texts/plurals.ts';

export const german = pluralsOf('de');
