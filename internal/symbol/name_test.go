package symbol

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseNameTakesEveryFormApart(t *testing.T) {
	tests := []struct {
		fn   string
		want Name
	}{
		{"main.main", Name{Package: "main", Func: "main"}},
		{"main.main.func1", Name{Package: "main", Func: "main", Closure: "func1"}},
		{"main.main.func1.2", Name{Package: "main", Func: "main", Closure: "func1.2"}},
		{"main.main.New.func1", Name{Package: "main", Func: "main", Closure: "New.func1"}},
		{"example.com/a/b.New", Name{Package: "example.com/a/b", Func: "New"}},
		{"example.com/a/b.New.func1.gowrap2", Name{Package: "example.com/a/b", Func: "New", Closure: "func1.gowrap2"}},
		{"example.com/a/b.New.gowrap1", Name{Package: "example.com/a/b", Func: "New", Closure: "gowrap1"}},
		{"example.com/a/b.New.deferwrap3", Name{Package: "example.com/a/b", Func: "New", Closure: "deferwrap3"}},
		{"example.com/a/b.(*T).M", Name{Package: "example.com/a/b", Receiver: "T", Pointer: true, Func: "M"}},
		{"example.com/a/b.(*T).M.func1", Name{Package: "example.com/a/b", Receiver: "T", Pointer: true, Func: "M", Closure: "func1"}},
		{"example.com/a/b.(*T).M-fm", Name{Package: "example.com/a/b", Receiver: "T", Pointer: true, Func: "M", Closure: "fm"}},
		{"example.com/a/b.(*T).M.(*U).N.func1", Name{Package: "example.com/a/b", Receiver: "T", Pointer: true, Func: "M", Closure: "(*U).N.func1"}},
		{"example.com/a/b.T.M", Name{Package: "example.com/a/b", Receiver: "T", Func: "M"}},
		{"example.com/a/b.T.M-fm", Name{Package: "example.com/a/b", Receiver: "T", Func: "M", Closure: "fm"}},
		{"example.com/a/b.T.M.func2", Name{Package: "example.com/a/b", Receiver: "T", Func: "M", Closure: "func2"}},
		{"example.com/a/b.F-range1", Name{Package: "example.com/a/b", Func: "F", Closure: "range1"}},
		{"example.com/a/b.F.func3-range2", Name{Package: "example.com/a/b", Func: "F", Closure: "func3-range2"}},
		{"example.com/a/b.Map[...]", Name{Package: "example.com/a/b", Func: "Map", Generic: true}},
		{"example.com/a/b.Map[...].func1", Name{Package: "example.com/a/b", Func: "Map", Closure: "func1", Generic: true}},
		{"example.com/a/b.Map[go.shape.struct { example.com/c/d.X int }].func1", Name{Package: "example.com/a/b", Func: "Map", Closure: "func1", Generic: true}},
		{"example.com/a/b.(*List[...]).Push", Name{Package: "example.com/a/b", Receiver: "List", Pointer: true, Func: "Push", Generic: true}},
		{"example.com/a/b.List[...].Len", Name{Package: "example.com/a/b", Receiver: "List", Func: "Len", Generic: true}},
		{"example.com/mod/vendor/gopkg.in/yaml%2ev3.(*parser).parse", Name{Package: "example.com/mod/vendor/gopkg.in/yaml%2ev3", Receiver: "parser", Pointer: true, Func: "parse"}},
		{"gopkg.in/yaml.v3.Unmarshal", Name{Package: "gopkg.in/yaml.v3", Func: "Unmarshal"}},
		{"gopkg.in/yaml.v3.(*parser).parse", Name{Package: "gopkg.in/yaml.v3", Receiver: "parser", Pointer: true, Func: "parse"}},
		{"main.func·001", Name{Package: "main", Func: "func·001"}},
		{"main.main·dwrap·1", Name{Package: "main", Func: "main", Closure: "dwrap·1"}},
		{"main.(*T).M·fm", Name{Package: "main", Receiver: "T", Pointer: true, Func: "M", Closure: "fm"}},
		{"example.com/a/b.init.0", Name{Package: "example.com/a/b", Func: "init.0"}},
		{"example.com/a/b.init.0.func1", Name{Package: "example.com/a/b", Func: "init.0", Closure: "func1"}},
		{"example.com/a/b.init.func1", Name{Package: "example.com/a/b", Func: "init", Closure: "func1"}},
		{"example.com/a/b.glob..func1.2", Name{Package: "example.com/a/b", Func: "glob.", Closure: "func1.2"}},
		{"net/http.HandlerFunc.ServeHTTP", Name{Package: "net/http", Receiver: "HandlerFunc", Func: "ServeHTTP"}},
		{"main._Cfunc_usleep", Name{Package: "main", Func: "_Cfunc_usleep"}},
		{"panic", Name{Func: "panic"}},
		{"type:.eq.main.T", Name{Func: "type:.eq.main.T"}},
		{"type..eq.main.T", Name{Func: "type..eq.main.T"}},
		{"std::vector<int, std::allocator<int> >::push_back(int const&)", Name{Func: "std::vector<int, std::allocator<int> >::push_back(int const&)"}},
		{"non-Go function", Name{Func: "non-Go function"}},
		{"", Name{}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, ParseName(tt.fn)); diff != "" {
			t.Errorf("ParseName(%q) (-want +got):\n%s", tt.fn, diff)
		}
	}
}

