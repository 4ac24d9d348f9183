/** The random writes of `npm test`, and one half of their long form; the other is in random-second.long.db.test.ts. */
import { longForm } from '../support/long-form.ts';
import { testRandomWrites } from './random-writes.fixture.ts';

testRandomWrites(longForm ? 3_000 : 120);
