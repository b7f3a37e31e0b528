package report_test

import (
	"strings"
	"testing"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// withProfiles adds the situations about profiles.
func withProfiles(all map[string]*schema.Report) map[string]*schema.Report {
	all["profile"] = keysReport()
	all["profile-flat"] = flatProfilesReport()
	return all
}

func top(function, file, class string, flat, cum int64) schema.TopFunction {
	return schema.TopFunction{Function: function, File: file, Class: class, Flat: flat, Cum: cum}
}

// keysReport: a controller makes a key four times a reconcile.
func keysReport() *schema.Report {
	const pkg = "example.com/shop/tenants/internal/certs"
	culprit := rules.Place{Function: pkg + ".(*Authority).clientCertificate", Package: pkg, File: "example.com/shop/tenants/internal/certs/authority.go", Line: 75}
	reconcile := "example.com/shop/tenants/internal/controller.(*Tenants).Reconcile"
	return &schema.Report{
		Schema: schema.Schema, Tool: tool(),
		Inputs: []schema.Input{{Path: "capture/cpu.pb.gz", Kind: "profile", Bytes: 21_340}},
		Findings: []rules.Finding{{
			Rule: "TR501", Name: "key-generation", Category: rules.HotCPU, Severity: rules.High, Confidence: rules.ConfMedium,
			Title: "certs.(*Authority).clientCertificate spends 88% of CPU (1.7 cores) generating keys", Culprit: culprit,
			Path: []rules.PathFrame{
				{Function: "sigs.k8s.io/controller-runtime/pkg/internal/controller.(*Controller[...]).processNextWorkItem",
					File: "sigs.k8s.io/controller-runtime@v0.19.0/pkg/internal/controller/controller.go", Line: 262, Class: "dependency", Share: 0.91},
				{Function: reconcile, File: "example.com/shop/tenants/internal/controller/tenants.go", Line: 109, Class: "own", Share: 0.9},
				{Function: culprit.Function, File: culprit.File, Line: 75, Class: "own", Share: 0.88},
				{Function: "crypto/rsa.GenerateKey", File: "crypto/rsa/rsa.go", Line: 365, Class: "stdlib", Share: 0.88},
			},
			Evidence: []rules.Evidence{
				{Input: "capture/cpu.pb.gz", Time: "2026-03-01T10:00:00Z", Text: "88% of CPU (1.7 cores), at least 87%; 5,016 of 5,700 samples", Goroutines: []uint64{}, Count: 5016, Share: 0.88},
			},
			Why: "controller.(*Tenants).Reconcile calls it from 4 places: tenants.go:103, :106, :109, :112. A private key is made once and kept; " +
				"a program that shows it in a profile makes one after another.",
			Fix:  "Make the key once and keep it, and make a new one only when that is missing or about to expire.",
			Next: rules.Commands(`go tool pprof -list 'certs\.\(\*Authority\)\.client' capture/cpu.pb.gz`),
			Refs: []string{"https://pkg.go.dev/crypto/rsa#GenerateKey"}, Fingerprint: "0d3f0a11c5f2b7e0", Sources: []string{"capture/cpu.pb.gz"}, Count: 5016,
		}},
		Profiles: []schema.Profile{{
			Input: "capture/cpu.pb.gz", Kind: "cpu", Type: "cpu", Unit: "nanoseconds", Time: "2026-03-01T10:00:00Z", Go: ">=1.24",
			Program: "example.com/shop/tenants", Total: 57_000_000_000, Duration: 30_000_000_000, Samples: 5700, Cores: 1.9, Explained: 0.88,
			Top: []schema.TopFunction{
				top("crypto/internal/fips140/bigmod.addMulVVW1024", "crypto/internal/fips140/bigmod/nat_asm.go", "stdlib", 39_000_000_000, 39_000_000_000),
				top(culprit.Function, culprit.File, "own", 0, 50_160_000_000), top(reconcile, "example.com/shop/tenants/internal/controller/tenants.go", "own", 10_000_000, 51_300_000_000),
			},
			Doubts: []schema.Doubt{}, Labels: []schema.LabelShare{},
		}},
		Rules:         schema.RuleCounts{Checked: 191, Fired: 1, Clear: 83, NotApplicable: 3},
		NotApplicable: []schema.NotApplicable{{Rule: "TR101", Needs: "a goroutine dump"}, {Rule: "TR601", Needs: "a heap profile"}, {Rule: "TR641", Needs: "a mutex profile"}},
	}
}

// flatProfilesReport: nothing stands out in a CPU profile of a process that hardly ran, nor in its heap.
func flatProfilesReport() *schema.Report {
	api := "example.com/shop/orders/internal/api.(*Orders)"
	file := "example.com/shop/orders/internal/api/orders.go"
	return &schema.Report{
		Schema: schema.Schema, Tool: tool(),
		Inputs: []schema.Input{{Path: "cpu.pb.gz", Kind: "profile", Bytes: 12_204}, {Path: "heap.pb.gz", Kind: "profile", Bytes: 8_120}, {Path: "notes.txt", Kind: "text-log", Lines: 3}},
		Profiles: []schema.Profile{
			{
				Input: "cpu.pb.gz", Kind: "cpu", Type: "cpu", Unit: "nanoseconds", Total: 930_000_000, Duration: 30_000_000_000, Samples: 93, Cores: 0.031,
				Top: []schema.TopFunction{
					top("internal/runtime/syscall.Syscall6", "internal/runtime/syscall/asm_linux_amd64.s", "runtime", 280_000_000, 280_000_000),
					top("runtime.futex", "runtime/sys_linux_amd64.s", "runtime", 110_000_000, 110_000_000),
					top(api+".list", file, "own", 60_000_000, 240_000_000), top(api+".ServeHTTP", file, "own", 10_000_000, 390_000_000),
					top("encoding/json.(*encodeState).marshal", "encoding/json/encode.go", "stdlib", 20_000_000, 90_000_000),
				},
				Doubts: []schema.Doubt{
					{Name: "few-samples", Text: "93 samples: a share of 10% may be anything from 5.4 to 18%", Hint: "take a longer one under load: …/debug/pprof/profile?seconds=60"},
					{Name: "idle", Text: "the process was mostly idle (0.031 cores): a CPU profile can't explain a hang", Hint: "take a goroutine dump: …/debug/pprof/goroutine?debug=2"},
				},
				Labels: []schema.LabelShare{{Key: "queue", Value: "orders", Share: 0.41}, {Key: "queue", Value: "mail", Share: 0.3}, {Key: "queue", Value: "exports", Share: 0.2}, {Key: "queue", Value: "", Share: 0.09}},
			},
			{
				Input: "heap.pb.gz", Kind: "heap", Type: "inuse_space", Unit: "bytes", Total: 42_300_000, Samples: 77,
				Top: []schema.TopFunction{
					top(api+".list", file, "own", 9_100_000, 12_000_000), top("bytes.growSlice", "bytes/buffer.go", "stdlib", 8_200_000, 8_200_000),
				},
				Doubts: []schema.Doubt{}, Labels: []schema.LabelShare{},
			},
		},
		Rules:         schema.RuleCounts{Checked: 191, Clear: 95, NotApplicable: 2},
		NotApplicable: []schema.NotApplicable{{Rule: "TR101", Needs: "a goroutine dump"}, {Rule: "TR641", Needs: "a mutex profile"}},
		Advice:        []schema.Advice{{Why: "the process of cpu.pb.gz was mostly idle (0.031 cores).", Commands: rules.Commands("curl -s 'http://localhost:6060/debug/pprof/goroutine?debug=2' | triage")}},
	}
}

// hostileProfile: what a profile can hold, in every place that is text.
func hostileProfile() schema.Profile {
	long := strings.Repeat("W", 5000)
	return schema.Profile{
		Input: nasty, Kind: "cpu", Type: nasty, Unit: nasty, Namespace: nasty, Pod: nasty, Container: nasty, Time: nasty, Go: nasty, Program: nasty,
		Total: -5, Duration: -1, Samples: 1 << 60, Cores: 1e300,
		Top:    []schema.TopFunction{top(nasty, nasty, "own", 1<<62, -1<<62), top(long, long, "stdlib", 0, 0)},
		Doubts: []schema.Doubt{{Name: nasty, Text: nasty + long, Hint: nasty}},
		Labels: []schema.LabelShare{{Key: nasty, Value: nasty, Share: 0.5}, {Key: long, Value: long, Share: 0.5}},
	}
}

func TestText_ProfilesThatFindingsExplainHaveNoListOfFunctions(t *testing.T) {
	if got := text(t, keysReport(), report.TextOptions{}); strings.Contains(got, "PROFILE") {
		t.Errorf("88 %% are explained, and functions are listed:\n%s", got)
	}
	if got := text(t, keysReport(), report.TextOptions{All: true}); !strings.Contains(got, "addMulVVW1024") {
		t.Errorf("--all doesn't list the functions:\n%s", got)
	}
}

func TestText_AnIdleProcessIsSaidToBeIdle(t *testing.T) {
	got := collapse(text(t, flatProfilesReport(), report.TextOptions{}))
	for _, want := range []string{
		"CPU profile, 30 s, 0.031 cores, 93 samples", "heap profile, 42 MB in use, 77 samples", "nothing stands out in 2 profiles",
		"mostly idle", "take a goroutine dump", "queue: orders 41%, mail 30%, exports 20%, 1 more", "42% 1.1% example.com/shop/orders/internal/api.(*Orders).ServeHTTP",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the report doesn't say %q:\n%s", want, got)
		}
	}
}
