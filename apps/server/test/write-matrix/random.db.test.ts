/** The random writes of `npm test`, and one half of their long form; the other is in random-second.long.db.test.ts. */
import { testRandomWrites } from './random-writes.fixture.ts';

testRandomWrites(process.env.PORTICO_TEST_FULL ? 5_000 : 300);
