package redact

import "encoding/binary"

// maxProfileLabels bounds the labels of a profile: the library takes 1.4 KB for each (measured with 1,000,000 labels:
// 1,452 MB), so that these take 420 MB.
const maxProfileLabels = 300_000

// The numbers of fields in proto/profile.proto of github.com/google/pprof.
const (
	profileSample = 2 // of Profile
	sampleLabel   = 3 // of Sample
)

// labelsOf counts the labels of all samples in the binary form of a profile, up to where it isn't valid.
func labelsOf(raw []byte) (n int) {
	eachMessage(raw, profileSample, func(sample []byte) {
		eachMessage(sample, sampleLabel, func([]byte) { n++ })
	})
	return n
}

// eachMessage yields the embedded messages of one field.
func eachMessage(raw []byte, field uint64, yield func([]byte)) {
	for len(raw) > 0 {
		tag, used := binary.Uvarint(raw)
		if used <= 0 {
			return
		}
		raw = raw[used:]
		switch tag & 7 {
		case 0: // varint
			_, used = binary.Uvarint(raw)
		case 1: // 8 bytes
			used = 8
		case 2: // length and bytes
			length, at := binary.Uvarint(raw)
			if at <= 0 || length > uint64(len(raw)-at) {
				return
			}
			if tag>>3 == field {
				yield(raw[at : at+int(length)])
			}
			used = at + int(length)
		case 5: // 4 bytes
			used = 4
		default:
			return
		}
		if used <= 0 || used > len(raw) {
			return
		}
		raw = raw[used:]
	}
}
