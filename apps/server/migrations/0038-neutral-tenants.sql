-- What a new tenant has where its operator names nothing else: no country's time zone and no vendor's audience. The default
-- accepts the audience of every vendor, <vendor>/portal-authenticator. Tenants that exist keep what they have.
ALTER TABLE tenant_settings
  ALTER COLUMN audiences SET DEFAULT '{*/portal-authenticator}',
  ALTER COLUMN default_timezone SET DEFAULT 'UTC';