func TestBaseIsTheDeclaredFunction(t *testing.T) {
	tests := map[string]string{
		"main.main.func1":                               "main.main",
		"example.com/a/b.(*T).M.func1.2":                "example.com/a/b.(*T).M",
		"example.com/a/b.(*T).M-fm":                     "example.com/a/b.(*T).M",
		"example.com/a/b.T.M.gowrap1":                   "example.com/a/b.T.M",
		"example.com/a/b.F-range1":                      "example.com/a/b.F",
		"example.com/a/b.Map[...].func1":                "example.com/a/b.Map",
		"example.com/a/b.Map[example.com/c.D].func1":    "example.com/a/b.Map",
		"example.com/a/b.(*List[...]).Push":             "example.com/a/b.(*List).Push",
		"main.main·dwrap·1":                             "main.main",
		"main.func·001":                                 "main.func·001",
		"example.com/a/b.init.0.func1":                  "example.com/a/b.init.0",
		"example.com/a/b.glob..func1":                   "example.com/a/b.glob",
		"panic":                                         "panic",
		"example.com/m/vendor/example.com/a.(*T).M.fu1": "example.com/m/vendor/example.com/a.(*T).M",
	}
	for fn, want := range tests {
		if got := Base(fn); got != want {
			t.Errorf("Base(%q) = %q, want %q", fn, got, want)
		}
	}
}

func FuzzParseName(f *testing.F) {
	for _, seed := range []string{"main.main.func1", "a/b.(*T[...]).M-fm", "gopkg.in/yaml%2ev3.(*p).q", "main.func·001", "x.glob..func1",
		"a::b<c.d/e>(f)", "(.", "a.(", "a.[", "a.init.", "\xc2\xb7.\xc2", "%", "%2", "a/v2.F", "a/vendor/b.C", "type..eq.x", "gopkg.in/a.v1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, fn string) {
		n := ParseName(fn)
		if !strings.HasPrefix(fn, n.Package) || !strings.HasSuffix(fn, n.Closure) || !strings.Contains(fn, n.Func) || !strings.Contains(fn, n.Receiver) {
			t.Errorf("ParseName(%q) = %+v: not parts of the name", fn, n)
		}
		if n.Package == "" && n.Func != fn {
			t.Errorf("ParseName(%q) = %+v: without a package all is Func", fn, n)
		}
		for width := range 12 {
			if short := Shorten(fn, width*8); n.Func != "" && !strings.HasSuffix(short, n.Closure) {
				t.Errorf("Shorten(%q, %d) = %q lost the function's end", fn, width*8, short)
			}
		}
		if base := Base(fn); len(base) > len(fn) {
			t.Errorf("Base(%q) = %q grew", fn, base)
		}
		ShortFunc(fn)
		StripVendor(fn)
		if i := strings.IndexFunc(Unescape(fn), func(r rune) bool { return r < ' ' && !strings.ContainsRune(fn, r) }); i >= 0 {
			t.Errorf("Unescape(%q) made a control character", fn)
		}
	})
}
