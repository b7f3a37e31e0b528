package ingest

func isMetrics([]byte) bool { return false }
