-- Wrong codes in a row, counted by all nodes together, and until when no further code is accepted.
ALTER TABLE totp_factors ADD COLUMN failed_codes integer NOT NULL DEFAULT 0, ADD COLUMN codes_refused_until timestamptz;
