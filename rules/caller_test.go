package rules

import (
	"strings"
	"testing"

	"github.com/gotriage/triage/rules/internal/dumptest"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

func TestTheCallerOfAWellKnownLibraryIsBlamed(t *testing.T) {
	const own, gorm = "example.com/a.", "gorm.io/gorm."
	for _, tt := range []struct {
		claim, want, title string
		stack              []string
	}{
		{"the program calls the library", own + "load", "gorm.(*DB).First waits (x.go:7), called by a.load (x.go:8)",
			[]string{"sync.(*Mutex).Lock", gorm + "(*DB).First", own + "load", own + "main"}},
		{"another library and the standard library lie between", own + "load",
			"gorm.(*DB).First waits (x.go:7), called by a.load (x.go:10)",
			[]string{"sync.(*Mutex).Lock", gorm + "(*DB).First", "golang.org/x/sync/errgroup.(*Group).Go.func1",
				"sync.(*Once).Do", own + "load"}},
		{"a dependency that is no well-known library is blamed itself", "example.org/dep.Wrap",
			"dep.Wrap waits (x.go:7)", []string{"sync.(*Mutex).Lock", "example.org/dep.Wrap", own + "load"}},
		{"a library that nobody called is blamed itself", gorm + "(*DB).clean", "gorm.(*DB).clean waits (x.go:7)",
			[]string{"time.Sleep", gorm + "(*DB).clean"}},
		{"frames that were left out may hold the caller", gorm + "(*DB).First", "gorm.(*DB).First waits (x.go:7)",
			[]string{"sync.(*Mutex).Lock", gorm + "(*DB).First", "", own + "load"}},
		{"a dependency calls generated code of the program", "example.com/a/pb.(*Cart).Get", "pb.(*Cart).Get waits (x.go:7)",
			[]string{"sync.(*Mutex).Lock", "example.com/a/pb.(*Cart).Get", "example.org/dep.Wrap", own + "load"}},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			d := dumptest.DumpOf(stackparse.ClassSelect, own+"Run", tt.stack...)
			for i := range d.Buckets[0].Frames {
				if f := &d.Buckets[0].Frames[i]; strings.Contains(f.Func, "/") { // no standard library
					f.File, f.Line = "/src/x.go", 6+i
					if strings.Contains(f.Func, "pb.") {
						f.File = "/src/x.pb.go"
					}
				} else if f.Func == "" {
					f.Elided = 3
				}
			}
			in := &DumpInput{Dump: d, Program: frame.Program{Module: "example.com/a"}}
			r := &Rule{ID: "TR999", Run: func(*Pass) []Finding {
				bl := BlameBucket(in, d.Buckets[0])
				return []Finding{{Title: PlaceName(bl.Culprit) + " waits (x.go:7)", Culprit: bl.Culprit, Path: bl.Path}}
			}}
			f := r.Apply(&Pass{})[0]
			if f.Culprit.Function != tt.want || f.Title != tt.title {
				t.Errorf("culprit %q, title %q; want %q, %q", f.Culprit.Function, f.Title, tt.want, tt.title)
			}
		})
	}
}

func TestALibraryThatSeveralFunctionsCalledKeepsTheBlame(t *testing.T) {
	const gorm = "gorm.io/gorm.(*DB).First"
	for caller, want := range map[string]string{"example.com/a.load": "example.com/a.load", "example.com/a.find": gorm} {
		p := &Pass{}
		for _, own := range []string{"example.com/a.load", caller} {
			p.Dumps = append(p.Dumps, &DumpInput{Dump: dumptest.DumpOf(stackparse.ClassSelect, "", "sync.(*Mutex).Lock",
				gorm, own), Program: frame.Program{Module: "example.com/a"}})
		}
		r := &Rule{ID: "TR999", Run: func(p *Pass) []Finding {
			bl := BlameBucket(p.Dumps[0], p.Dumps[0].Buckets[0])
			return []Finding{{Title: "gorm.(*DB).First waits", Culprit: bl.Culprit, Path: bl.Path}}
		}}
		if f := r.Apply(p)[0]; f.Culprit.Function != want {
			t.Errorf("called by load and %s: culprit %q, want %q", caller, f.Culprit.Function, want)
		}
	}
}

func TestATitleGivesUpTheLibrarysLineForItsCaller(t *testing.T) {
	library := Place{Function: "go.etcd.io/bbolt.(*DB).mmap", File: "/src/db.go", Line: 329}
	caller := Place{Function: "example.com/shop/internal/checkout.(*Orders).save", File: "/src/orders.go", Line: 46}
	for title, want := range map[string]string{
		"bbolt.(*DB).mmap locks its own lock (db.go:329)": "bbolt.(*DB).mmap locks its own lock (db.go:329), " +
			"called by checkout.(*Orders).save (orders.go:46)",
		"bbolt.(*DB).mmap waits for the lock that it holds (db.go:329)": "bbolt.(*DB).mmap waits for the lock that it " +
			"holds, called by checkout.(*Orders).save (orders.go:46)",
		"bbolt.(*DB).mmap locks what its own goroutine most likely holds (db.go:329)": "bbolt.(*DB).mmap locks what " +
			"its own goroutine most likely holds, called by checkout.(*Orders).save",
		"bbolt.(*DB).mmap panicked: the file changed while it was mapped, " + strings.Repeat("page, ", 4): "",
	} {
		if got := calledBy(title, library, caller); got != want {
			t.Errorf("%q\nwant %q", got, want)
		}
	}
}
