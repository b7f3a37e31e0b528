package identity

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

// parked is a dump of n goroutines of one stack, each waiting for its own address from base on.
func parked(n int, base uint64) *stackparse.Dump {
	b := &stackparse.Bucket{Key: 1, Count: n}
	for i := range n {
		b.Goroutines = append(b.Goroutines, stackparse.Goroutine{ID: uint64(i + 1), Wait: base + uint64(96*i)})
	}
	return &stackparse.Dump{Goroutines: n, Buckets: []*stackparse.Bucket{b}}
}

func processes(dumps ...*rules.DumpInput) []string {
	NameDumps(dumps, nil)
	var names []string
	for _, d := range dumps {
		names = append(names, d.Process)
	}
	return names
}

func TestDumpsThatWaitForTheSameAddressesAreOfOneProcess(t *testing.T) {
	names := processes(
		&rules.DumpInput{Dump: parked(40, 0xc000010000), Input: "before.txt"},
		&rules.DumpInput{Dump: parked(55, 0xc000010000), Input: "after.txt"},
	)
	if names[0] == "" || names[0] != names[1] {
		t.Errorf("processes %q, want one", names)
	}
}

func TestReplicasWithEqualIdsAndOtherAddressesAreNotOfOneProcess(t *testing.T) {
	names := processes(
		&rules.DumpInput{Dump: parked(40, 0xc000010000), Input: "pod-a.txt"},
		&rules.DumpInput{Dump: parked(40, 0xc000750000), Input: "pod-b.txt"},
	)
	if names[0] != "" || names[1] != "" {
		t.Errorf("processes %q, want both unknown", names)
	}
}

func TestAnAddressThatOuterCallsShareShowsOneProcess(t *testing.T) {
	traits := func(key, wait, receiver uint64) (all []Trait) {
		for i := range uint64(8) {
			x := Trait{id: i + 1, key: key, Wait: wait * (i + 1)}
			if receiver != 0 {
				x.words[0] = receiver + 64*i
			}
			all = append(all, x)
		}
		return all
	}
	durations := []stackparse.Word{stackparse.Word(10 * time.Second), 1 << 40}
	fleeting := func(from uint64) (all []Trait) { // goroutines that another dump doesn't have
		for i := range uint64(40) {
			all = append(all, Trait{id: from + i, key: 3})
		}
		return all
	}
	for _, tt := range []struct {
		claim string
		a, b  []Trait
		want  bool
	}{
		{"equal stacks, equal receivers", traits(1, 0, 0xc000010000), traits(1, 0, 0xc000010000), true},
		{"other stacks, equal receivers", traits(1, 0, 0xc000010000), traits(2, 0, 0xc000010000), true},
		{"equal stacks, other receivers", traits(1, 0, 0xc000010000), traits(1, 0, 0xc000750000), false},
		{"equal ids alone", traits(1, 0, 0), traits(1, 0, 0), false},
		{"equal durations", []Trait{{id: 1, key: 1, words: heapWords(durations)}, {id: 2, key: 1, words: heapWords(durations)}},
			[]Trait{{id: 1, key: 1, words: heapWords(durations)}, {id: 2, key: 1, words: heapWords(durations)}}, false},
		{"equal receivers, other locks", traits(1, 0xc000010000, 0xc000020000), traits(1, 0xc000750000, 0xc000020000), false},
		{"a few that stayed among many that come and go", append(traits(1, 0, 0xc000010000), fleeting(100)...),
			append(traits(1, 0, 0xc000010000), fleeting(500)...), true},
		{"a few of which some agree, among many that come and go", append(traits(1, 0, 0xc000010000), fleeting(100)...),
			append(append(traits(1, 0, 0xc000010000)[:4], traits(1, 0, 0xc000750000)[4:]...), fleeting(500)...), false},
	} {
		if got := SameProcess(tt.a, tt.b); got != tt.want {
			t.Errorf("%s: one process: %v", tt.claim, got)
		}
	}
}

