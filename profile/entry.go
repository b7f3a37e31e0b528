package profile

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/frame"
)

// A Dispatch is what runs the program's own code.
type Dispatch string

// The dispatches. DispatchGoroutine is a go statement of the program's own, or something that isn't known.
const (
	DispatchReconcile Dispatch = "reconcile" // a controller's worker
	DispatchHTTP      Dispatch = "http"
	DispatchRPC       Dispatch = "rpc"
	DispatchEvent     Dispatch = "event" // an informer's event handler
	DispatchLoop      Dispatch = "loop"  // wait.Until and the like
	DispatchTimer     Dispatch = "timer"
	DispatchCommand   Dispatch = "command"
	DispatchTest      Dispatch = "test"
	DispatchMain      Dispatch = "main"
	DispatchGoroutine Dispatch = "goroutine"
)

// dispatchers are the functions that run a program's code, by the beginning of their plain names. From the sources of
// these modules, several releases each.
var dispatchers = []struct {
	prefix   string
	dispatch Dispatch
}{
	{"sigs.k8s.io/controller-runtime/pkg/internal/controller.", DispatchReconcile},
	{"sigs.k8s.io/controller-runtime/pkg/reconcile.", DispatchReconcile},
	{"github.com/rancher/lasso/pkg/controller.", DispatchReconcile},
	{"github.com/rancher/wrangler/pkg/generic.", DispatchReconcile},
	{"knative.dev/pkg/controller.", DispatchReconcile},
	{"google.golang.org/grpc.(*Server).", DispatchRPC},
	{"net/rpc.(*service).call", DispatchRPC},
	{"connectrpc.com/connect.(*Handler).", DispatchRPC},
	{"net/http.HandlerFunc.ServeHTTP", DispatchHTTP},
	{"net/http.(*ServeMux).ServeHTTP", DispatchHTTP},
	{"net/http.serverHandler.ServeHTTP", DispatchHTTP},
	{"net/http.(*conn).serve", DispatchHTTP},
	{"github.com/gin-gonic/gin.", DispatchHTTP},
	{"github.com/go-chi/chi", DispatchHTTP},
	{"github.com/gofiber/fiber.", DispatchHTTP},
	{"github.com/gorilla/mux.", DispatchHTTP},
	{"github.com/julienschmidt/httprouter.", DispatchHTTP},
	{"github.com/labstack/echo.", DispatchHTTP},
	{"github.com/valyala/fasthttp.", DispatchHTTP},
	{"github.com/emicklei/go-restful.", DispatchHTTP},
	{"k8s.io/client-go/tools/cache.", DispatchEvent},
	{"k8s.io/apimachinery/pkg/util/wait.", DispatchLoop},
	{"time.goFunc", DispatchTimer},
	{"github.com/spf13/cobra.", DispatchCommand},
	{"github.com/urfave/cli.", DispatchCommand},
	{"testing.", DispatchTest},
	{"runtime.main", DispatchMain},
}

// An Entry is a function of the program's own with which its work begins.
type Entry struct {
	Payer
	Dispatch Dispatch
}

// dispatchesOf says of each function what it dispatches, "" for nothing.
func dispatchesOf(v *View) []Dispatch {
	kinds := make([]Dispatch, len(v.Functions))
	for i := range kinds {
		if v.Class[i] == frame.ClassOwn {
			continue
		}
		for k := range dispatchers {
			if strings.HasPrefix(v.plain[i], dispatchers[k].prefix) {
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
	if old, ok := e.dispatches[group]; !ok || old == DispatchGoroutine {
		e.dispatches[group] = kind
	}
}

func (e *entries) find(frames []int32) (at int, kind Dispatch) {
	at = -1
	under := DispatchGoroutine
	for i := len(frames) - 1; i >= 0; i-- {
		fn := e.v.Frames[frames[i]].Func
		if k := e.kinds[fn]; k != "" {
			under = k
			continue
		}
		if e.v.Class[fn] != frame.ClassOwn || e.v.Functions[fn].Name == "" {
			continue
		}
		if strings.HasSuffix(e.groups.names[e.groupOf(frames[i])], ".Reconcile") {
			return i, DispatchReconcile
		}
		// Own code that a dispatcher called is nearer to the work than the own code around that dispatcher.
		if at < 0 || rank(under) > rank(kind) {
			at, kind = i, under
		}
	}
	return at, kind
}

// rank orders dispatches by how much they say about the work.
func rank(d Dispatch) int {
	switch d {
	case DispatchReconcile, DispatchHTTP, DispatchRPC, DispatchEvent:
		return 2
	case DispatchGoroutine, DispatchMain:
		return 0
	}
	return 1
}

func (e *entries) ranked() []Entry {
	e.sort()
	out := make([]Entry, 0, min(len(e.list), maxPayers))
	for i := range e.list[:min(len(e.list), maxPayers)] {
		sum := &e.list[i]
		out = append(out, Entry{Payer: e.payer(sum), Dispatch: e.dispatches[sum.group]})
	}
	return slices.Clip(out)
}
