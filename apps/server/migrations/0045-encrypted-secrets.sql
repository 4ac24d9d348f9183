-- Secrets as the service encrypts them, with keys that are not in the database. Nodes of an earlier version read and write the
-- columns without encryption; the service encrypts and empties these once no such node runs.
ALTER TABLE tenant_secrets ADD COLUMN sealed_secret bytea;
ALTER TABLE tenant_secrets ALTER COLUMN secret DROP NOT NULL;
ALTER TABLE tenant_secrets ADD CONSTRAINT tenant_secrets_one CHECK (num_nonnulls(secret, sealed_secret) = 1);

ALTER TABLE signing_keys ADD COLUMN sealed_private_jwk bytea;
ALTER TABLE signing_keys ALTER COLUMN private_jwk DROP NOT NULL;
ALTER TABLE signing_keys ADD CONSTRAINT signing_keys_one CHECK (num_nonnulls(private_jwk, sealed_private_jwk) = 1);

ALTER TABLE outgoing_mails ADD COLUMN sealed_content bytea;
ALTER TABLE outgoing_mails ADD CONSTRAINT outgoing_mails_one CHECK (num_nonnulls(content, sealed_content) <= 1);
ALTER TABLE outgoing_mails ADD CONSTRAINT outgoing_mails_sealed_size CHECK (octet_length(sealed_content) <= 8400);
