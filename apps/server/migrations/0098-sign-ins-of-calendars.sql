-- An address of a calendar ends with the sign-ins of its owner: version of the sign-ins when it was created. NULL for addresses from
-- before this column was there, until the tidy job ties them to the present one.
ALTER TABLE calendar_feeds ADD COLUMN session_version bigint;
