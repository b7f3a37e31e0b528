package fetch

import (
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
	// types are those of the profiles that the store has.
	types(ctx context.Context) ([]storedType, error)
	// pull writes the sum of all profiles in a span of time, of a type and a selector, which are the window's stream.
	pull(ctx context.Context, w window, to *sink) error
}

// A storedType is a type of profiles in a store, where each value of a Go profile is a type of its own.
type storedType struct {
	id                   string
	name, sample, period string // process_cpu, cpu, cpu
	// state reports that each profile shows a state, or a sum since the process began: they can't be added up.
	state bool
}

// storedOf is the type with an id of the form NAME:SAMPLE:UNIT:PERIOD:UNIT.
func storedOf(id string) (t storedType, ok bool) {
	parts := strings.Split(id, ":")
	if len(parts) < 5 {
		return t, false
	}
	return storedType{id: id, name: parts[0], sample: parts[1], period: parts[3]}, true
}

// A storedKind is a kind of Go profiles, by the name of its item, and how types of it are recognised.
type storedKind struct {
	item    string
	samples []string // the best first
	name    string   // a block profile has the types of a mutex profile
	period  string   // fgprof counts samples too
}

func storedKinds() []storedKind {
	return []storedKind{
		{item: ItemCPU, samples: []string{"cpu", "samples"}, period: "cpu"},
		{item: ItemHeap, samples: []string{"inuse_space"}},
		{item: ItemAllocs, samples: []string{"alloc_space"}},
		{item: ItemMutex, samples: []string{"delay"}, name: "mutex"},
		{item: ItemBlock, samples: []string{"delay"}, name: "block"},
		{item: ItemGoroutine, samples: []string{"goroutine", "goroutines"}},
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

// best is the type to take for a kind: one that can be added up, where there are several.
func (k storedKind) best(types []storedType) (storedType, bool) {
	for _, sample := range k.samples {
		var found []storedType
		for _, t := range types {
			if t.sample == sample && (k.name == "" || t.name == k.name) && (k.period == "" || t.period == k.period) {
				found = append(found, t)
			}
		}
		if len(found) > 0 {
			return found[max(0, slices.IndexFunc(found, func(t storedType) bool { return !t.state }))], true
		}
	}
	return storedType{}, false
}

const (
	// maxStored is how large a profile of a store may be: what package profile reads.
	maxStored = 64 << 20
	// Within snapshotSpan a process is profiled once at most: agents do it every 10 or 15 s by default.
	snapshotSpan = 5 * time.Second
)

var errLargeProfile = fmt.Errorf("the answer is larger than %d MiB (from Parca %d MiB), or than --max-bytes",
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
			"--query selects no program, and a sum of all programs names no guilty line")
	}
	for _, name := range o.Profiles {
		if !slices.Contains(ProfileNames(), name) {
			return usage("profiles: "+strings.Join(ProfileNames(), ", "), "--profiles %q is no kind of profile", name)
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
	s.emit(Event{Kind: EventPlan, From: s.o.Store.String(), Text: fmt.Sprintf("%s profiles of %s, %s long",
		strings.Join(wanted, ", "), s.o.Query, s.o.To.Sub(s.o.From).Round(time.Second))})
	var first error
	kept := false
	for _, k := range storedKinds() {
		t, has := k.best(types)
		if !slices.Contains(wanted, k.item) && (!has || !slices.Contains(wanted, AllProfiles)) {
			continue
		}
		item, err := ManifestItem{}, error(nil)
		switch {
		case !has:
			err = hinted(s.hasTypes(types), "the store has no %s profiles", k.item)
		case t.state:
			item, err = s.snapshot(ctx, api, k.item, t.id+s.o.Query)
		default:
			item, err = s.sum(ctx, api, k.item, t.id+s.o.Query)
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
func (s *storeRun) hasTypes(types []storedType) string {
	const shown = 10
	var ids []string
	for _, t := range types[:min(len(types), shown)] {
		ids = append(ids, oneLine(t.id[:min(len(t.id), 100)]))
	}
	if len(ids) == 0 {
		return "it has none at all in this time: --since looks further back"
	}
	return s.o.Access.scrub(fmt.Sprintf("it has %d types: %s", len(types), strings.Join(ids, ", ")))
}

// merged writes the profile of a window into a file and returns what it says of its duration. The item has no file if
// there are no samples.
func (s *storeRun) merged(ctx context.Context, api profileAPI, name string, w window) (
	m ManifestItem, lasted time.Duration, err error,
) {
	file := name + ".pb"
	path := filepath.Join(s.dir, file)
	_ = os.Remove(path) // of another window; what stays is an error of fill
	m, err = s.fill(ctx, file, api.pull, w)
	var p *profile.Profile
	if err == nil && m.Bytes > 0 {
		p, err = readStored(path)
	}
	if errors.Is(err, errTooLarge) {
		err = errLargeProfile
	}
	if err == nil && p != nil && len(p.Stacks) > 0 {
		m.File = file
		return m, p.Duration, nil
	}
	m.Bytes = 0
	_ = os.Remove(path) // if it stays, it does no harm
	return m, 0, err
}

func readStored(path string) (*profile.Profile, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	p, err := profile.Read(data)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errAnswer, err)
	}
	return p, nil
}

// sum takes what all profiles of the time measured together.
func (s *storeRun) sum(ctx context.Context, api profileAPI, name, stream string) (ManifestItem, error) {
	m, lasted, err := s.merged(ctx, api, name, window{stream, s.o.From, s.o.To})
	if m.kept() && lasted == 0 {
		err = addDuration(filepath.Join(s.dir, m.File), s.o.To.Sub(s.o.From))
	}
	return m, err
}

// addDuration adds how long a profile measured, which Parca leaves out, at the end of its file: of a field that a
// message has twice the last one counts, and gzip goes on in another member.
func addDuration(path string, d time.Duration) (err error) {
	const durationNanos = 10 // of message Profile
	field := binary.AppendUvarint([]byte{durationNanos << 3}, uint64(d))
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, f.Close()) }()
	var head [2]byte
	if _, err := f.ReadAt(head[:], 0); err != nil {
		return err
	}
	if head == [...]byte{0x1f, 0x8b} {
		member := gzip.NewWriter(f)
		_, err = member.Write(field)
		return cmp.Or(err, member.Close())
	}
	_, err = f.Write(field)
	return err
}

// snapshot takes the last profile of each process. It looks back from the end, further each time, and then halves the
// span that has profiles until a process can't be in it twice.
func (s *storeRun) snapshot(ctx context.Context, api profileAPI, name, stream string) (m ManifestItem, err error) {
	from, to := s.o.To, s.o.To
	for !m.kept() && from.After(s.o.From) {
		to = from
		if from = to.Add(-max(snapshotSpan, s.o.To.Sub(to))); from.Before(s.o.From) {
			from = s.o.From
		}
		if m, _, err = s.merged(ctx, api, name, window{stream, from, to}); err != nil {
			return m, err
		}
	}
	for m.kept() && to.Sub(from) > snapshotSpan {
		middle := from.Add(to.Sub(from) / 2)
		late, _, err := s.merged(ctx, api, name, window{stream, middle, to})
		if err == nil && !late.kept() {
			to = middle
			late, _, err = s.merged(ctx, api, name, window{stream, from, to})
		} else {
			from = middle
		}
		if m = late; err != nil {
			return m, err
		}
	}
	if m.kept() {
		m.Note = "the last one of each process until " + to.UTC().Format(time.RFC3339)
	}
	return m, nil
}

// pyroscope is asked as https://grafana.com/docs/pyroscope/latest/reference-server-api describes: by the Connect
// protocol, whose answers have the form of their requests.
type pyroscope struct{ *storeRun }

func (p pyroscope) types(ctx context.Context) ([]storedType, error) {
	text, err := p.answer(ctx, item{page: "querier.v1.QuerierService/ProfileTypes", form: "application/json",
		body: fmt.Appendf(nil, `{"start":"%d","end":"%d"}`, p.o.From.UnixMilli(), p.o.To.UnixMilli())})
	if err != nil {
		return nil, err
	}
	var answer struct{ ProfileTypes []struct{ ID string } }
	if json.Unmarshal(text, &answer) != nil {
		return nil, errAnswer
	}
	var all []storedType
	for _, a := range answer.ProfileTypes {
		if t, ok := storedOf(a.ID); ok {
			// Agents send what was allocated, and how long was waited, since the profile before.
			t.state = strings.HasPrefix(t.sample, "inuse_") || strings.HasPrefix(t.sample, "goroutine")
			all = append(all, t)
		}
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

func (p parca) types(ctx context.Context) ([]storedType, error) {
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
	var all []storedType
	for _, a := range answer.Types {
		id := strings.Join([]string{a.Name, a.SampleType, a.SampleUnit, a.PeriodType, a.PeriodUnit}, ":")
		if a.Delta {
			id += ":delta"
		}
		if t, ok := storedOf(id); ok {
			t.state = !a.Delta
			all = append(all, t)
		}
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
