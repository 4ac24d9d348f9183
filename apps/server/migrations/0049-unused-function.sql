-- Positions in the stream are numbers that the sequencer gives; nothing asks which transactions run.
DROP FUNCTION portico_oldest_running(bigint);
