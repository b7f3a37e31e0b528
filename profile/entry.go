package profile

import (
	"strings"
)

// A Dispatch is what runs the program's own code.
type Dispatch string

// The dispatches. dispatchGoroutine is a go statement of the program's own, or something that isn't known.
const (
	dispatchReconcile Dispatch = "reconcile" // a controller's worker
	dispatchHTTP      Dispatch = "http"
	dispatchRPC       Dispatch = "rpc"
	dispatchEvent     Dispatch = "event" // an informer's event handler
	dispatchLoop      Dispatch = "loop"  // wait.Until and the like
	dispatchTimer     Dispatch = "timer"
	dispatchCommand   Dispatch = "command"
	dispatchTest      Dispatch = "test"
	dispatchMain      Dispatch = "main"
	dispatchGoroutine Dispatch = "goroutine"
)

// dispatchers are the functions that run a program's code, by the beginning of their plain names. From the sources of
// these modules, several releases each.
var dispatchers = []struct {
	dispatch Dispatch
	prefixes []string
}{
	{dispatchReconcile, []string{
		"sigs.k8s.io/controller-runtime/pkg/internal/controller.", "sigs.k8s.io/controller-runtime/pkg/reconcile.",
		"github.com/rancher/lasso/pkg/controller.", "github.com/rancher/wrangler/pkg/generic.",
		"knative.dev/pkg/controller.",
	}},
	{dispatchRPC, []string{
		"google.golang.org/grpc.(*Server).", "net/rpc.(*service).call", "connectrpc.com/connect.(*Handler).",
	}},
	{dispatchHTTP, []string{
		"net/http.HandlerFunc.ServeHTTP", "net/http.(*ServeMux).ServeHTTP", "net/http.serverHandler.ServeHTTP",
		"net/http.(*conn).serve", "github.com/gin-gonic/gin.", "github.com/go-chi/chi", "github.com/gofiber/fiber.",
		"github.com/gorilla/mux.", "github.com/julienschmidt/httprouter.", "github.com/labstack/echo.",
		"github.com/valyala/fasthttp.", "github.com/emicklei/go-restful.",
	}},
	{dispatchEvent, []string{"k8s.io/client-go/tools/cache."}},
	{dispatchLoop, []string{"k8s.io/apimachinery/pkg/util/wait."}},
	{dispatchTimer, []string{"time.goFunc"}},
	{dispatchCommand, []string{"github.com/spf13/cobra.", "github.com/urfave/cli."}},
	{dispatchTest, []string{"testing."}},
	{dispatchMain, []string{"runtime.main"}},
}

// An Entry is a function of the program's own with which its work begins.
type Entry struct {
	Payer
	Dispatch Dispatch
}

// dispatchesOf returns what each function dispatches, "" for nothing.
func dispatchesOf(v *View) []Dispatch {
	kinds := make([]Dispatch, len(v.Functions))
	for i := range kinds {
		if v.Class[i] == ClassOwn {
			continue
		}
		for k := range dispatchers {
			if hasPrefix(v.plain[i], dispatchers[k].prefixes...) {
				kinds[i] = dispatchers[k].dispatch
				break
			}
		}
	}
	return kinds
}

// entries adds up where the program's own code begins.
type entries struct {
	*payers
	kinds      []Dispatch // by function
	dispatches map[int32]Dispatch
}

func newEntries(v *View) *entries {
	return &entries{payers: newPayers(v), kinds: v.dispatches(), dispatches: map[int32]Dispatch{}}
}

// add finds a stack's entry: a method Reconcile of the program's own wherever it is, else the first function of its own
// that a dispatcher calls, else its outermost one.
func (e *entries) add(s *Stack) {
	at, kind := e.find(s.Frames)
	if at < 0 {
		return
	}
	e.payers.add(s, at)
	group := e.groupOf(s.Frames[at])
	if old, ok := e.dispatches[group]; !ok || old == dispatchGoroutine {
		e.dispatches[group] = kind
	}
}

func (e *entries) find(frames []int32) (at int, kind Dispatch) {
	at = -1
	under := dispatchGoroutine
	for i := len(frames) - 1; i >= 0; i-- {
		fn := e.v.Frames[frames[i]].Func
		if k := e.kinds[fn]; k != "" {
			under = k
			continue
		}
		if e.v.Class[fn] != ClassOwn || e.v.Functions[fn].Name == "" {
			continue
		}
		if strings.HasSuffix(e.groups.names[e.groupOf(frames[i])], ".Reconcile") {
			return i, dispatchReconcile
		}
		// Own code that a dispatcher called is nearer to the work than the own code around that dispatcher.
		if at < 0 || rank(under) > rank(kind) {
			at, kind = i, under
		}
	}
	return at, kind
}

// rank orders dispatches by how much they show about the work.
func rank(d Dispatch) int {
	switch d {
	case dispatchReconcile, dispatchHTTP, dispatchRPC, dispatchEvent:
		return 2
	case dispatchGoroutine, dispatchMain:
		return 0
	}
	return 1
}

func (e *entries) ranked() []Entry {
	list := e.heaviest()
	out := make([]Entry, len(list))
	for i := range list {
		out[i] = Entry{Payer: e.payer(&list[i]), Dispatch: e.dispatches[list[i].group]}
	}
	return out
}