func TestTwoFatalDumpsAreNotOfOneProcessHoweverAlike(t *testing.T) {
	a, b := parked(40, 0xc000010000), parked(40, 0xc000010000)
	a.Cause = &stackparse.Cause{Kind: stackparse.CauseSignal}
	b.Cause = &stackparse.Cause{Kind: stackparse.CauseSignal}
	names := processes(&rules.DumpInput{Dump: a, Input: "a"}, &rules.DumpInput{Dump: b, Input: "b"})
	if names[0] != "" || names[1] != "" {
		t.Errorf("processes %q, want both unknown", names)
	}
}

func TestAProcessEndsWithItsFatalDump(t *testing.T) {
	dump := func(kind stackparse.CauseKind) *rules.DumpInput {
		d := parked(3, 0xc000010000)
		if kind != "" {
			d.Cause = &stackparse.Cause{Kind: kind}
		}
		return &rules.DumpInput{Dump: d, Input: "app.log", Process: "ns/pod/app"}
	}
	names := processes(dump(""), dump(stackparse.CauseLoggedPanic), dump(stackparse.CausePanic), dump(""), dump(stackparse.CauseFatal))
	want := []string{"ns/pod/app", "ns/pod/app", "ns/pod/app", "ns/pod/app#2", "ns/pod/app#2"}
	for i := range want {
		if names[i] != want[i] {
			t.Fatalf("processes %q, want %q", names, want)
		}
	}
}

func TestManyDumpsOfProcessesInTurnsAreKeptApart(t *testing.T) {
	const replicas = 5
	var dumps []*rules.DumpInput
	for i := range 3 * maxAnonymous {
		// Samples of different sizes follow one another, so that each would show what the one before it left.
		n := 302 - (i*37)%300
		dumps = append(dumps, &rules.DumpInput{Dump: parked(n, 0xc000010000+uint64(i%replicas)<<24), Input: "all.log"})
	}
	names := processes(dumps...)
	seen := map[string]bool{}
	for i, name := range names {
		if name == "" || name != names[i%replicas] {
			t.Fatalf("dump %d is of %q, want %q", i, name, names[i%replicas])
		}
		seen[name] = true
	}
	if len(seen) != replicas {
		t.Errorf("%d processes, want %d", len(seen), replicas)
	}
}

func TestASampleHoldsTheOldestGoroutines(t *testing.T) {
	d := parked(10*maxTraits, 0)
	b := d.Buckets[0]
	for i, j := 0, len(b.Goroutines)-1; i < j; i, j = i+1, j-1 {
		b.Goroutines[i], b.Goroutines[j] = b.Goroutines[j], b.Goroutines[i]
	}
	s := SampleOf(d)
	if len(s) != maxTraits || s[0].id != 1 || s[len(s)-1].id != maxTraits {
		t.Errorf("%d traits of goroutines %d to %d, want %d from 1 to %d", len(s), s[0].id, s[len(s)-1].id, maxTraits, maxTraits)
	}
}

func TestDumpsThatOneManifestListsAreOfOneProcess(t *testing.T) {
	captures := Captures{ReadCapture("cap.zip!/manifest.json", []byte(`{"schema": "triage-capture/v1", "items": [
		{"name": "stacks", "file": "goroutine-1.txt"}, {"name": "goroutine", "file": "goroutine.pb.gz"},
		{"name": "stacks", "file": "goroutine-2.txt"}]}`))}
	counted := parked(40, 0)
	counted.Buckets[0].Goroutines = nil
	all := []*rules.DumpInput{
		{Dump: counted, Input: "cap.zip!/goroutine.pb.gz"},
		{Dump: parked(40, 0xc000010000), Input: "cap.zip!/goroutine-1.txt"},
		{Dump: parked(3, 0xc000990000), Input: "cap.zip!/goroutine-2.txt"}, // nothing is as it was
		{Dump: parked(40, 0xc000750000), Input: "cap.zip!/elsewhere.txt"},
	}
	NameDumps(all, captures)
	for i, want := range []string{"process 1", "process 1", "process 1", ""} {
		if all[i].Process != want {
			t.Errorf("%s: process %q, want %q", all[i].Input, all[i].Process, want)
		}
	}
}

