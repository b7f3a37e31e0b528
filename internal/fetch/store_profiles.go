package fetch

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/gotriage/triage/profile"
)

// A profileAPI asks one store of profiles.
type profileAPI interface {
	// types are those of the profiles that the store has, as NAME:SAMPLE:UNIT:PERIOD:UNIT. Each value of a Go profile
	// is a type of its own.
	types(ctx context.Context) ([]string, error)
	// pull writes the sum of all profiles in a span of time, of a type and a selector, which are the window's stream.
	pull(ctx context.Context, w window, to *sink) error
}

// A storedKind is a kind of Go profiles, by the name of its item, and how types of it are recognised.
type storedKind struct {
	item    string
	samples []string // the best first
	name    string   // a block profile has the types of a mutex profile
	period  string   // fgprof counts samples too
	state   bool     // each profile shows a state: they can't be added up
}

func storedKinds() []storedKind {
	return []storedKind{
		{item: ItemCPU, samples: []string{"cpu", "samples"}, period: "cpu"},
		{item: ItemHeap, samples: []string{"inuse_space"}, state: true},
		{item: ItemAllocs, samples: []string{"alloc_space"}},
		{item: ItemMutex, samples: []string{"delay"}, name: "mutex"},
		{item: ItemBlock, samples: []string{"delay"}, name: "block"},
		{item: ItemGoroutine, samples: []string{"goroutine", "goroutines"}, state: true},
	}
}

// AllProfiles is the name for everything that a store has of the other ProfileNames.
const AllProfiles = "all"

// ProfileNames lists the names that StoreOptions.Profiles accepts.
func ProfileNames() []string {
	var names []string
	for _, k := range storedKinds() {
		names = append(names, k.item)
	}
	return append(names, AllProfiles)
}

// best is the type to take for a kind, "" for none, and whether its profiles can't be added up. A type that ends in
// delta has what was measured since the profile before, others may have what was since the process began.
func (k storedKind) best(types []string, delta string) (id string, state bool) {
	for _, sample := range k.samples {
		for _, t := range types {
			part := strings.Split(t, ":")
			if len(part) < 5 || part[1] != sample || k.name != "" && part[0] != k.name ||
				k.period != "" && part[3] != k.period {
				continue
			}
			if id = t; strings.HasSuffix(t, delta) {
				return id, k.state
			}
		}
		if id != "" {
			return id, true
		}
	}
	return "", false
}

const (
	// maxStored is how large a profile of a store may be: what package profile reads.
	maxStored = 64 << 20
	// Within snapshotSpan a process is profiled once at most: agents do it every 10 or 15 s by default.
	snapshotSpan = 5 * time.Second
)

var errLargeProfile = fmt.Errorf("the answer is larger than %d MiB (%d MiB from Parca) or than --max-bytes",
	maxStored>>20, maxAnswer>>20)

// checkKind refuses options that the other kind of stores has.
func (o *StoreOptions) checkKind() error {
	profiles := o.Store.OfProfiles()
	o.Query = strings.TrimSpace(o.Query)
	switch {
	case !profiles && len(o.Profiles) > 0:
		return usage("for profiles: pyroscope://HOST or parca://HOST", "%s has no profiles", o.Store)
	case profiles && o.MaxEntries != 0:
		return usage("leave out --max-scan", "%s has no lines to search", o.Store)
	case profiles && (!strings.HasPrefix(o.Query, "{") || !strings.HasSuffix(o.Query, "}") ||
		strings.Trim(o.Query, "{ }") == ""):
		return usage(`--query '{service_name="shop"}', the labels of one program`,
			"--query selects no program, and the sum of all programs does not show a line at fault")
	}
	for _, name := range o.Profiles {
		if !slices.Contains(ProfileNames(), name) {
			return usage("profiles: "+strings.Join(ProfileNames(), ", "), "--profiles: %q is not a profile kind", name)
		}
	}
	return nil
}

