package kube

import "time"

// Bounds on what one object's lists may cost. Real objects stay far below: 11 conditions, 9 containers, 14 managers.
const (
	maxWriters     = 32
	maxConditions  = 64
	maxContainers  = 256
	maxPairs       = 256
	maxClaims      = 64
	maxMessage     = 1 << 10
	maxIdent       = 253     // of names, kinds, reasons: what the API allows for names
	maxTermination = 4 << 10 // the kubelet's own limit of a termination message (4,096 bytes)
)

// looksLikeTime reports 2006-01-02T15:04:05 and what follows it.
func looksLikeTime(b []byte) bool {
	return len(b) >= 20 && len(b) <= 35 && b[4] == '-' && b[7] == '-' && (b[10] == 'T' || b[10] == ' ') &&
		b[13] == ':' && b[16] == ':' && '0' <= b[0] && b[0] <= '9'
}

func parseTime(b []byte) (time.Time, bool) {
	if looksLikeTime(b) {
		if when, err := time.Parse(time.RFC3339Nano, string(b)); err == nil {
			return when.UTC(), true
		}
	}
	return time.Time{}, false
}

func most(b []byte, n int) []byte { return b[:min(len(b), n)] }

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// isNull reports YAML's and JSON's ways to write null.
func isNull(b []byte) bool {
	switch string(b) {
	case "", "~", "null", "Null", "NULL":
		return true
	}
	return false
}

// parseInt reads a decimal integer of up to 18 digits.
func parseInt(b []byte) (int64, bool) {
	neg := false
	if len(b) > 1 && b[0] == '-' {
		neg, b = true, b[1:]
	}
	if len(b) == 0 || len(b) > 18 {
		return 0, false
	}
	v := int64(0)
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = v*10 + int64(c-'0')
	}
	if neg {
		v = -v
	}
	return v, true
}
