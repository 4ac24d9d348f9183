-- Access rules of the tenant up to which a webhook has heard of posts that its account no longer sees, and a
-- digest of the roles and groups of the account at that time. NULL: it has heard of none.
ALTER TABLE webhooks ADD COLUMN access_version bigint, ADD COLUMN reach text CHECK (octet_length(reach) <= 100);