func (s *storeRun) captureProfiles(ctx context.Context, m *Manifest) error {
	s.o.Limits.MaxBytes = min(s.o.Limits.MaxBytes, maxStored)
	api := s.o.Store.kind.profiles(s)
	types, err := api.types(ctx)
	if err != nil {
		return err
	}
	wanted := s.o.Profiles
	if len(wanted) == 0 {
		wanted = []string{ItemCPU}
	}
	s.emit(Event{Kind: EventPlan, From: s.o.Store.String(), Text: fmt.Sprintf("%s profiles of %s over %s",
		strings.Join(wanted, ", "), s.o.Query, s.o.To.Sub(s.o.From).Round(time.Second))})
	var first error
	kept := false
	for _, k := range storedKinds() {
		id, state := k.best(types, s.o.Store.kind.delta)
		if !slices.Contains(wanted, k.item) && (id == "" || !slices.Contains(wanted, AllProfiles)) {
			continue
		}
		item, err := ManifestItem{}, error(nil)
		switch {
		case id == "":
			err = hinted(s.hasTypes(types), "the store has no %s profiles", k.item)
		case state:
			item, err = s.snapshot(ctx, api, k.item, id+s.o.Query)
		default:
			item, err = s.merged(ctx, api, k.item, window{id + s.o.Query, s.o.From, s.o.To}, s.o.To.Sub(s.o.From))
		}
		if err == nil && !item.kept() {
			err = hinted("check --query; a longer --since looks further back", "no %s profiles match %s", k.item,
				s.o.Query)
		}
		item.Name, item.Kind, kept = k.item, kindProfile, kept || item.kept()
		if first = cmp.Or(first, err); err != nil {
			item.Error = s.o.Access.scrub(err.Error())
		}
		m.Items = append(m.Items, item)
		s.emit(Event{Kind: EventItem, Name: item.Name, Item: &item})
	}
	if !kept {
		return cmp.Or(first, hinted(s.hasTypes(types), "the store has no profiles of Go programs"))
	}
	return nil
}

// hasTypes is a hint at what a store has.
func (s *storeRun) hasTypes(types []string) string {
	const shown, longest = 10, 100
	if len(types) == 0 {
		return "it has none at all in this time range; a longer --since looks further back"
	}
	text := fmt.Sprintf("it has %d types:", len(types))
	for _, t := range types[:min(len(types), shown)] {
		text += " " + oneLine(t[:min(len(t), longest)])
	}
	return s.o.Access.scrub(text)
}

// merged writes the profile of a window into a file, with how long it lasted if it doesn't say so and that is known.
// The item has no file if there are no samples.
func (s *storeRun) merged(ctx context.Context, api profileAPI, name string, w window, lasted time.Duration) (
	m ManifestItem, err error,
) {
	file := name + ".pb"
	path := filepath.Join(s.dir, file)
	_ = os.Remove(path) // of another window; what stays is an error of fill
	m, err = s.fill(ctx, file, api.pull, w)
	if err == nil && m.Bytes > 0 {
		if err = readStored(path, lasted); err == nil {
			m.File = file
			return m, nil
		}
	}
	m.Bytes = 0
	_ = os.Remove(path) // if it stays, it does no harm
	switch {
	case errors.Is(err, errTooLarge):
		err = errLargeProfile
	case errors.Is(err, errNoSamples):
		err = nil
	}
	return m, err
}

var errNoSamples = errors.New("the profile has no samples")

// readStored checks that a file is a profile, and completes it.
func readStored(path string, lasted time.Duration) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	p, err := profile.Read(data)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", errAnswer, err)
	case len(p.Stacks) == 0:
		return errNoSamples
	case p.Duration != 0 || lasted == 0:
		return nil
	}
	return os.WriteFile(path, withDuration(data, lasted), fileMode)
}

// withDuration adds how long a profile measured, which Parca leaves out: of a field that a message has twice the last
// one counts, and gzip goes on in another member.
func withDuration(data []byte, d time.Duration) []byte {
	const durationNanos = 10 // of message Profile
	field := binary.AppendUvarint([]byte{durationNanos << 3}, uint64(d))
	if !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		return append(data, field...)
	}
	out := bytes.NewBuffer(data)
	w := gzip.NewWriter(out)
	_, _ = w.Write(field) // into memory
	_ = w.Close()
	return out.Bytes()
}

