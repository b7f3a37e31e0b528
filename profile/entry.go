package profile

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/stackparse/frame"
)

// A dispatch is what runs the program's own code.
type dispatch string

// The dispatches; dispatchGoroutine is a go statement of the program's own, or something that isn't known.
const (
	dispatchReconcile dispatch = "reconcile" // a controller's worker
	dispatchHTTP      dispatch = "http"
	dispatchRPC       dispatch = "rpc"
	dispatchEvent     dispatch = "event" // an informer's event handler
	dispatchLoop      dispatch = "loop"  // wait.Until and the like
	dispatchTimer     dispatch = "timer"
	dispatchCommand   dispatch = "command"
	dispatchTest      dispatch = "test"
	dispatchMain      dispatch = "main"
	dispatchGoroutine dispatch = "goroutine"
)

type dispatcher struct {
	dispatch dispatch
	prefixes []string
}

// dispatchers are the functions that run a program's code, by the beginning of their plain names. From the sources of
// these modules, several releases each.
var dispatchers = []dispatcher{
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

// A part is what a function has to do with where the program's own code begins: nothing, it is own code, it is a method
// Reconcile of it, or, from partDispatcher on, one of dispatchers.
type part uint8

const (
	partNone part = iota
	partOwn
	partReconcile
	partDispatcher
)

// partsOf returns each function's part.
func partsOf(v *View) []part {
	parts := make([]part, len(v.Functions))
	groups := v.grouping()
	for i := range parts {
		switch {
		case v.Class[i] != frame.ClassOwn:
			k := slices.IndexFunc(dispatchers, func(d dispatcher) bool { return hasPrefix(v.plain[i], d.prefixes...) })
			if k >= 0 {
				parts[i] = partDispatcher + part(k)
			}
		case v.Functions[i].Name == "":
		case strings.HasSuffix(groups.names[groups.of[i]], ".Reconcile"):
			parts[i] = partReconcile
		default:
			parts[i] = partOwn
		}
	}
	return parts
}

// entry finds where the program's own code begins in a stack: in a method Reconcile of its own wherever that is, else
// in the first function of its own that a dispatcher calls, else in its outermost one; -1 for none.
func (v *View) entry(frames []int32) (at int, kind dispatch) {
	parts := v.parts()
	at = -1
	under, better := dispatchGoroutine, true // than what is at
	for i := len(frames) - 1; i >= 0; i-- {
		switch p := parts[v.Frames[frames[i]].Func]; {
		case p == partNone:
		case p == partReconcile:
			return i, dispatchReconcile
		case p >= partDispatcher:
			under = dispatchers[p-partDispatcher].dispatch
			better = at < 0 || rank(under) > rank(kind)
		case better:
			// Own code that a dispatcher called is nearer to the work than the own code around that dispatcher.
			at, kind, better = i, under, false
		}
	}
	return at, kind
}

// Recurs reports whether a stack's work begins in a controller's Reconcile or an informer's event handler, which do the
// same for the same objects again and again.
func (v *View) Recurs(s *Stack) bool {
	_, kind := v.entry(s.Frames)
	return kind == dispatchReconcile || kind == dispatchEvent
}

// rank orders dispatches by how much they show about the work.
func rank(d dispatch) int {
	switch d {
	case dispatchReconcile, dispatchHTTP, dispatchRPC, dispatchEvent:
		return 2
	case dispatchGoroutine, dispatchMain:
		return 0
	}
	return 1
}
