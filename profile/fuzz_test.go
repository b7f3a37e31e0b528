package profile

import (
	"bytes"
	"testing"

	"github.com/google/pprof/profile"
)

// FuzzRead holds what the readers promise whatever they read: no panic, stacks that refer to what is there, sums that
// agree with pprof's where both read a protobuf.
func FuzzRead(f *testing.F) {
	for _, x := range []fixture{
		cpu("3 | a.F@a.go:7 <in a.G@a.go:9 < main.main@m.go:3 | q=1\n2 | ? < main.main@m.go:3"),
		heap("1 10 2 20 | a.F@a.go:1"), waits("2 300 | sync.(*Mutex).Unlock@s.go:1"),
	} {
		var out bytes.Buffer
		if err := x.proto(f).WriteUncompressed(&out); err != nil {
			f.Fatal(err)
		}
		f.Add(out.Bytes())
	}
	f.Add([]byte("heap profile: 1: 2 [3: 4] @ heap/1048576\n1: 512 [3: 1536] @ 0x42\n#\t0x42\tmain.main+0x19\t\t/src/main.go:7\n"))
	f.Add([]byte("--- mutex:\ncycles/second=2000000000\nsampling period=5\n6000 3 @ 0x48\n#\t0x48\tsync.(*Mutex).Unlock+0x24\ts.go:2\n"))
	f.Add([]byte("goroutine profile: total 7\n4 @ 0x43\n# labels: {\"q\":\"a\"}\n#\t0x43\tmain.main+0x2b\t/src/w.go:9\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Read(data)
		if err != nil {
			return
		}
		sound(t, p)
		v := NewView(p)
		v.Top(10, ByCum, nil)
		p.Doubts("")
		b := v.Blame(selectionOf(t, v, "**.main", "sync.*", "a/**"))
		b.Callers()
		b.Entries()
		b.Path()
		if _, err := Compare(v, v); err != nil {
			t.Errorf("compared with itself: %v", err)
		}
		if q, err := Merge(p, p); err == nil {
			sound(t, q)
		}
		if want, err := profile.ParseUncompressed(data); err == nil && want.CheckValid() == nil && !isText(data) {
			sums(t, p, want)
		}
	})
}

// sound holds a profile's indices against what they refer to.
func sound(t *testing.T, p *Profile) {
	t.Helper()
	if len(p.Stacks) > 0 && p.Value >= len(p.Types) {
		t.Fatalf("value %d of %d types", p.Value, len(p.Types))
	}
	for _, f := range p.Frames {
		if int(f.Func) >= len(p.Functions) || f.Func < 0 || f.Line < 0 {
			t.Fatalf("frame %+v of %d functions", f, len(p.Functions))
		}
	}
	for i := range p.Stacks {
		s := &p.Stacks[i]
		if int(s.Label) >= len(p.Labels) || len(s.Values) != len(p.Types) || s.Samples < 0 {
			t.Fatalf("stack %+v", s)
		}
		for _, f := range s.Frames {
			if int(f) >= len(p.Frames) || f < 0 {
				t.Fatalf("frame %d of %d", f, len(p.Frames))
			}
		}
	}
}

// sums compares the values' sums while they stay in range.
func sums(t *testing.T, got *Profile, want *profile.Profile) {
	t.Helper()
	const huge = 1 << 52
	for i := range got.Types {
		var a, b int64
		for _, s := range want.Sample {
			if s.Value[i] > huge || s.Value[i] < -huge {
				return
			}
			b += s.Value[i]
		}
		for _, s := range got.Stacks {
			a += s.Values[i]
		}
		if a != b {
			t.Errorf("type %d adds up to %d, pprof says %d", i, a, b)
		}
	}
}
