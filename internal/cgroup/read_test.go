package cgroup

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	uid = "0b7c6a1e-2f3d-4c5b-8a9e-0f1e2d3c4b5a"
	id  = "8f0e1d2c3b4a59687786958493a2b1c0dfeecdbcab9a89786756453423120100"
)

func read(t testing.TB, files ...string) []*Group {
	t.Helper()
	var all [][]*Group
	for i := 0; i < len(files); i += 2 {
		groups, err := Read(files[i], strings.NewReader(files[i+1]), 1)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, groups)
	}
	return Merge(all)
}

const statV2 = "usage_usec 600000000\nuser_usec 1\nsystem_usec 1\nnr_periods 50000\nnr_throttled 40000\n" +
	"throttled_usec 412000000\n"

func TestTheFilesOfAGroupAreOne(t *testing.T) {
	dir := "sys/fs/cgroup/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" +
		strings.ReplaceAll(uid, "-", "_") + ".slice/cri-containerd-" + id + ".scope/"
	groups := read(t, dir+"cpu.stat", statV2, dir+"cpu.max", "50000 100000\n",
		dir+"memory.current", "241172480\n", dir+"memory.max", "268435456\n",
		dir+"memory.events", "low 0\nhigh 0\nmax 12\noom 3\noom_kill 3\n", dir+"memory.stat", "anon 200000000\nfile 4096\n",
		dir+"cpu.pressure", "some avg10=80.00 avg60=81.00 avg300=82.50 total=1\nfull avg10=0 avg60=0 avg300=0 total=0\n")
	if len(groups) != 1 {
		t.Fatalf("%d groups", len(groups))
	}
	g := groups[0]
	if g.PodUID != uid || g.ID != id {
		t.Errorf("pod %q, container %q", g.PodUID, g.ID)
	}
	if g.ThrottledShare() != 0.8 || g.Cores() != 0.5 || g.Period() != 0.1 {
		t.Errorf("throttled %v, cores %v, period %v", g.ThrottledShare(), g.Cores(), g.Period())
	}
	want := map[Key]float64{Periods: 50000, Throttled: 40000, ThrottledUS: 412e6, UsageUS: 6e8, QuotaUS: 50000,
		PeriodUS: 100000, Memory: 241172480, MemoryMax: 268435456, OOMKills: 3, LimitHits: 12, Anon: 2e8, PressureCPU: 82.5}
	got := map[Key]float64{}
	for k, v := range g.values {
		got[k] = v.N
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	if v, _ := g.Get(Throttled); v.Line != 5 || !strings.HasSuffix(v.Input, "cpu.stat") {
		t.Errorf("place of nr_throttled: %+v", v)
	}
}

func TestVersion1AndPrintedFiles(t *testing.T) {
	pod := "/kubepods/burstable/pod" + uid + "/" + id
	groups := read(t, "node/cgroup.txt", "/sys/fs/cgroup/cpu,cpuacct"+pod+"/cpu.stat:nr_periods 100\n"+
		"/sys/fs/cgroup/cpu,cpuacct"+pod+"/cpu.stat:nr_throttled 25\n"+
		"/sys/fs/cgroup/cpu,cpuacct"+pod+"/cpu.stat:throttled_time 5000000000\n"+
		"/sys/fs/cgroup/cpu,cpuacct"+pod+"/cpu.cfs_quota_us:-1\n"+
		"/sys/fs/cgroup/memory"+pod+"/memory.limit_in_bytes:9223372036854771712\n"+
		"/sys/fs/cgroup/memory"+pod+"/memory.usage_in_bytes:4096\n")
	if len(groups) != 1 || groups[0].PodUID != uid {
		t.Fatalf("%+v", groups)
	}
	g := groups[0]
	if g.ThrottledShare() != 0.25 || g.N(ThrottledUS) != 5e6 || g.N(Memory) != 4096 || g.Cores() != 0 {
		t.Errorf("%+v", g)
	}
	if _, limited := g.Get(MemoryMax); limited {
		t.Error("version 1 writes a limit where there is none")
	}
	groups = read(t, "pod.txt", "==> /sys/fs/cgroup/cpu.max <==\nmax 100000\n\n==> /sys/fs/cgroup/cpu.stat <==\nusage_usec 7\n")
	if len(groups) != 1 || groups[0].N(UsageUS) != 7 || groups[0].N(PeriodUS) != 100000 {
		t.Errorf("tail's form: %+v", groups)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("cpu.stat", statV2)
	f.Add("x", "==> /sys/fs/cgroup/memory.events <==\nlow 1\n")
	f.Fuzz(func(t *testing.T, name, text string) {
		groups, _ := Read(name, strings.NewReader(text), 1) // a line that is too long ends it
		for _, g := range Merge([][]*Group{groups}) {
			if s := g.ThrottledShare(); s < 0 || s > 1 {
				t.Fatalf("a share of %v", s)
			}
		}
	})
}
