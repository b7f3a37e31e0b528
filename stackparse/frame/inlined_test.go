package frame

import "testing"

func TestSourceName_IsThatOfTheInnermostFunction(t *testing.T) {
	const module = "/go/pkg/mod/example.com/lib/v2@v2.1.0/"
	for _, tt := range []struct{ fn, file, want string }{
		{"example.com/lib/v2/slow.New.New.NewLayer.func1.func2.1", module + "slow/slow.go",
			"example.com/lib/v2/slow.NewLayer.func1.func2.1"},
		{"example.com/lib/v2/slow.F.(*Group).Go.func3", "example.com/group@v1.0.0/wait/group.go",
			"example.com/group/wait.(*Group).Go.func3"},
		{"example.com/lib/v2/slow.F.WithAudit.func6", module + "filters/audit.go", "example.com/lib/v2/filters.WithAudit.func6"},
		{"example.com/lib/v2/slow.F.func1.chain.1", module + "slow/slow.go", "example.com/lib/v2/slow.chain.1"},
		{"example.com/lib/v2/slow.(*T).M.helper.gowrap2", module + "slow/slow.go", "example.com/lib/v2/slow.helper.gowrap2"},
		{"example.com/lib/v2/slow.T.M.wrap.func1.1", module + "slow/slow.go", "example.com/lib/v2/slow.wrap.func1.1"},
		{"example.com/lib/v2/slow.init.1.export.func1", module + "slow/slow.go", "example.com/lib/v2/slow.export.func1"},
		{"example.com/lib/v2/slow.NewPool.watch.gowrap1", `C:\go\pkg\mod\example.com\lib\v2@v2.1.0\slow\slow.go`,
			"example.com/lib/v2/slow.watch.gowrap1"},
		{"example.com/app/run.Build.Values[...].func2", "/usr/local/go/src/maps/iter.go", "maps.Values[...].func2"},
		{"main.work.(*Logger).Printf.func1", "log/log.go", "log.(*Logger).Printf.func1"},
		{"main.main.renew.func4.1", "/home/dev/app/main.go", "main.renew.func4.1"},
		{"main.main.(*cache).get.func4", "/home/dev/app/cache.go", "main.(*cache).get.func4"},
		{"main.f.Parse.Decode.func1", "/go/pkg/mod/gopkg.in/yaml.v3@v3.0.1/yaml.go", "main.f.Parse.Decode.func1"},
		{"example.com/app/run.F.NewParser.func1", "/go/pkg/mod/gopkg.in/yaml.v3@v3.0.1/yaml.go",
			"gopkg.in/yaml%2ev3.NewParser.func1"},
		{"example.com/app/run.F.(*Conn).Start.gowrap1", "/src/app/vendor/example.com/db/conn.go",
			"example.com/db.(*Conn).Start.gowrap1"},
		{"example.com/app/vendor/example.com/x.F.(*Conn).Start.gowrap1", "/src/app/vendor/example.com/db/conn.go",
			"example.com/app/vendor/example.com/db.(*Conn).Start.gowrap1"},
	} {
		if got := SourceName(tt.fn, tt.file); got != tt.want {
			t.Errorf("%s in %s: %s, want %s", tt.fn, tt.file, got, tt.want)
		}
	}
}

func TestSourceName_LeavesWhatMayBeSo(t *testing.T) {
	for fn, file := range map[string]string{
		"example.com/a/b.Options.New.func8":                  "/go/pkg/mod/example.com/a@v1.0.0/b/b.go", // a method
		"example.com/a/b.List[...].Each.func1":               "/go/pkg/mod/example.com/a@v1.0.0/b/b.go",
		"example.com/a/b.(*List[...]).Each-range1":           "/go/pkg/mod/example.com/a@v1.0.0/b/b.go",
		"example.com/a/b.(*T[example.com/c.(*U).x]).M.func1": "/go/pkg/mod/example.com/a@v1.0.0/b/b.go",
		"example.com/a/b.Map[go.shape.int].func1.2":          "/go/pkg/mod/example.com/a@v1.0.0/b/b.go",
		"example.com/a/b.F.func3-range2":                     "/go/pkg/mod/example.com/a@v1.0.0/b/b.go",
		"example.com/a/b.T.Next-fm":                          "/go/pkg/mod/example.com/a@v1.0.0/b/b.go",
		"example.com/a/b.T.Parse.func1":                      "/go/pkg/mod/example.com/a@v1.0.0/grammar/expr.y",
		"example.com/a/b.New.connect.func1":                  "/home/dev/elsewhere/conn.go", // of which package?
		"example.com/a/b.F.(*Conn).Start.gowrap1":            "/home/dev/elsewhere/conn.go",
		"example.com/a/b.glob..func1.2":                      "b.go",
		"example.com/a/b.init.0.func1":                       "",
		"main.main.func1":                                    "/home/dev/app/main.go",
		"main.main·dwrap·1":                                  "/home/dev/app/main.go",
		"main.main.Open.func1":                               "/go/pkg/mod/example.com/a@v1.0.0/b/b.go", // installed from there?
		"example.com/a/b.F.G.func\xc2.":                      "b.go",
		"":                                                   "",
		"1":                                                  "",
	} {
		if got := SourceName(fn, file); got != fn {
			t.Errorf("%s in %s: %s", fn, file, got)
		}
	}
}

func BenchmarkSourceName(b *testing.B) {
	names := []string{"main.main.func1", "net/http.(*Server).Serve.gowrap3", "runtime.gopark", "example.com/a/b.(*T).M",
		"example.com/a/b.New.NewLayer.func1.2"}
	b.ReportAllocs()
	for b.Loop() {
		for _, fn := range names {
			SourceName(fn, "/go/pkg/mod/example.com/a@v1.0.0/b/b.go")
		}
	}
}
