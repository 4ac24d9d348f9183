/** One half of the random writes at full length (`process.env.PORTICO_TEST_FULL`); the other is in random.db.test.ts. */
import { testRandomWrites } from './random-writes.fixture.ts';

testRandomWrites(5_000);
