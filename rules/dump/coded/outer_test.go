package coded

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/gocode"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/internal/dumptest"
	"github.com/gotriage/triage/rules/internal/rulestest"
)

// library is a package whose loop anybody may start.
const library = `package hub
import ("context"; "net/http")
type Hub struct { posts chan int; other chan int; then func(*Hub) }
func New() *Hub { return &Hub{posts: make(chan int), other: make(chan int)} }
func (h *Hub) Run() error {
	for range h.posts { // @take
	}
	return nil
}
func (h *Hub) Post(n int) {
	h.posts <- n // @send
}
func (h *Hub) PostIn(ctx context.Context, n int) {
	select { // @select
	case h.posts <- n:
	case <-ctx.Done():
	}
}
func (h *Hub) Close() { close(h.other) }
`

// judgedOfTwo lists what is found in a dump of a program and a library: calls of the latter are noted "hub/F@mark".
func judgedOfTwo(t *testing.T, main, lib, notes string) string {
	t.Helper()
	texts := map[string]string{"/src/shop/main.go": main, "/src/hub/hub.go": lib}
	packages := map[string]*gocode.Package{}
	for file, text := range texts {
		packages[file] = gocode.New([]gocode.File{{Name: "x.go", Text: text}}, "x.go")
	}
	var b strings.Builder
	b.WriteString(writer)
	for i, line := range strings.Split(strings.TrimSpace(notes), "\n") {
		state, calls, _ := strings.Cut(line, "] ")
		fmt.Fprintf(&b, "goroutine %d %s]:\n", i+1, state)
		for call := range strings.FieldsSeq(calls) {
			fn, mark, ours := strings.Cut(call, "@")
			file, name, inLib := "/src/shop/main.go", "main."+fn, false
			if name, inLib = strings.CutPrefix(fn, "hub/"); inLib {
				file, name = "/src/hub/hub.go", "example.com/hub."+name
			} else {
				name = "main." + fn
			}
			if !ours {
				fmt.Fprintf(&b, "%s(0x1)\n\t/usr/local/go/src/x/x.go:9 +0x20\n", fn)
				continue
			}
			fmt.Fprintf(&b, "%s(0x1)\n\t%s:%d +0x20\n", name, file, lineOf(t, texts[file], mark))
		}
		b.WriteByte('\n')
	}
	code := gocode.NewReader(func(f gocode.Frame) (*gocode.Package, string) { return packages[f.File], "x.go" })
	d := ready(dumptest.ParseDumps([]byte(b.String()))[0])
	var all []string
	for _, f := range rulestest.ApplyAll(Rules(), &rules.Pass{Dumps: []*rules.DumpInput{d}, Code: code}) {
		rulestest.CheckFinding(t, &f)
		all = append(all, fmt.Sprintf("%s %s %s", f.Rule, f.Severity, f.Culprit.Function))
	}
	return strings.Join(all, ", ")
}

func TestWhatOnlyMainCanStartIsNotStartedWhereMainIsPastThat(t *testing.T) {
	const sends = "[chan send] hub/(*Hub).Post@send post@post main@main\n[IO wait] net.read net/http.serve\n"
	const want = "TR466 high example.com/hub.(*Hub).Post"
	program := func(body, more string) string {
		return `package main
import ("context"; "log"; "net/http"; "time"; "example.com/hub"; "example.com/kit")
type shop struct { hub *hub.Hub; Open *hub.Hub }
type stopper interface { Run() error }
func main() {
	kit.Serve()
	h := hub.New()
	go h.Run()
	` + body + `
	post(h) // @main
	log.Print("posted", h)
}
func post(h *hub.Hub) {
	h.Post(1) // @post
}
func postIn(h *hub.Hub, ctx context.Context) {
	h.PostIn(context.Background(), 1) // @in
	h.PostIn(ctx, 1) // @ctx
}
` + more
	}
	for _, c := range []struct{ claim, main, lib, notes, want string }{
		{"main started it before", program("", ""), library, sends, want},
		{"a goroutine of main does something else", program("", "func tick() { time.Sleep(1) } // @tick"), library,
			sends + "[sleep] time.Sleep tick@tick", want},
		{"it is in a field of main's", program("s := &shop{hub: h}; s.hub.Post(2)", ""), library, sends, want},
		{"a function of main makes it", strings.Replace(program("", "func made() *hub.Hub { return hub.New() }"),
			"h := hub.New()", "h := made()", 1), library, sends, want},
		{"a context that never ends", strings.Replace(program("", ""), "post(h) //", "postIn(h, nil) //", 1), library,
			"[select] hub/(*Hub).PostIn@select postIn@in main@main", "TR466 high example.com/hub.(*Hub).PostIn"},
		// Near misses.
		{"another context", strings.Replace(program("", ""), "post(h) //", "postIn(h, nil) //", 1), library,
			"[select] hub/(*Hub).PostIn@select postIn@ctx main@main", ""},
		{"the loop runs", program("", ""), library, sends + "[chan receive] hub/(*Hub).Run@take", ""},
		{"main starts it again later", program("", "func again(h *hub.Hub) {\n	time.Sleep(9) // @sleep\n	h.Run()\n}"), library,
			sends + "[sleep] time.Sleep again@sleep", ""},
		{"main starts another one later", program("", "func again() {\n	time.Sleep(9) // @sleep\n	hub.New().Run()\n}"), library,
			sends + "[sleep] time.Sleep again@sleep", ""},
		{"a handler starts it", program(`http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { h.Run() })`, ""),
			library, sends, ""},
		{"a timer starts it", program("time.AfterFunc(9, func() { h.Run() })", ""), library, sends, ""},
		{"a timer has the method", program("run := h.Run; time.AfterFunc(9, func() { run() })", ""), library, sends, ""},
		{"another package has it", program("kit.Keep(h)", ""), library, sends, ""},
		{"another package has it in a struct", program("kit.Keep(kit.T{Hub: h})", ""), library, sends, ""},
		{"another package has it by an interface", program("var s stopper = h; kit.Keep(s)", ""), library, sends, ""},
		{"another package gave it", strings.Replace(program("", ""), "h := hub.New()", "h := kit.Hub()", 1), library, sends, ""},
		{"it is in a field that templates see", program("s := &shop{Open: h}; s.Open.Post(2)", ""), library, sends, ""},
		{"its package has one for all", program("", ""), library + "var Default = New()", sends, ""},
		{"its package gives it to the server", program("", ""), library +
			"func (h *Hub) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.Run() }\n" +
			"func (h *Hub) Listen() { http.ListenAndServe(\"\", h) }", sends, ""},
		{"its package gives it to what another package gave", strings.Replace(program("hub.Then(h, kit.Then)", ""), "", "", 0),
			library + "func Then(h *Hub, f func(*Hub)) { h.then = f }\nfunc (h *Hub) Late() { h.then(h) }", sends, ""},
		{"it is the program's package that is exported", strings.Replace(program("", ""), "package main", "package shop", 1),
			library, sends, ""},
	} {
		t.Run(c.claim, func(t *testing.T) {
			if got := judgedOfTwo(t, c.main, c.lib, c.notes); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
