/**
 * The second half of the random writes at full length (`longForm`); the first is in
 * random.db.test.ts.
 */
import { testRandomWrites } from './random-writes.fixture.ts';

testRandomWrites(3_000);