// snapshot takes the last profile of a process, or of several that were profiled at nearly the same time. It looks back
// from the end, further each time, and then halves the span that has profiles until a process can't be in it twice.
func (s *storeRun) snapshot(ctx context.Context, api profileAPI, name, stream string) (m ManifestItem, err error) {
	from, to := s.o.To, s.o.To
	for !m.kept() && from.After(s.o.From) {
		to = from
		if from = to.Add(-max(snapshotSpan, s.o.To.Sub(to))); from.Before(s.o.From) {
			from = s.o.From
		}
		if m, err = s.merged(ctx, api, name, window{stream, from, to}, 0); err != nil {
			return m, err
		}
	}
	for m.kept() && to.Sub(from) > snapshotSpan {
		middle := from.Add(to.Sub(from) / 2)
		late, err := s.merged(ctx, api, name, window{stream, middle, to}, 0)
		if err == nil && !late.kept() {
			to = middle
			late, err = s.merged(ctx, api, name, window{stream, from, to}, 0)
		} else {
			from = middle
		}
		if m = late; err != nil {
			return m, err
		}
	}
	if m.kept() {
		m.Note = fmt.Sprintf("covers only processes that were profiled in the %s before %s", snapshotSpan,
			to.UTC().Format(time.RFC3339))
	}
	return m, nil
}

// pyroscope is asked as https://grafana.com/docs/pyroscope/latest/reference-server-api describes, by the Connect
// protocol. An answer has the encoding of its request.
type pyroscope struct{ *storeRun }

func (p pyroscope) types(ctx context.Context) (all []string, err error) {
	text, err := p.answer(ctx, item{page: "querier.v1.QuerierService/ProfileTypes", form: "application/json",
		body: fmt.Appendf(nil, `{"start":"%d","end":"%d"}`, p.o.From.UnixMilli(), p.o.To.UnixMilli())})
	if err != nil {
		return nil, err
	}
	var answer struct{ ProfileTypes []struct{ ID string } }
	if json.Unmarshal(text, &answer) != nil {
		return nil, errAnswer
	}
	for _, a := range answer.ProfileTypes {
		all = append(all, a.ID)
	}
	return all, nil
}

func (p pyroscope) pull(ctx context.Context, w window, to *sink) error {
	id, _, _ := strings.Cut(w.stream, "{")
	return p.src.get(ctx, item{page: "querier.v1.QuerierService/SelectMergeProfile", form: "application/proto",
		body: selectMerge(id, w.stream[len(id):], w.from, w.to)}, p.o.Limits.Header, to)
}

// selectMerge encodes a querier.v1.SelectMergeProfileRequest.
func selectMerge(id, selector string, from, to time.Time) (msg []byte) {
	const varint, text = 0, 2 // wire types
	for i, s := range []string{id, selector} {
		msg = binary.AppendUvarint(append(msg, byte(i+1)<<3|text), uint64(len(s)))
		msg = append(msg, s...)
	}
	for i, t := range []time.Time{from, to} {
		msg = binary.AppendUvarint(append(msg, byte(i+3)<<3|varint), uint64(t.UnixMilli()))
	}
	return msg
}

// parca is asked as parca/query/v1alpha1/query.proto of github.com/parca-dev/parca describes, by its gateway for JSON.
type parca struct{ *storeRun }

// parcaDelta ends the types of what was measured since the profile before. In Pyroscope all but states are such.
const parcaDelta = ":delta"

func (p parca) types(ctx context.Context) (all []string, err error) {
	text, err := p.ask(ctx, "api/profiles/types", nil)
	if err != nil {
		return nil, err
	}
	var answer struct {
		Types []struct {
			Name, SampleType, SampleUnit, PeriodType, PeriodUnit string
			Delta                                                bool
		}
	}
	if json.Unmarshal(text, &answer) != nil {
		return nil, errAnswer
	}
	for _, a := range answer.Types {
		id := strings.Join([]string{a.Name, a.SampleType, a.SampleUnit, a.PeriodType, a.PeriodUnit}, ":")
		if a.Delta {
			id += parcaDelta
		}
		all = append(all, id)
	}
	return all, nil
}

func (p parca) pull(ctx context.Context, w window, to *sink) error {
	text, err := p.ask(ctx, "api/profiles/query", url.Values{
		"mode": {"MODE_MERGE"}, "reportType": {"REPORT_TYPE_PPROF"}, "merge.query": {w.stream},
		"merge.start": {w.from.UTC().Format(time.RFC3339Nano)}, "merge.end": {w.to.UTC().Format(time.RFC3339Nano)},
	})
	if err != nil {
		return err
	}
	var answer struct{ Pprof []byte }
	if json.Unmarshal(text, &answer) != nil || answer.Pprof == nil {
		return errAnswer
	}
	_, err = to.Write(answer.Pprof)
	return err
}
