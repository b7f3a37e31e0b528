package all

import (
	"encoding/binary"
	"math"
	"testing"
	"time"

	"github.com/gotriage/triage/internal/fixture"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/hotspot"
	"github.com/gotriage/triage/rules/internal/rulestest"
	"github.com/gotriage/triage/rules/phrase"
)

// FuzzRulesOverProfiles claims: whatever stacks a profile holds, no rule panics, and every finding is whole: evidence,
// a title of bounded length, shares that are parts of 1. The data choose the kind, and for each stack its value and its
// frames among the functions that rules know and some of a program's.
func FuzzRulesOverProfiles(f *testing.F) {
	all := Rules()
	board := hotspot.NewBoard(all)
	names := []string{"", "main.main", "example.com/shop/a.(*T).Do", "example.com/shop/b.Equal.func1",
		"github.com/x/y.Z", "runtime.goexit", "runtime.mallocgc",
		"runtime.asyncPreempt", "encoding/json.Marshal", "bytes.Equal", "runtime.bgsweep", "runtime.selectgo"}
	for _, r := range all {
		by, ok := r.Hotspots.(*hotspot.Matcher)
		if !ok {
			continue
		}
		for i := range by.Stacks {
			for _, g := range by.Stacks[i].Groups() {
				names = append(names, g.Texts...)
			}
		}
	}
	f.Add([]byte{0, 200, 0, 0, 0, 2, 8, 0, 2, 0, 1, 0})
	f.Add([]byte{1, 255, 255, 255, 255, 3, 7, 0, 3, 0, 1, 0, 10, 0, 0, 0, 1, 9, 0})
	f.Add([]byte{7, 0, 0, 0, 128, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 {
			return
		}
		p := fuzzedProfile(data, names)
		// Twice the same profile is a series too.
		inputs := []*rules.ProfileInput{rulestest.ProfileInput(p, "a"), rulestest.ProfileInput(p, "a")}
		for _, in := range inputs {
			in.Hotspots = board.Hotspots(in)
		}
		for _, found := range rulestest.ApplyAll(all, &rules.Pass{Profiles: inputs}) {
			if n := len([]rune(found.Title)); n == 0 || n > phrase.MaxTitle || len(found.Evidence) == 0 ||
				found.Severity.Rank() < 0 {
				t.Errorf("%s: %+v", found.Rule, found)
			}
			for _, e := range found.Evidence {
				if e.Share < 0 || e.Share > 1+1e-9 || math.IsNaN(e.Share) {
					t.Errorf("%s: a share of %v", found.Rule, e.Share)
				}
			}
		}
	})
}

// fuzzedProfile makes a profile out of bytes: kind and duration, then for each stack four bytes of its value, the
// number of frames, and two bytes a frame.
func fuzzedProfile(data []byte, names []string) *profile.Profile {
	kinds := []profile.Kind{profile.KindCPU, profile.KindHeap, profile.KindAllocs, profile.KindMutex, profile.KindBlock,
		profile.KindWall}
	w := &fixture.ProfileWriter{P: &profile.Profile{Labels: []profile.LabelSet{{}}, Merged: 1},
		Funcs: map[profile.Function]int32{}}
	w.Begin(kinds[int(data[0]>>1)%len(kinds)])
	if data[0]&1 == 0 {
		w.P.Duration = 10 * time.Second
	}
	for data = data[1:]; len(data) > 5; {
		value := int64(int32(binary.LittleEndian.Uint32(data)))
		n := int(data[4]) % 80
		data = data[5:]
		var frames []string
		for ; n > 0 && len(data) > 1; n, data = n-1, data[2:] {
			frames = append(frames, names[int(binary.LittleEndian.Uint16(data))%len(names)])
		}
		if len(frames) > 0 {
			w.Stack(value, "", frames)
			if value > 1<<30 { // sums that overflow
				w.P.Stacks[len(w.P.Stacks)-1].Values[1] = math.MaxInt64
			}
		}
	}
	return w.P
}
