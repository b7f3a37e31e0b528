package profile_test

import (
	"fmt"
	"log"
	"os"

	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/stackparse/frame"
)

func read(file string) *profile.View {
	data, err := os.ReadFile(file)
	if err != nil {
		log.Fatal(err)
	}
	p, err := profile.Read(data)
	if err != nil {
		log.Fatal(err)
	}
	return profile.NewView(p)
}

// The functions of the program's own module that hold most of a CPU profile.
func Example() {
	v := read("../testdata/profiles/founding-rsa.pb.gz")
	fmt.Printf("%s profile of %.1f s, %d samples\n", v.Kind, v.Duration.Seconds(), v.Samples())
	own := func(r *profile.Ranked) bool { return v.Class[r.Func] == frame.ClassOwn }
	for _, r := range v.Top(3, profile.ByCum, own) {
		fmt.Printf("%4.1f%%  at least %4.1f%%  %s\n", 100*v.Share(r.Cum), 100*v.LowerBound(r.Cum), v.Functions[r.Func].Name)
	}
	// Output:
	// cpu profile of 5.6 s, 398 samples
	// 88.4%  at least 84.9%  example.com/fixtures/burn/k8s/internal/tenant.(*Reconciler).Reconcile
	// 88.4%  at least 84.9%  example.com/fixtures/burn/k8s/internal/tenant.(*Reconciler).clusterConfig
	// 88.4%  at least 84.9%  example.com/fixtures/burn/k8s/internal/tenant.(*authority).newClientCertificate
}

func ExampleCompare() {
	before := read("../testdata/profiles/heap-growth-1.pb.gz")
	after := read("../testdata/profiles/heap-growth-3.pb.gz")
	d, err := profile.Compare(before, after)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.0f MB in use, %.0f MB before\n", d.New/1e6, d.Old/1e6)
	for _, payer := range d.Payers[:1] {
		fmt.Printf("%+.0f MB  %s:%d\n", payer.Change/1e6, payer.Func, payer.Line)
	}
	// Output:
	// 303 MB in use, 119 MB before
	// +184 MB  example.com/fixtures/burn/internal/heap.(*Sessions).open:99
}

// Profiles go to other tools of the pprof family as their own type.
func ExampleProfile_Pprof() {
	v := read("../testdata/profiles/heap-growth-1.pb.gz")
	p := v.Pprof()
	fmt.Println(len(p.SampleType), "types,", p.DefaultSampleType, "by default, valid:", p.CheckValid() == nil)
	// Output:
	// 4 types, inuse_space by default, valid: true
}
