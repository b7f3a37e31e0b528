package ingest

// IsProfile reports whether head, the first bytes of a file once decompressed (whole where there are no more), is a
// pprof profile in its binary form.
func IsProfile(head []byte, whole bool) bool { return isProfile(head, whole) }

// IsBinary reports whether head, the first bytes of a file once decompressed (whole where there are no more), is no
// text.
func IsBinary(head []byte, whole bool) bool { return isBinary(head, whole) }
