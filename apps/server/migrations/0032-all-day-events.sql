-- All-day events are kept as days: start and end are midnight UTC of the first and of the last day, and they have no
-- time zone. Those that were stored with times become the dates that a clock in their own zone showed.
CREATE FUNCTION portico_local_day(at timestamptz, zone text) RETURNS timestamptz LANGUAGE plpgsql AS $$
BEGIN
  -- PostgreSQL takes the sign of an offset in a zone's name the other way round, but not that of an interval.
  IF zone ~ '^[+-]' THEN
    RETURN date_trunc('day', at AT TIME ZONE zone::interval) AT TIME ZONE 'UTC';
  END IF;
  RETURN date_trunc('day', at AT TIME ZONE coalesce(zone, 'UTC')) AT TIME ZONE 'UTC';
EXCEPTION WHEN invalid_parameter_value THEN
  -- A zone that is newer than the zones that this PostgreSQL knows.
  RETURN date_trunc('day', at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
END $$;
DO $$
DECLARE
  tenant bigint;
BEGIN
  FOR tenant IN SELECT id FROM tenants LOOP
    PERFORM set_config('app.tenant_id', tenant::text, true);
    UPDATE posts
       SET event_start_at = portico_local_day(event_start_at, event_timezone),
           event_end_at = portico_local_day(event_end_at, event_timezone),
           event_timezone = NULL
     WHERE tenant_id = tenant AND event_all_day AND event_timezone IS NOT NULL;
  END LOOP;
  PERFORM set_config('app.tenant_id', '', true);
END $$;
DROP FUNCTION portico_local_day(timestamptz, text);