// counted is a dump of n goroutines in a form that does not list them.
func counted(n int, input string) *rules.DumpInput {
	return &rules.DumpInput{Dump: &stackparse.Dump{
		Format: stackparse.FormatDebug1, Goroutines: n, Buckets: []*stackparse.Bucket{{Key: 1, Count: n}},
	}, Input: input}
}

func TestCountedDumpsAreOfTheProcessOfTheirFolder(t *testing.T) {
	names := processes(
		counted(40, "pod/debug1.txt"),
		&rules.DumpInput{Dump: parked(40, 0xc000010000), Input: "pod/debug2.txt"},
		&rules.DumpInput{Dump: parked(55, 0xc000010000), Input: "pod/later.txt"},
		counted(40, "pod/goroutine.pb.gz"),
		counted(40, "other/goroutine.pb.gz"),
		counted(40, "alone/debug1.txt"),
		&rules.DumpInput{Dump: parked(40, 0xc000750000), Input: "alone/debug2.txt"},
	)
	if names[0] == "" || names[0] != names[1] || names[0] != names[2] || names[0] != names[3] {
		t.Errorf("processes %q, want one for the first folder", names[:4])
	}
	if names[4] != "" {
		t.Errorf("process %q of a folder without listed dumps", names[4])
	}
	if names[5] == "" || names[5] != names[6] || names[5] == names[0] {
		t.Errorf("processes %q, want one of its own for the only listed dump of a folder", names[5:])
	}
}

func TestACountedDumpBesideTwoProcessesIsOfNeither(t *testing.T) {
	names := processes(
		counted(40, "pod/debug1.txt"),
		&rules.DumpInput{Dump: parked(40, 0xc000010000), Input: "pod/a.txt"},
		&rules.DumpInput{Dump: parked(55, 0xc000010000), Input: "pod/a-later.txt"},
		&rules.DumpInput{Dump: parked(40, 0xc000750000), Input: "pod/b.txt"},
	)
	if names[0] != "" || names[1] == "" || names[1] != names[2] || names[3] != "" {
		t.Errorf("processes %q, want only a.txt and a-later.txt to be of one", names)
	}
	names = processes(
		counted(40, "pod/debug1.txt"),
		&rules.DumpInput{Dump: parked(40, 0xc000010000), Input: "pod/a.txt"},
		&rules.DumpInput{Dump: parked(40, 0xc000750000), Input: "pod/b.txt"},
	)
	if names[0] != "" || names[1] != "" || names[2] != "" {
		t.Errorf("processes %q, want all unknown", names)
	}
}

func TestACountedDumpOfAnotherProgramIsNotOfTheProcessOfItsFolder(t *testing.T) {
	c := counted(40, "pod/debug1.txt")
	c.Program.Module = "example.com/shop"
	d := &rules.DumpInput{Dump: parked(40, 0xc000010000), Input: "pod/debug2.txt"}
	d.Program.Module = "example.com/till"
	if names := processes(c, d); names[0] != "" || names[1] != "" {
		t.Errorf("processes %q, want both unknown", names)
	}
}

func TestASampleHasTheOldestGoroutinesInOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		d := &stackparse.Dump{}
		var ids []uint64
		span := 1 + rng.Uint64N(2000) // few ids for many goroutines: no runtime prints that
		for key := range uint64(5) {
			b := &stackparse.Bucket{Key: key}
			for range rng.IntN(200) {
				id := rng.Uint64N(span)
				b.Goroutines = append(b.Goroutines, stackparse.Goroutine{ID: id})
				if id != 0 {
					ids = append(ids, id)
				}
			}
			b.Count = len(b.Goroutines)
			d.Goroutines += b.Count
			d.Buckets = append(d.Buckets, b)
		}
		slices.Sort(ids)
		ids = ids[:min(len(ids), maxTraits)]
		var got []uint64
		for _, trait := range SampleOf(d) {
			got = append(got, trait.id)
		}
		if !slices.Equal(got, ids) {
			t.Fatalf("the sample has %d, want %d", got, ids)
		}
	}
}
