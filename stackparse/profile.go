package stackparse

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/pprof/profile"
	"github.com/klauspost/compress/gzip"

	"github.com/gotriage/triage/frame"
)

// maxProfileSize bounds a profile after decompression, in bytes. Goroutine profiles hold distinct stacks only: the
// biggest of those looked at has 0.4 MB.
const maxProfileSize = 64 << 20

// ReadProfile turns a binary goroutine or goroutineleak profile (gzip or plain protobuf, see pprof's profile.proto)
// into a Dump of FormatProfile: distinct stacks with counts, leaf first, the runtime's own frames included, without
// ids, states and creators. Other profiles give an error that says what they are ("a cpu profile (samples, cpu)").
func ReadProfile(data []byte) (*Dump, error) {
	data, err := inflate(data)
	if err != nil {
		return nil, fmt.Errorf("decompress profile: %w", err)
	}
	p, err := profile.ParseUncompressed(data)
	if err != nil {
		return nil, fmt.Errorf("parse profile: %w", err)
	}
	if err := p.CheckValid(); err != nil {
		return nil, fmt.Errorf("parse profile: %w", err)
	}
	index := slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool {
		return t.Type == "goroutine" || t.Type == "goroutines" || t.Type == "goroutineleak"
	})
	if index < 0 {
		return nil, fmt.Errorf("not a goroutine profile: %s", profileKind(p))
	}
	leaked := p.SampleType[index].Type == "goroutineleak"
	c := newCountedDump(FormatProfile, 1, profileTime(p))
	var frames []Frame
	for _, s := range p.Sample {
		frames = frames[:0]
		for _, loc := range s.Location {
			frames = appendLocation(frames, loc, c.names)
		}
		c.add(frames, s.Value[index], leaked)
		c.label(sampleLabels(s))
	}
	return c.finish(), nil
}

// inflate undoes gzip; plain data pass.
func inflate(data []byte) ([]byte, error) {
	if !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		return data, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	data, err = io.ReadAll(io.LimitReader(r, maxProfileSize+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxProfileSize {
		return nil, errors.New("more than " + strconv.Itoa(maxProfileSize>>20) + " MiB")
	}
	return data, r.Close()
}

// appendLocation appends a location's frames, calls inlined into one another innermost first.
func appendLocation(frames []Frame, loc *profile.Location, names interner) []Frame {
	if len(frames) >= maxCountedFrames {
		return frames
	}
	if len(loc.Line) == 0 {
		return append(frames, unsymbolized("0x"+strconv.FormatUint(loc.Address, 16)))
	}
	for i, l := range loc.Line {
		f := Frame{Inlined: i < len(loc.Line)-1}
		if l.Function == nil {
			f.Func = "0x" + strconv.FormatUint(loc.Address, 16)
		} else {
			f.Frame = frame.Frame{
				Func: names.string([]byte(l.Function.Name)),
				File: names.string([]byte(l.Function.Filename)),
				Line: int(max(0, min(l.Line, 1<<31-1))),
			}
		}
		frames = append(frames, f)
	}
	return frames
}

// sampleLabels returns a sample's labels as sorted "key: value" pairs.
func sampleLabels(s *profile.Sample) []string {
	pairs := make([]string, 0, len(s.Label))
	for key, values := range s.Label {
		for _, v := range values {
			pairs = append(pairs, key+": "+v)
		}
	}
	slices.Sort(pairs)
	return pairs
}

func profileTime(p *profile.Profile) string {
	if p.TimeNanos <= 0 {
		return ""
	}
	return time.Unix(0, p.TimeNanos).UTC().Format(time.RFC3339Nano)
}

// profileKind names a profile by its sample types: "a heap profile (alloc_objects, …)".
func profileKind(p *profile.Profile) string {
	types := make([]string, 0, len(p.SampleType))
	for _, t := range p.SampleType {
		types = append(types, cleanText([]byte(t.Type), 64))
	}
	name := "profile"
	switch {
	case slices.Contains(types, "cpu"):
		name = "cpu profile"
	case slices.Contains(types, "inuse_space") || slices.Contains(types, "alloc_space"):
		name = "heap profile"
	case slices.Contains(types, "contentions"):
		name = "block or mutex profile"
	case slices.Contains(types, "threadcreate"):
		name = "threadcreate profile"
	case len(types) == 0:
		return "a profile without sample types"
	}
	return "a " + name + " (" + strings.Join(types[:min(len(types), 8)], ", ") + ")"
}
