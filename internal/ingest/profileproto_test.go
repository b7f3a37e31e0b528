package ingest

import "testing"

func TestAProfileOfALaterSchemaIsOne(t *testing.T) {
	const known = "\x0a\x04\x08\x01\x10\x02" + // a sample type
		"\x32\x00\x32\x03cpu\x32\x05nanos" // strings
	for _, tt := range []struct {
		claim, head string
		want        bool
	}{
		{"the schema's fields", known, true},
		{"field 16, a message", known + "\x82\x01\x02hi", true},
		{"field 31, a number", known + "\xf8\x01\x07", true},
		{"field 16, eight bytes", known + "\x81\x01\x00\x00\x00\x00\x00\x00\x00\x00", false},
		{"field 32", known + "\x82\x02\x02hi", false},
		{"field 0", known + "\x02\x02hi", false},
		{"field 12 as a message", known + "\x62\x02hi", false},
	} {
		if got := IsProfile([]byte(tt.head), true); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.claim, got, tt.want)
		}
	}
}
